"""Temporary folders that the next run removes where this one is killed: as long as one is in use, it is locked."""

from __future__ import annotations

import fcntl
import os
import stat
import tempfile
from contextlib import suppress

from gitops.suites import clearing

PREFIX = "assay-run-"
_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW


class Scratch:
    """A new folder of ours, until it is closed. What killed processes left behind is removed first.

    The lock is on the folder itself: the system lets go of it when this process ends, however that is. OSError where
    there is no room.
    """

    def __init__(self) -> None:
        sweep(tempfile.gettempdir())
        self.folder, self._lock = _made()

    def close(self) -> None:
        """Remove it with all that is in it. What cannot be removed now, because somebody writes there, is left to the
        next run.
        """
        with suppress(OSError):
            _remove(self.folder, self._lock)
        os.close(self._lock)


def sweep(below: str) -> None:
    """Remove such folders of ours that nobody uses any more."""
    with suppress(OSError), os.scandir(below) as found:
        for each in found:
            if each.name.startswith(PREFIX):
                with suppress(OSError):  # not ours, in use, or gone meanwhile
                    _remove_unused(each.path)


def _made() -> tuple[str, int]:
    """A locked folder. One that another process swept away before it was locked is made anew."""
    while True:
        folder = tempfile.mkdtemp(prefix=PREFIX)
        with suppress(FileNotFoundError):
            lock = os.open(folder, _FLAGS)
            fcntl.flock(lock, fcntl.LOCK_EX)
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(lock), os.lstat(folder)):
                    return folder, lock
            os.close(lock)


def _remove_unused(folder: str) -> None:
    told = os.lstat(folder)
    if not stat.S_ISDIR(told.st_mode) or told.st_uid != os.geteuid():
        return
    lock = os.open(folder, _FLAGS)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        _remove(folder, lock)
    finally:
        os.close(lock)


def _remove(folder: str, lock: int) -> None:
    os.fchmod(lock, 0o700)
    clearing.empty(folder)
    os.rmdir(folder)
