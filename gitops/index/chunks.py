"""Chunks of the documents of a tree, searched by words: SQLite's FTS5, ranked by BM25.

The words come prepared (`wiki.searchwords`), so that scripts without spaces can be searched; FTS5 (its `porter` and
`unicode61` tokenisers, https://sqlite.org/fts5.html §4.3) folds accents and takes English endings off. A query is
made of quoted words alone, so no text can be a mistake in FTS5's own grammar.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any, NamedTuple, cast

from gitops.errors import CannotRun
from gitops.index.cachefile import BUSY_S, decoded, encoded
from gitops.index.pinned import Changes, Pinned, reading

WEIGHTS = (4.0, 2.0, 1.0)
"""What a word counts in a document's title, in the headings above, in the text itself."""
MOST = 2**31
"""No index has so many chunks; SQLite takes no number beyond 64 bits."""
_COLUMNS = "chunk, start, stop, line, page, title, heading, title_words, heading_words, words"


@dataclass(frozen=True, slots=True)
class ChunkRow:
    """A chunk as it is stored: its place, what is shown of it, and the words it is found by."""

    chunk: str
    start: int
    end: int
    line: int
    page: int | None
    title: str
    heading: str
    title_words: str
    heading_words: str
    words: str


Document = tuple[str, Sequence[ChunkRow]]
"""The blob id that a document's chunks were made from, and the chunks."""


@dataclass(frozen=True, slots=True)
class Found:
    """A chunk that holds words that were asked for; the higher the score the better (FTS5's `bm25`, negated)."""

    path: str
    chunk: str
    start: int
    end: int
    line: int
    page: int | None
    title: str
    heading: str
    score: float


class Stretch(NamedTuple):
    """Where a chunk lies: its document, and its span there."""

    path: str
    chunk: str
    start: int
    end: int


class ChunkIndex:
    """The chunks of one workspace's documents under a name of the caller's ('raw', 'wiki').

    `version` names what made them (chunker, parser, extractor): another starts from nothing. `notice` says, after
    `at`, what a person should know about the file.
    """

    def __init__(self, path: Path, workspace: str, name: str, version: str, *, wait_s: float = BUSY_S) -> None:
        self._path = path
        self._pinned = Pinned(path, f"chunks {name}", workspace, version, _ChunkRows(), wait_s)

    @property
    def notice(self) -> str:
        """'' when all is well; else that the file was made anew, or could not be used and why."""
        return self._pinned.notice

    @contextmanager
    def at(self, tree: str, changes: Changes[Document]) -> Iterator[ChunkReader]:
        """A reader at exactly `tree`, after `changes` has brought what is stored there if need be."""
        with self._pinned.at(tree, changes) as (conn, kept):
            yield ChunkReader(conn, kept, self._path)


@dataclass(frozen=True, slots=True)
class ChunkReader:
    """The chunks at one tree."""

    _conn: sqlite3.Connection
    _kept: int
    _path: Path

    @property
    def chunks(self) -> int:
        """How many chunks there are."""
        return int(self._rows(f"SELECT count(*) FROM chunks_{self._kept}")[0][0])

    def every(self) -> list[Stretch]:
        """Where all chunks lie, by path and place."""
        rows = self._rows(f"SELECT path, chunk, start, stop FROM chunks_{self._kept} ORDER BY path, start")
        return [Stretch(decoded(path), chunk, start, end) for path, chunk, start, end in rows]

    def frequency(self, words: Iterable[str]) -> dict[str, int]:
        """For each word the number of chunks that hold it or another form of it, be it in a heading alone."""
        table = f"chunks_{self._kept}_words"
        sql = f"SELECT count(*) FROM {table} WHERE {table} MATCH ?"
        return {word: int(self._rows(sql, _quoted(word))[0][0]) for word in dict.fromkeys(words)}

    def search(self, words: Sequence[str], limit: int, *, beside: str = "") -> list[Found]:
        """The chunks that hold any of the words, best first, equals by path and place; none of a folder `beside`."""
        if not words:
            return []
        table, score = f"chunks_{self._kept}_words", f"bm25(chunks_{self._kept}_words, {', '.join(map(str, WEIGHTS))})"
        sql = f"""SELECT path, chunk, start, stop, line, page, title, heading, -{score} AS score
            FROM {table} JOIN chunks_{self._kept} ON id = {table}.rowid
            WHERE {table} MATCH ? AND (? = x'' OR substr(path, 1, length(?)) <> ?)
            ORDER BY score DESC, path, start LIMIT ?"""
        query = " OR ".join(_quoted(word) for word in dict.fromkeys(words))
        folder = encoded(f"{beside}/") if beside else b""
        return [_found(*row) for row in self._rows(sql, query, folder, folder, folder, min(limit, MOST))]

    def _rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        with reading(self._path):
            return self._conn.execute(sql, values).fetchall()


