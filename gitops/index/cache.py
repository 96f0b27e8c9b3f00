"""`Cache`: bytes by kind, version and key, kept between commands. Losing any of it costs time, never an answer."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType

from gitops.index.cachefile import decoded, discard, encoded, in_memory, open_cache, open_memory, open_reading
from gitops.index.faults import is_busy, is_unusable

FLUSH_BYTES = 8 * 1024 * 1024
FLUSH_ENTRIES = 2000
HELD_BYTES = 64 * 1024 * 1024
"""What is held back while other processes keep the file busy; beyond it the oldest way out is to forget."""
MAX_BYTES = 512 * 1024 * 1024
BUSY_S = 0.25
"""A flush does not wait long: another process, or this one's own graph, may be in the middle of a long write."""
DAY_S = 86_400
AT_ONCE = 500

Key = tuple[str, str, str]


class Cache:
    """Values by (kind, version, key), from one file shared by processes; usable from several threads.

    Writes are held back and made in one transaction every so often and at `close`. `notice` says, once there is
    something to say, that the file was made anew or could not be used; no method fails because of the file.
    `today` is the day number that marks use, for the eviction of what was used longest ago. With `writes=False` the
    file is read and left as it is; what is put in is remembered as long as there is room.
    """

    def __init__(
        self, path: Path, *, max_bytes: int = MAX_BYTES, today: int | None = None, writes: bool = True
    ) -> None:
        self._path = path
        self._max_bytes = max_bytes
        self._today = int(time.time() // DAY_S) if today is None else today
        self._lock = threading.RLock()
        self._held: dict[Key, bytes] = {}
        self._held_bytes = 0
        self._touched: set[int] = set()
        self._next_entries, self._next_bytes = FLUSH_ENTRIES, FLUSH_BYTES
        self._writes = writes
        self._conn, self.notice = open_cache(path, busy_s=BUSY_S) if writes else (open_reading(path), "")

    def get(self, kind: str, version: str, key: str) -> bytes | None:
        """The value, or None."""
        return self.get_many(kind, version, (key,)).get(key)

    def get_many(self, kind: str, version: str, keys: Iterable[str]) -> dict[str, bytes]:
        """The values there are, by key."""
        with self._lock:
            found: dict[str, bytes] = {}
            wanted: list[str] = []
            for key in keys:
                if (value := self._held.get((kind, version, key))) is not None:
                    found[key] = value
                else:
                    wanted.append(key)
            for start in range(0, len(wanted), AT_ONCE):
                found.update(self._stored(kind, version, wanted[start : start + AT_ONCE]))
            return found

    def put(self, kind: str, version: str, key: str, value: bytes) -> None:
        """Keep a value; of two under one key the later stays."""
        with self._lock:
            self._held_bytes += len(value) - len(self._held.get((kind, version, key), b""))
            self._held[kind, version, key] = value
            if len(self._held) >= self._next_entries or self._held_bytes >= self._next_bytes:
                self.flush()

    def flush(self) -> None:
        """Write what is held back, if the file is free."""
        with self._lock:
            if not self._writes:
                self._hold()
                return
            try:
                self._write()
            except sqlite3.Error as error:
                self._cope(error)
            else:
                self._forget()

    def close(self) -> None:
        """Write what is held back and close the file."""
        with self._lock:
            if self._writes and (self._held or self._touched):
                self._conn.execute(f"PRAGMA busy_timeout = {int(20 * BUSY_S * 1000)}")
                self.flush()
            self._conn.close()

    def __enter__(self) -> Cache:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _stored(self, kind: str, version: str, keys: list[str]) -> dict[str, bytes]:
        marks = ", ".join("?" * len(keys))
        sql = f"SELECT id, used, key, value FROM entries WHERE kind = ? AND version = ? AND key IN ({marks})"
        try:
            rows = self._conn.execute(sql, (kind, version, *map(encoded, keys))).fetchall()
        except sqlite3.Error as error:
            self._cope(error)
            return {}
        self._touched.update(row[0] for row in rows if row[1] != self._today)
        return {decoded(row[2]): row[3] for row in rows}

    def _write(self) -> None:
        conn = self._conn
        conn.execute("BEGIN IMMEDIATE")
        try:
            conn.executemany(
                "INSERT OR REPLACE INTO entries (kind, version, key, used, size, value) VALUES (?, ?, ?, ?, ?, ?)",
                (
                    (kind, version, encoded(key), self._today, len(value), value)
                    for (kind, version, key), value in self._held.items()
                ),
            )
            conn.executemany("UPDATE entries SET used = ? WHERE id = ?", ((self._today, id) for id in self._touched))
            self._evict()
            conn.execute("COMMIT")
        finally:
            if conn.in_transaction:
                conn.execute("ROLLBACK")

    def _evict(self) -> None:
        """Where the values outgrow the bound, keep the three quarters of it that were used last."""
        pages = self._conn.execute("PRAGMA page_count").fetchone()[0] * 4096
        if pages <= self._max_bytes:
            return
        size = self._conn.execute("SELECT ifnull(sum(size), 0) FROM entries").fetchone()[0]
        if size > self._max_bytes:
            newest_first = "SELECT id, sum(size) OVER (ORDER BY used DESC, id DESC) AS so_far FROM entries"
            self._conn.execute(
                f"DELETE FROM entries WHERE id IN (SELECT id FROM ({newest_first}) WHERE so_far > ?)",
                (self._max_bytes * 3 // 4,),
            )

    def _hold(self) -> None:
        if self._held_bytes > HELD_BYTES:
            return self._forget()
        self._next_entries = len(self._held) + FLUSH_ENTRIES
        self._next_bytes = self._held_bytes + FLUSH_BYTES
        return None

    def _cope(self, error: sqlite3.Error) -> None:
        if is_busy(error) and self._writes:
            return self._hold()
        self._conn.close()
        if is_unusable(error) and self._writes:
            discard(self._path)
            self._conn, notice = open_cache(self._path, busy_s=BUSY_S)
            self.notice = self.notice or notice or f"{self._path} was damaged and has been made anew"
        else:
            self._conn = open_memory()
            self._max_bytes = min(self._max_bytes, HELD_BYTES)
            self.notice = self.notice or in_memory(error, self._path)
        self._touched.clear()  # ids of the file that was left
        return None

    def _forget(self) -> None:
        self._held.clear()
        self._touched.clear()
        self._held_bytes = 0
        self._next_entries, self._next_bytes = FLUSH_ENTRIES, FLUSH_BYTES
