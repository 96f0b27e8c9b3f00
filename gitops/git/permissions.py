"""How open the files of a shared repository are: git asks `core.sharedRepository`, libgit2 and Python the umask."""

from __future__ import annotations

import os

_GROUP, _ALL = 0o070, 0o075
_NAMED = {"group": _GROUP, "true": _GROUP, "1": _GROUP, "all": _ALL, "world": _ALL, "everybody": _ALL, "2": _ALL}
_BY_NUMBER = ("0", "1", "2")
"""What git read before there were words and modes; any other number is a mode."""


def umask_for(shared: str, mask: int) -> int:
    """The umask by which files come out as git's own do, with a value of `core.sharedRepository` and a usual umask.

    A word or number that git does not know changes nothing: git itself says so.
    """
    if (opened := _NAMED.get(shared.lower())) is not None:
        return mask & ~opened
    if shared in _BY_NUMBER or not shared or set(shared) - set("01234567"):
        return mask
    mode = int(shared, 8)
    return 0o777 & ~(mode | (mode & 0o444) >> 2) if mode & 0o600 == 0o600 else mask  # who may read may enter a folder


def share(shared: str | None) -> None:
    """From here on this process and those it starts make files as open as the value of `core.sharedRepository` says."""
    mask = os.umask(0o077)
    os.umask(umask_for(shared or "", mask))