def _found(path: bytes, *rest: Any) -> Found:
    *place, title, heading, score = rest
    chunk, start, end, line, page = place
    return Found(decoded(path), chunk, start, end, line, page, decoded(title), decoded(heading), score)


class _ChunkRows:
    """The chunks as state derived from a tree (`pinned.Derived`): a table, and FTS5's index of its words beside it."""

    def gather(self, rows: Iterable[tuple[str, Document | None]]) -> object:
        """The last row of each path, packed: a wiki's text as Python strings would fill the memory."""
        return {path: (row[0], _packed(row[1])) if row else None for path, row in rows}

    def clear(self, conn: sqlite3.Connection, kept: int) -> None:
        for table in (f"chunks_{kept}_words", f"chunks_{kept}"):
            conn.execute(f"DROP TABLE IF EXISTS {table}")

    def write(self, conn: sqlite3.Connection, kept: int, gathered: object, *, anew: bool) -> None:
        documents = cast("dict[str, tuple[str, bytes] | None]", gathered)
        if anew:
            _create(conn, kept)
        else:
            _remove(conn, kept, documents)
        for path, document in documents.items():
            for row in _unpacked(document[1]) if document else ():
                _insert(conn, kept, path, row)


def _create(conn: sqlite3.Connection, kept: int) -> None:
    conn.execute(f"""CREATE TABLE chunks_{kept} (
        id INTEGER PRIMARY KEY AUTOINCREMENT, path BLOB NOT NULL, chunk TEXT NOT NULL, start INTEGER NOT NULL,
        stop INTEGER NOT NULL, line INTEGER NOT NULL, page INTEGER, title BLOB NOT NULL, heading BLOB NOT NULL,
        title_words TEXT NOT NULL, heading_words TEXT NOT NULL, words TEXT NOT NULL)""")
    conn.execute(f"CREATE INDEX chunks_{kept}_by_path ON chunks_{kept}(path)")
    options = f"content = 'chunks_{kept}', content_rowid = 'id', tokenize = 'porter unicode61 remove_diacritics 2'"
    try:
        conn.execute(
            f"CREATE VIRTUAL TABLE chunks_{kept}_words USING fts5(title_words, heading_words, words, {options})"
        )
    except sqlite3.OperationalError as error:
        if "no such module" not in str(error):
            raise
        raise CannotRun(
            "this Python's SQLite was built without FTS5, by which the wiki is searched",
            "use a Python whose sqlite3 has it, as those of python.org, Debian, Homebrew and conda do",
        ) from error


def _insert(conn: sqlite3.Connection, kept: int, path: str, row: ChunkRow) -> None:
    marks = ", ".join("?" * 11)
    sql = f"INSERT INTO chunks_{kept} (path, {_COLUMNS}) VALUES ({marks})"
    place = (row.chunk, row.start, row.end, row.line, row.page)
    words = tuple(map(_utf8, (row.title_words, row.heading_words, row.words)))
    told = (encoded(row.title), encoded(row.heading), *words)
    id = conn.execute(sql, (encoded(path), *place, *told)).lastrowid
    sql = f"INSERT INTO chunks_{kept}_words (rowid, title_words, heading_words, words) VALUES (?, ?, ?, ?)"
    conn.execute(sql, (id, *words))


def _remove(conn: sqlite3.Connection, kept: int, paths: Iterable[str]) -> None:
    """An index whose content lies elsewhere must be told the words again to forget them."""
    sql = f"SELECT id, title_words, heading_words, words FROM chunks_{kept} WHERE path = ?"
    found = [row for path in paths for row in conn.execute(sql, (encoded(path),))]
    table = f"chunks_{kept}_words"
    for row in sorted(found):  # FTS5 writes a segment whenever numbers go backwards
        forget = (
            f"INSERT INTO {table} ({table}, rowid, title_words, heading_words, words) VALUES ('delete', ?, ?, ?, ?)"
        )
        conn.execute(forget, row)
        conn.execute(f"DELETE FROM chunks_{kept} WHERE id = ?", row[:1])


def _quoted(word: str) -> str:
    """A word as FTS5 takes it literally; a NUL would end the query."""
    return '"' + _utf8(word).replace("\0", " ").replace('"', '""') + '"'


def _utf8(text: str) -> str:
    """A text without halves of surrogate pairs, which are no UTF-8 and no part of any word."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _packed(rows: Iterable[ChunkRow]) -> bytes:
    return zlib.compress(json.dumps([astuple(row) for row in rows]).encode(), 1)


def _unpacked(data: bytes) -> list[ChunkRow]:
    return [ChunkRow(*row) for row in json.loads(zlib.decompress(data))]
