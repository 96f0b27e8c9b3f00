"""`python -m gitops`: the same as `git-assay`."""

import sys

from gitops.cli import main

if __name__ == "__main__":
    code = main()
    # An interrupt that comes while a module is made (dataclasses call exec) is remembered by CPython as one that
    # nobody handled: under -m the process would die by the signal instead of leaving with 130. The next exec forgets.
    exec("")
    sys.exit(code)
