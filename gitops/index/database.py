"""Opening `index.sqlite3`: made where absent, migrated where old, moved aside where it is not ours or damaged."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from gitops.errors import CannotRun
from gitops.index.faults import is_damage, told
from gitops.index.place import begun, move_aside, taken
from gitops.index.schema import APPLICATION_ID, KEYS, MIGRATIONS

REBUILD = "git assay index rebuild"
BUSY_S = 20.0


class Index(sqlite3.Connection):
    """A connection to the index. It decides nothing: every row can be read again from the notes."""

    path: Path
    fresh: bool = False
    """The file was made just now and is empty, so it wants a rebuild."""
    notice: str = ""
    """What the user must be told once: which file was moved where."""


def open_index(path: Path, *, thorough: bool = False) -> Index:
    """Open the index at `path`, making folder and file. `thorough` reads every page of the file first.

    A damaged file or another program's is renamed to `<name>.broken-<n>` and `notice` says so. CannotRun for a
    newer schema, a place that cannot be written, and a full disk.
    """
    try:
        with taken(path):
            return _opened(path, thorough)
    except (sqlite3.Error, OSError) as error:
        raise told(error, path, REBUILD) from error


@contextmanager
def telling(conn: Index) -> Iterator[None]:
    """Turn what SQLite raises inside into CannotRun with a hint."""
    try:
        yield
    except (sqlite3.Error, OverflowError) as error:  # integers end at 64 bits there
        raise told(error, conn.path, f"{REBUILD} makes it anew from the notes") from error


@contextmanager
def transaction(conn: Index) -> Iterator[None]:
    """One write transaction, whole or not at all; inside another it joins that one."""
    with telling(conn), nullcontext() if conn.in_transaction else _writing(conn):
        yield


@contextmanager
def _writing(conn: Index) -> Iterator[None]:
    conn.execute("BEGIN IMMEDIATE")
    try:
        yield
        conn.execute("COMMIT")
    finally:
        if conn.in_transaction:  # a full disk or a failed write may have ended it already
            conn.execute("ROLLBACK")


def _opened(path: Path, thorough: bool) -> Index:
    trouble = _trouble(path, thorough) if path.exists() else ""
    notice = ""
    if trouble:
        aside = move_aside(path)
        notice = f"{path} {trouble}: it was kept as {aside.name}, and a new index was made; fill it: {REBUILD}"
    conn = _connect(path)
    try:
        conn.notice = notice
        conn.execute("PRAGMA journal_mode = WAL")
        # After a power cut the last transactions may be gone but the file is sound; the notes still have them.
        conn.execute("PRAGMA synchronous = NORMAL")
        conn.execute("PRAGMA foreign_keys = ON")
        # A rebuild works within savepoints, whose journal would otherwise be a file (measured: 1.6 x slower).
        conn.execute("PRAGMA temp_store = MEMORY")
        _migrate(conn)
    except BaseException:
        conn.close()
        raise
    return conn


def _connect(path: Path) -> Index:
    conn = sqlite3.connect(begun(path), timeout=BUSY_S, isolation_level=None, factory=Index)
    conn.path = path
    return conn


def _trouble(path: Path, thorough: bool) -> str:
    conn = _connect(path)
    try:
        if _pragma(conn, "application_id") != APPLICATION_ID:
            tables = conn.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            return "is another program's database" if tables or _pragma(conn, "user_version") else ""
        if thorough and (said := conn.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
            return f"is damaged ({said.splitlines()[-1]})"
        names = {row[0] for row in conn.execute("SELECT name FROM sqlite_master")}
        lacking = sorted(KEYS.keys() - names)
        return f"lacks the table {lacking[0]}" if lacking and _pragma(conn, "user_version") == len(MIGRATIONS) else ""
    except sqlite3.DatabaseError as error:
        if is_damage(error):
            return f"is damaged ({error})"
        raise
    finally:
        conn.close()


def _migrate(conn: Index) -> None:
    version = _pragma(conn, "user_version")
    if version > len(MIGRATIONS):
        raise CannotRun(
            f"{conn.path} was written by a newer git-assay (schema {version}, this one knows {len(MIGRATIONS)})",
            f"upgrade git-assay, or move the file away and run: {REBUILD}",
        )
    conn.fresh = version == 0
    for number, statements in enumerate(MIGRATIONS[version:], start=version + 1):
        conn.execute("BEGIN IMMEDIATE")
        for statement in statements:
            conn.execute(statement)
        conn.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        conn.execute(f"PRAGMA user_version = {number}")
        conn.execute("COMMIT")


def _pragma(conn: sqlite3.Connection, name: str) -> int:
    return int(conn.execute(f"PRAGMA {name}").fetchone()[0])
