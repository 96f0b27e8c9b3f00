"""Judges that need a model: every module here that has `judge(seat)`. A file's stem is its judge's id."""
