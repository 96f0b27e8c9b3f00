"""`python -m gitops`: the same as `git-assay`."""

import sys

from gitops.cli import main

if __name__ == "__main__":
    sys.exit(main())
