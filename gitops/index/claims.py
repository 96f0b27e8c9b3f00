"""Which claims the pages of a tree make, by hash: some are drawn without reading a page on which none is drawn.

A claim is sixteen bytes of a hash that whoever gives the rows makes of its page and its content: no two claims share
one. Hashes are as good as random, so those that follow any one of them are a random sample, and nearly the same sample
after a change of a few pages.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from gitops.index.cachefile import BUSY_S, decoded, encoded
from gitops.index.pinned import Changes, Pinned, reading

HASH_BYTES = 16
PageClaims = tuple[str, str, Sequence[bytes]]
"""The blob id of a page, the stratum that its claims belong to, and their hashes, of `HASH_BYTES` bytes each."""


@dataclass(frozen=True, slots=True)
class Located:
    """A claim that was drawn: its hash, the path of its page, and the blob id that the page has."""

    hash: bytes
    path: str
    blob: str


class ClaimIndex:
    """The claims of one workspace's pages in the cache file at `path`.

    `version` names what made the rows (the parser and the rule of what is a claim): another starts from nothing.
    `notice` says, after `at`, what a person should know about the file.
    """

    def __init__(self, path: Path, workspace: str, version: str, *, wait_s: float = BUSY_S) -> None:
        self._path = path
        self._pinned = Pinned(path, "claims", workspace, version, _ClaimRows(), wait_s)

    @property
    def notice(self) -> str:
        """'' when all is well; else that the file was made anew, or could not be used and why."""
        return self._pinned.notice

    @contextmanager
    def at(self, tree: str, changes: Changes[PageClaims]) -> Iterator[ClaimReader]:
        """A reader at exactly `tree`, after `changes` has brought what is stored there if need be."""
        with self._pinned.at(tree, changes) as (conn, kept):
            yield ClaimReader(conn, kept, self._path)


@dataclass(frozen=True, slots=True)
class ClaimReader:
    """The claims at one tree."""

    _conn: sqlite3.Connection
    _kept: int
    _path: Path

    def strata(self) -> dict[str, int]:
        """How many claims each stratum has, by its name; none that has no claim."""
        sql = f"SELECT name, claims FROM claims_{self._kept}_strata WHERE claims > 0"
        return dict(sorted((decoded(name), int(count)) for name, count in self._rows(sql)))

    def following(self, stratum: str, start: bytes, size: int) -> list[bytes]:
        """The first hashes of a stratum that are not below `start`; past the greatest it goes on from the least."""
        found = self._range(stratum, ">=", start, size)
        return found + self._range(stratum, "<", start, size - len(found))

    def located(self, stratum: str, hashes: Iterable[bytes]) -> list[Located]:
        """Where claims of a stratum stand, in the order of their hashes."""
        table = f"claims_{self._kept}"
        sql = f"""SELECT hash, path, blob FROM {table} JOIN {table}_pages ON {table}_pages.id = page
            WHERE stratum = (SELECT id FROM {table}_strata WHERE name = ?) AND hash = ?"""
        rows = (row for hash in sorted(hashes) for row in self._rows(sql, encoded(stratum), hash))
        return [Located(hash, decoded(path), blob) for hash, path, blob in rows]

    def _range(self, stratum: str, side: str, start: bytes, size: int) -> list[bytes]:
        table = f"claims_{self._kept}"
        sql = f"""SELECT hash FROM {table} WHERE stratum = (SELECT id FROM {table}_strata WHERE name = ?)
            AND hash {side} ? ORDER BY hash LIMIT ?"""
        return [hash for (hash,) in self._rows(sql, encoded(stratum), start, size)] if size > 0 else []

    def _rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        with reading(self._path):
            return self._conn.execute(sql, values).fetchall()


class _ClaimRows:
    """The claims as state derived from a tree (`pinned.Derived`): how many a stratum has is kept, never counted."""

    def gather(self, rows: Iterable[tuple[str, PageClaims | None]]) -> object:
        """The last row of each path; hashes in one piece, for a wiki may have a million."""
        return {path: (row[0], row[1], _joined(row[2])) if row else None for path, row in rows}

    def clear(self, conn: sqlite3.Connection, kept: int) -> None:
        for table in (f"claims_{kept}", f"claims_{kept}_pages", f"claims_{kept}_strata"):
            conn.execute(f"DROP TABLE IF EXISTS {table}")

    def write(self, conn: sqlite3.Connection, kept: int, gathered: object, *, anew: bool) -> None:
        pages = cast("dict[str, tuple[str, str, bytes] | None]", gathered)
        table = f"claims_{kept}"
        if anew:
            _create(conn, table)
        changed = Counter[int]()
        if not anew:
            _remove(conn, table, pages, changed)
        _add(conn, table, pages, changed)
        update = f"UPDATE {table}_strata SET claims = claims + ? WHERE id = ?"
        conn.executemany(update, [(number, id) for id, number in changed.items()])


def _create(conn: sqlite3.Connection, table: str) -> None:
    conn.execute(f"CREATE TABLE {table}_strata (id INTEGER PRIMARY KEY, name BLOB UNIQUE, claims INTEGER NOT NULL)")
    conn.execute(f"CREATE TABLE {table}_pages (id INTEGER PRIMARY KEY, path BLOB UNIQUE, blob TEXT NOT NULL)")
    conn.execute(f"""CREATE TABLE {table} (
        stratum INTEGER, hash BLOB, page INTEGER, PRIMARY KEY (stratum, hash, page)) WITHOUT ROWID""")
    conn.execute(f"CREATE INDEX {table}_by_page ON {table}(page)")


def _remove(conn: sqlite3.Connection, table: str, paths: Iterable[str], changed: Counter[int]) -> None:
    for path in paths:
        row = conn.execute(f"SELECT id FROM {table}_pages WHERE path = ?", (encoded(path),)).fetchone()
        if row:
            held = conn.execute(f"SELECT stratum, count(*) FROM {table} WHERE page = ? GROUP BY stratum", row)
            changed.subtract(dict(held.fetchall()))
            conn.execute(f"DELETE FROM {table} WHERE page = ?", row)
            conn.execute(f"DELETE FROM {table}_pages WHERE id = ?", row)


def _add(
    conn: sqlite3.Connection, table: str, pages: dict[str, tuple[str, str, bytes] | None], changed: Counter[int]
) -> None:
    strata: dict[str, int] = {}
    next_page = int(conn.execute(f"SELECT ifnull(max(id), 0) + 1 FROM {table}_pages").fetchone()[0])
    sheet, claims = [], []
    ordered = sorted((encoded(path), row) for path, row in pages.items() if row)
    for page, (path, (blob, stratum, hashes)) in enumerate(ordered, next_page):
        if stratum not in strata:
            strata[stratum] = _stratum(conn, table, stratum)
        sheet.append((page, path, blob))
        claims += [(strata[stratum], hash, page) for hash in sorted(set(_split(hashes)))]
    conn.executemany(f"INSERT INTO {table}_pages (id, path, blob) VALUES (?, ?, ?)", sheet)
    # Sorted as the table is: neighbours go into the same leaf of the tree.
    conn.executemany(f"INSERT INTO {table} (stratum, hash, page) VALUES (?, ?, ?)", sorted(claims))
    changed.update(stratum for stratum, _, _ in claims)


def _stratum(conn: sqlite3.Connection, table: str, name: str) -> int:
    conn.execute(f"INSERT OR IGNORE INTO {table}_strata (name, claims) VALUES (?, 0)", (encoded(name),))
    return int(conn.execute(f"SELECT id FROM {table}_strata WHERE name = ?", (encoded(name),)).fetchone()[0])


def _joined(hashes: Sequence[bytes]) -> bytes:
    if wrong := next((hash for hash in hashes if len(hash) != HASH_BYTES), None):
        raise ValueError(f"a hash of {len(wrong)} bytes; a claim's has {HASH_BYTES}")
    return b"".join(hashes)


def _split(hashes: bytes) -> Iterator[bytes]:
    return (hashes[start : start + HASH_BYTES] for start in range(0, len(hashes), HASH_BYTES))
