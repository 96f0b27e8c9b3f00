"""Advisory locks that the kernel frees when their holder dies: a lock that is free has no living owner."""

from __future__ import annotations

import fcntl
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gitops.errors import CannotRun, UsageError

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_PAUSE = 0.02


class Busy(CannotRun):
    """Another living process holds the lock."""


@contextmanager
def held(common_dir: Path, name: str, wait: float | None = None) -> Iterator[None]:
    """Hold the lock `name` of a repository; `Busy` when another process has it.

    `wait` is for how many seconds to try; None tries once. The file stays, because removing it would let two
    processes lock two files of one name. Children that git-assay starts do not inherit the lock.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} cannot name a lock", "use letters, digits, '.', '_' and '-'")
    path = common_dir / "assay" / "locks" / name
    descriptor = _opened(path)
    try:
        _locked(descriptor, path, wait or 0.0)
        yield
    finally:
        os.close(descriptor)


def is_held(common_dir: Path, name: str) -> bool:
    """Does a process hold the lock right now? Asking does not look like holding it to others who ask."""
    descriptor = _opened(common_dir / "assay" / "locks" / name)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def _opened(path: Path) -> int:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise CannotRun(f"the lock {path} cannot be made: {error.strerror}", "check who owns the folder") from error


def _locked(descriptor: int, path: Path, wait: float) -> None:
    until = time.monotonic() + wait
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            if time.monotonic() >= until:
                raise Busy(
                    f"another process is at work on {path.name}", "wait until it is done, then try again"
                ) from error
            time.sleep(_PAUSE)
        else:
            return
