"""Which files were called what before, as git finds it in the history: by content that moved."""

from __future__ import annotations

import re

from gitops.git import objects
from gitops.git.history import tokens
from gitops.git.process import OFFLINE, stream
from gitops.git.repository import Repository

_LOG = ("-c", "log.showSignature=false", "-c", "diff.renameLimit=1000", "log", "-M", "--diff-filter=R", "--name-status")
_RENAMED = re.compile(rb"R\d+")


def renames(repository: Repository, commit: str, folder: str) -> dict[str, set[str]]:
    """Old path → the paths that it has come to, below a folder ('' is all) in the history of a commit.

    A file that moved twice is found by both of its old names; whether it still stands there is not asked.
    """
    went: dict[str, set[str]] = {}
    below = ("--", folder) if folder else ()
    with stream(repository, *_LOG, "-z", "--format=", "--no-ext-diff", commit, *below, env=OFFLINE) as output:
        read = tokens(output)
        for token in read:  # the newest first
            if _RENAMED.fullmatch(token.lstrip(b"\n")):
                old, new = objects.decode(next(read)), objects.decode(next(read))
                went.setdefault(old, set()).update(went.get(new, {new}))
    return went
