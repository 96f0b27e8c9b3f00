"""How the link graph's rows are written: texts and pages by number, so that a link costs a dozen bytes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import cast

from gitops.index.cachefile import encoded

PAGES_AT_ONCE = 20_000


@dataclass(frozen=True, slots=True)
class PageRow:
    """What the graph knows of one page.

    `names` are the keys it is called by; `links` are (kind, target, key of the target); `cites` are source paths.
    """

    path: str
    blob: str
    names: tuple[str, ...]
    links: tuple[tuple[str, str, str], ...]
    cites: tuple[str, ...]


class GraphRows:
    """The graph as state derived from a tree (`pinned.Derived`)."""

    def gather(self, rows: Iterable[tuple[str, PageRow | None]]) -> object:
        """The last row of each path."""
        gathered = dict(rows)
        if wrong := next((path for path, row in gathered.items() if row and row.path != path), None):
            raise ValueError(f"the row given for {wrong} is of another path")
        return gathered

    def clear(self, conn: sqlite3.Connection, kept: int) -> None:
        """Remove every page and text of the graph."""
        ours = "(SELECT id FROM pages WHERE kept = ?)"
        for table in ("links", "names", "cites"):
            conn.execute(f"DELETE FROM {table} WHERE page IN {ours}", (kept,))
        conn.execute("DELETE FROM pages WHERE kept = ?", (kept,))
        conn.execute("DELETE FROM texts WHERE kept = ?", (kept,))

    def write(self, conn: sqlite3.Connection, kept: int, gathered: object, *, anew: bool) -> None:
        """Put and remove pages. Texts that no page uses any more stay until the graph is built anew."""
        rows = cast("dict[str, PageRow | None]", gathered)
        if not anew:
            _remove(conn, kept, rows)
        texts = _Texts(conn, kept, empty=anew)
        next_page = _next(conn, "pages")
        # By path, so that the pages' own index grows at its end.
        pages = (row for _, row in sorted(rows.items(), key=lambda item: encoded(item[0])) if row)
        while chunk := list(islice(pages, PAGES_AT_ONCE)):
            _add(conn, kept, list(enumerate(chunk, start=next_page)), texts)
            next_page += len(chunk)


def _remove(conn: sqlite3.Connection, kept: int, paths: Iterable[str]) -> None:
    for path in paths:
        row = conn.execute("SELECT id FROM pages WHERE kept = ? AND path = ?", (kept, encoded(path))).fetchone()
        if row:
            for table in ("links", "names", "cites"):
                conn.execute(f"DELETE FROM {table} WHERE page = ?", row)
            conn.execute("DELETE FROM pages WHERE id = ?", row)


def _add(conn: sqlite3.Connection, kept: int, pages: list[tuple[int, PageRow]], texts: _Texts) -> None:
    number = texts.number
    links = [
        (id, place, number(kind), number(target), number(key))
        for id, row in pages
        for place, (kind, target, key) in enumerate(row.links)
    ]
    # Sorted as their tables are: neighbours go into the same leaf of the tree.
    names = sorted({(number(key), id) for id, row in pages for key in row.names})
    cites = sorted({(number(source), id) for id, row in pages for source in row.cites})
    texts.write()
    sheet = ((id, kept, encoded(row.path), row.blob) for id, row in pages)
    conn.executemany("INSERT INTO pages (id, kept, path, blob) VALUES (?, ?, ?, ?)", sheet)
    conn.executemany("INSERT INTO links (page, place, kind, target, key) VALUES (?, ?, ?, ?, ?)", links)
    conn.executemany("INSERT INTO names (key, page) VALUES (?, ?)", names)
    conn.executemany("INSERT INTO cites (source, page) VALUES (?, ?)", cites)


class _Texts:
    """Numbers for texts: known ones are looked up, new ones counted on and written in one go."""

    def __init__(self, conn: sqlite3.Connection, kept: int, *, empty: bool) -> None:
        self._conn, self._kept, self._empty = conn, kept, empty
        self._known: dict[str, int] = {}
        self._new: list[tuple[int, str]] = []
        self._next = _next(conn, "texts")

    def number(self, text: str) -> int:
        known = self._known.get(text)
        if known is None:
            known = self._known[text] = self._looked_up(text) or self._counted(text)
        return known

    def write(self) -> None:
        rows: Iterator[tuple[int, int, bytes]] = (
            (id, self._kept, text) for id, text in sorted((id, encoded(text)) for id, text in self._new)
        )
        self._conn.executemany("INSERT INTO texts (id, kept, text) VALUES (?, ?, ?)", rows)
        self._new.clear()

    def _looked_up(self, text: str) -> int | None:
        if self._empty:
            return None
        sql = "SELECT id FROM texts WHERE kept = ? AND text = ?"
        row = self._conn.execute(sql, (self._kept, encoded(text))).fetchone()
        return int(row[0]) if row else None

    def _counted(self, text: str) -> int:
        self._new.append((self._next, text))
        self._next += 1
        return self._next - 1


def _next(conn: sqlite3.Connection, table: str) -> int:
    return int(conn.execute(f"SELECT ifnull(max(id), 0) + 1 FROM {table}").fetchone()[0])
