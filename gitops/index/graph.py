"""The link graph of a wiki at one commit: who is called what, who links to what, who cites which source."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gitops.index.cachefile import BUSY_S, decoded, encoded
from gitops.index.graph_rows import GraphRows, PageRow
from gitops.index.pinned import Changes, Pinned, reading

__all__ = ["GraphIndex", "GraphReader", "PageRow"]


class GraphIndex:
    """The graph of one workspace in the cache file at `path`.

    `version` names what made the rows (the parser and the rules for keys): another version starts from nothing.
    `notice` says, after `at`, what a person should know about the file, as when others kept it
    locked for `wait_s` seconds.
    """

    def __init__(self, path: Path, workspace: str, version: str, *, wait_s: float = BUSY_S) -> None:
        self._path = path
        self._pinned = Pinned(path, "graph", workspace, version, GraphRows(), wait_s)

    @property
    def notice(self) -> str:
        """'' when all is well; else that the file was made anew, or could not be used and why."""
        return self._pinned.notice

    @contextmanager
    def at(self, tree: str, changes: Changes[PageRow]) -> Iterator[GraphReader]:
        """A reader of the graph at exactly `tree`, after `changes` has brought the stored one there if need be."""
        with self._pinned.at(tree, changes) as (conn, kept):
            yield GraphReader(conn, kept, self._path)


@dataclass(frozen=True, slots=True)
class GraphReader:
    """The graph at one tree. Paths come sorted by their bytes, as git sorts them."""

    _conn: sqlite3.Connection
    _kept: int
    _path: Path

    def named(self, key: str) -> list[str]:
        """The pages that are called `key`."""
        return self._paths(
            """SELECT pages.path FROM texts JOIN names ON names.key = texts.id JOIN pages ON pages.id = names.page
            WHERE texts.kept = ? AND texts.text = ? ORDER BY pages.path""",
            key,
        )

    def linking(self, key: str) -> list[tuple[str, str, str]]:
        """Path, kind and target of every link whose target has the key, in the order of pages and links."""
        rows = self._rows(
            """SELECT pages.path, kind.text, target.text FROM texts JOIN links ON links.key = texts.id
            JOIN pages ON pages.id = links.page
            JOIN texts AS kind ON kind.id = links.kind JOIN texts AS target ON target.id = links.target
            WHERE texts.kept = ? AND texts.text = ? ORDER BY pages.path, links.place""",
            key,
        )
        return [(decoded(path), decoded(kind), decoded(target)) for path, kind, target in rows]

    def links(self, path: str) -> list[tuple[str, str]]:
        """Kind and target of every link of a page, in the order given."""
        rows = self._rows(
            """SELECT kind.text, target.text FROM pages JOIN links ON links.page = pages.id
            JOIN texts AS kind ON kind.id = links.kind JOIN texts AS target ON target.id = links.target
            WHERE pages.kept = ? AND pages.path = ? ORDER BY links.place""",
            path,
        )
        return [(decoded(kind), decoded(target)) for kind, target in rows]

    def links_to(self, path: str, key: str) -> list[tuple[str, str]]:
        """Kind and target of those links of a page whose target has the key, in the order given."""
        sql = """SELECT kind.text, target.text FROM pages JOIN texts ON texts.kept = pages.kept
            JOIN links ON links.key = texts.id AND links.page = pages.id
            JOIN texts AS kind ON kind.id = links.kind JOIN texts AS target ON target.id = links.target
            WHERE pages.kept = ? AND pages.path = ? AND texts.text = ? ORDER BY links.place"""
        return [(decoded(kind), decoded(target)) for kind, target in self._rows(sql, path, key)]

    def citing(self, source_path: str) -> list[str]:
        """The pages that cite a source."""
        return self._paths(
            """SELECT pages.path FROM texts JOIN cites ON cites.source = texts.id JOIN pages ON pages.id = cites.page
            WHERE texts.kept = ? AND texts.text = ? ORDER BY pages.path""",
            source_path,
        )

    def cites(self, path: str) -> list[str]:
        """The sources that a page cites."""
        return self._paths(
            """SELECT texts.text FROM pages JOIN cites ON cites.page = pages.id JOIN texts ON texts.id = cites.source
            WHERE pages.kept = ? AND pages.path = ? ORDER BY texts.text""",
            path,
        )

    def names(self, path: str) -> list[str]:
        """The keys that a page is called by, sorted."""
        return self._paths(
            """SELECT texts.text FROM pages JOIN names ON names.page = pages.id JOIN texts ON texts.id = names.key
            WHERE pages.kept = ? AND pages.path = ? ORDER BY texts.text""",
            path,
        )

    def blob(self, path: str) -> str | None:
        """The blob id a page's row was made from; None when there is no such page."""
        rows = self._rows("SELECT blob FROM pages WHERE kept = ? AND path = ?", path)
        return str(rows[0][0]) if rows else None

    def count(self) -> int:
        """How many pages there are."""
        with reading(self._path):
            return int(self._conn.execute("SELECT count(*) FROM pages WHERE kept = ?", (self._kept,)).fetchone()[0])

    def paths(self) -> Iterator[str]:
        """Every page."""
        for (path,) in self._scan("SELECT path FROM pages WHERE kept = ? ORDER BY path"):
            yield decoded(path)

    def keys(self) -> Iterator[tuple[str, str]]:
        """Every pair of a page and a key it is called by, page by page in no particular order."""
        sql = "SELECT page, key FROM names WHERE page IN (SELECT id FROM pages WHERE kept = ?) ORDER BY page"
        pages, texts = self._dictionaries()
        return ((pages[page], texts[key]) for page, key in self._scan(sql))

    def edges(self) -> Iterator[tuple[str, str, str, str]]:
        """Path, kind, target and key of every link, page by page in no particular order."""
        sql = "SELECT page, kind, target, key FROM links WHERE page IN (SELECT id FROM pages WHERE kept = ?)"
        pages, texts = self._dictionaries()
        return ((pages[page], texts[kind], texts[to], texts[key]) for page, kind, to, key in self._scan(sql))

    def _dictionaries(self) -> tuple[dict[int, str], dict[int, str]]:
        """All paths and texts by number: for whole-wiki work, cheaper than a join for each of them."""
        pages = {id: decoded(path) for id, path in self._scan("SELECT id, path FROM pages WHERE kept = ?")}
        texts = {id: decoded(text) for id, text in self._scan("SELECT id, text FROM texts WHERE kept = ?")}
        return pages, texts

    def _paths(self, sql: str, text: str) -> list[str]:
        return [decoded(path) for (path,) in self._rows(sql, text)]

    def _rows(self, sql: str, *given: str) -> list[tuple[Any, ...]]:
        with reading(self._path):
            return self._conn.execute(sql, (self._kept, *map(encoded, given))).fetchall()

    def _scan(self, sql: str) -> Iterator[tuple[Any, ...]]:
        with reading(self._path):
            yield from self._conn.execute(sql, (self._kept,))
