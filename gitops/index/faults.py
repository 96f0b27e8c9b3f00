"""What SQLite's failures mean to a person, by their primary result code (https://sqlite.org/rescode.html)."""

from __future__ import annotations

import shlex
import sqlite3
from pathlib import Path

from gitops.errors import CannotRun

DAMAGE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT})
BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
UNWRITABLE = frozenset(
    {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_AUTH}
)
AGAIN = "then run the same command again"


class Spoilt(sqlite3.DatabaseError):
    """A stored value that cannot be what was written: bits went wrong where SQLite itself does not look."""

    sqlite_errorcode = sqlite3.SQLITE_CORRUPT


def primary(error: Exception) -> int:
    """The low byte of SQLite's extended result code; 0 when SQLite did not raise the error."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def is_damage(error: Exception) -> bool:
    """Whether the file's own content is at fault, so that only a new file helps."""
    return primary(error) in DAMAGE


def is_unusable(error: Exception) -> bool:
    """Whether a file that may be thrown away should be: damaged, or its tables not as they belong."""
    return primary(error) in DAMAGE | {sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CONSTRAINT}


def is_busy(error: Exception) -> bool:
    """Whether another connection held the lock for longer than the busy timeout."""
    return primary(error) in BUSY


def told(error: Exception, path: Path, mend: str) -> CannotRun:
    """The failure in our words. `mend` is the hint for a file that is damaged, which differs by database."""
    code = primary(error)
    if code in DAMAGE:
        return CannotRun(f"{path} is damaged: {error}", mend)
    if code == sqlite3.SQLITE_FULL:
        return CannotRun(f"{path} could not be written: the disk is full", f"free some space, {AGAIN}")
    if code in BUSY:
        return CannotRun(f"{path} is in use by another process", f"wait until the other command has ended, {AGAIN}")
    if code in UNWRITABLE or isinstance(error, OSError):
        folder = shlex.quote(str(path.parent))
        return CannotRun(
            f"{path} could not be opened or written: {error}", f"make it writable: chmod -R u+rwX {folder}"
        )
    return CannotRun(f"{path}: {error}", mend)
