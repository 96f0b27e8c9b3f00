"""How an output is held to what is expected: every module here that has `grade` is a mode, called as its file is."""
