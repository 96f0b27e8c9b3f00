"""git and libgit2, and nothing above them: plain values in, plain values out."""
