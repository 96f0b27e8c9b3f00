"""The place of a database on disk: taken while it is opened, made ready, moved aside or thrown away.

SQLite opens the write-ahead log by name after it opened the database, so a process that swaps the files in
between could pair an old database with a new log. Opening and swapping therefore happen under one lock file.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gitops.errors import CannotRun

COMPANIONS = ("", "-wal", "-shm", "-journal")
WAIT_S = 20.0
POLL_S = 0.01


@contextmanager
def taken(path: Path) -> Iterator[None]:
    """Hold `<path>.lock`, making the folder. OSError when it cannot be; CannotRun when it stays held too long."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        _lock(handle, path)
        yield
    finally:
        os.close(handle)


def _lock(handle: int, path: Path) -> None:
    deadline = time.monotonic() + WAIT_S
    while True:
        try:
            return fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise CannotRun(
                    f"{path} is being opened by another process for more than {WAIT_S:.0f} s",
                    f"see who holds it: fuser -v '{path}.lock'",
                ) from None
            time.sleep(POLL_S)


def begun(path: Path) -> Path:
    """The path, where an empty file lies if there was none: by the umask, while SQLite's own are writable by one."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666))
    return path


def move_aside(path: Path) -> Path:
    """Rename a database and its log to the first free `<name>.broken-<n>`; nothing is ever overwritten."""
    number = 1
    while any(os.path.lexists(f"{path}.broken-{number}{end}") for end in COMPANIONS):
        number += 1
    for end in COMPANIONS:
        if os.path.lexists(f"{path}{end}"):
            os.rename(f"{path}{end}", f"{path}.broken-{number}{end}")
    return path.with_name(f"{path.name}.broken-{number}")


def throw_away(path: Path) -> None:
    """Remove a database and its log. Who has it open keeps what they have."""
    for end in COMPANIONS:
        Path(f"{path}{end}").unlink(missing_ok=True)
