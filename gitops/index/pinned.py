"""State that is derived from one tree, moved along from commit to commit, and read while others move it on.

The stored state says of which tree it is. A reader that wants another tree works out what differs, without a
lock, writes it in one immediate transaction if the state is still the one it started from, and then opens a read
transaction. In WAL mode (https://sqlite.org/isolation.html) that shows the database as of its first read for as
long as it is open, so the reader stays at its tree whatever other processes do.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from gitops.errors import CannotRun
from gitops.index.cachefile import AGAIN, discard, in_memory, open_cache, open_memory
from gitops.index.faults import is_unusable, told

Given = TypeVar("Given")
Taken = TypeVar("Taken", contravariant=True)
Changes = Callable[[str | None], Iterable[tuple[str, Given | None]]]
"""From the stored tree (None: from nothing) to the rows that lead to the wanted one; None removes a path.

KeyError when the stored tree is not known any more: the state is then built from nothing. It may use the cache.
"""

UNLOCKED_TRIES = 3
TRIES = 100


class Derived(Protocol[Taken]):
    """What a kind of state does with its rows. `kept` is the number under which its rows are stored."""

    def gather(self, rows: Iterable[tuple[str, Taken | None]]) -> object:
        """Take in the rows in whatever form `write` likes best; no database is locked meanwhile."""
        ...

    def clear(self, conn: sqlite3.Connection, kept: int) -> None:
        """Remove everything."""
        ...

    def write(self, conn: sqlite3.Connection, kept: int, gathered: object, *, anew: bool) -> None:
        """Put and remove what was gathered; `anew` when nothing is stored yet."""
        ...


@dataclass(frozen=True, slots=True)
class _Stored:
    kept: int
    version: str
    tree: str | None


class Pinned(Generic[Given]):
    """One state by name and workspace in the cache file at `path`; another `version` starts from nothing.

    A file that others keep locked for longer than `wait_s` seconds is done without.
    """

    def __init__(
        self, path: Path, name: str, workspace: str, version: str, derived: Derived[Given], wait_s: float
    ) -> None:
        self.notice = ""
        self._wait_s = wait_s
        self._path = path
        self._name, self._workspace, self._version = name, workspace, version
        self._derived = derived

    @property
    def is_stored(self) -> bool:
        """Whether a state by this version is there to go on from, at whatever tree it stands."""
        if not self._path.exists():
            return False
        conn, self.notice = open_cache(self._path, busy_s=self._wait_s)
        try:
            stored = self._stored(conn)
        except sqlite3.Error:
            return False  # `at` says what is wrong with the file, and does without it
        finally:
            conn.close()
        return stored is not None and stored.version == self._version and stored.tree is not None

    @contextmanager
    def at(self, tree: str, changes: Changes[Given]) -> Iterator[tuple[sqlite3.Connection, int]]:
        """A connection whose reads show the state at exactly `tree`, and the number its rows stand under."""
        conn, kept = self._pin(tree, changes)
        try:
            yield conn, kept
        finally:
            conn.close()

    def _pin(self, tree: str, changes: Changes[Given]) -> tuple[sqlite3.Connection, int]:
        for _ in range(2):
            conn, notice = open_cache(self._path, busy_s=self._wait_s)
            self.notice = self.notice or notice
            try:
                return conn, self._settle(conn, tree, changes)
            except sqlite3.Error as error:
                conn.close()
                if not is_unusable(error):
                    self.notice = self.notice or in_memory(error, self._path)
                    break
                discard(self._path)
                self.notice = self.notice or f"{self._path} was damaged and has been made anew"
            except BaseException:
                conn.close()
                raise
        conn = open_memory()
        return conn, self._settle(conn, tree, changes)

    def _settle(self, conn: sqlite3.Connection, tree: str, changes: Changes[Given]) -> int:
        for number in range(TRIES):
            conn.execute("BEGIN")
            stored = self._stored(conn)  # the first read: from here on the view stands still
            if stored and self._is_at(stored, tree):
                return stored.kept
            conn.execute("ROLLBACK")
            # Others may keep moving it on; after some tries they have to wait while the differences are worked out.
            self._move(conn, stored, tree, changes, locked=number >= UNLOCKED_TRIES)
        raise CannotRun(
            f"{self._path}: other processes moved '{self._name}' to other trees {TRIES} times in a row", AGAIN
        )

    def _move(
        self, conn: sqlite3.Connection, stored: _Stored | None, tree: str, changes: Changes[Given], *, locked: bool
    ) -> None:
        try:
            if locked:
                conn.execute("BEGIN IMMEDIATE")
                stored = self._stored(conn)
                if self._is_at(stored, tree):
                    return
            gathered, anew = self._gather(stored, changes)
            if not locked:
                conn.execute("BEGIN IMMEDIATE")
                if self._stored(conn) != stored:
                    return
            self._write(conn, stored, tree, gathered, anew=anew)
            conn.execute("COMMIT")
        finally:
            if conn.in_transaction:
                conn.execute("ROLLBACK")

    def _gather(self, stored: _Stored | None, changes: Changes[Given]) -> tuple[object, bool]:
        if stored and stored.tree is not None and stored.version == self._version:
            try:
                return self._derived.gather(changes(stored.tree)), False
            except KeyError:  # the tree was pruned, or came from another clone
                pass
        return self._derived.gather(changes(None)), True

    def _write(
        self, conn: sqlite3.Connection, stored: _Stored | None, tree: str, gathered: object, *, anew: bool
    ) -> None:
        if stored is None:
            sql = "INSERT INTO kept (name, workspace, version, tree) VALUES (?, ?, ?, ?)"
            kept = conn.execute(sql, (self._name, self._workspace, self._version, tree)).lastrowid or 0
        else:
            kept = stored.kept
            conn.execute("UPDATE kept SET version = ?, tree = ? WHERE id = ?", (self._version, tree, kept))
            if anew:
                self._derived.clear(conn, kept)
        self._derived.write(conn, kept, gathered, anew=anew)

    def _is_at(self, stored: _Stored | None, tree: str) -> bool:
        return stored is not None and (stored.version, stored.tree) == (self._version, tree)

    def _stored(self, conn: sqlite3.Connection) -> _Stored | None:
        sql = "SELECT id, version, tree FROM kept WHERE name = ? AND workspace = ?"
        row = conn.execute(sql, (self._name, self._workspace)).fetchone()
        return _Stored(*row) if row else None


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn a failure of the file in the middle of reading into CannotRun; a spoilt one is thrown away."""
    try:
        yield
    except sqlite3.ProgrammingError:
        raise  # a reader used after its `with` has ended: a mistake of ours, not the file's
    except sqlite3.Error as error:
        if is_unusable(error):
            discard(path)
        raise told(error, path, AGAIN) from error
