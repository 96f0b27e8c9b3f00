"""The whole index replaced at once. Rows that cannot stand are named and left out; the others stand."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from gitops.index.database import Index, transaction
from gitops.index.records import Row, enter_workspaces, insert, write
from gitops.index.schema import IDENTITIES, KEYS

REFUSALS = (
    sqlite3.IntegrityError,
    sqlite3.InterfaceError,
    sqlite3.DataError,
    sqlite3.ProgrammingError,
    OverflowError,
    ValueError,
    TypeError,
)
"""What one row can be wrong by: a check, a missing parent, a value SQLite does not hold, NaN in JSON."""
_INDICES = "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A row that `replace_all` could not take: its table, its key as text, and why."""

    table: str
    key: str
    why: str


@dataclass(frozen=True, slots=True)
class Block:
    """Rows of one table that all have the same columns, as tuples: the shape that many rows are written in fastest."""

    columns: tuple[str, ...]
    rows: Sequence[tuple[Any, ...]]

    def column(self, name: str) -> list[Any]:
        """The values of one column; [] where there is no such."""
        at = self.columns.index(name) if name in self.columns else None
        return [] if at is None else [row[at] for row in self.rows]

    def named(self) -> list[Row]:
        """The rows with their columns' names."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


Tables = Mapping[str, list[Row] | Block]


def replace_all(conn: Index, tables: Mapping[str, Iterable[Row] | Block]) -> list[LeftOut]:
    """Replace the whole index in one transaction; tables not named end up empty. Readers see old or new, never half.

    Rows that cannot stand (a check fails, their run is not there) are left out and returned, not fatal: a damaged
    or half-fetched note must not keep the others from being read.
    """
    if unknown := tables.keys() - KEYS.keys():
        raise ValueError(f"unknown table {min(unknown)}")
    given: Tables = {table: rows if isinstance(rows, Block) else list(rows) for table, rows in tables.items()}
    with transaction(conn):
        indices = conn.execute(_INDICES).fetchall()
        _empty(conn)
        try:
            _write_at_once(conn, given, indices)
            return []
        except REFUSALS:  # row by row then, which finds out which
            _empty(conn)
            there = set(conn.execute(_INDICES))
            _execute_all(conn, (index[1] for index in indices if index not in there))
            named = {table: rows.named() if isinstance(rows, Block) else rows for table, rows in given.items()}
            return [left for table in KEYS for left in _insert_what_stands(conn, table, named.get(table, []))]


def _empty(conn: Index) -> None:
    _execute_all(conn, (f"DELETE FROM {table}" for table in reversed(KEYS)))


def _write_at_once(conn: Index, tables: Tables, indices: Iterable[tuple[str, str]]) -> None:
    """Fill empty tables, and sort each index once at the end instead of finding a place for every row in turn."""
    _execute_all(conn, (f"DROP INDEX {name}" for name, _ in indices))
    for table in KEYS:
        rows = tables.get(table, [])
        if isinstance(rows, Block):
            enter_workspaces(conn, table, rows.column("workspace"))
            if any(None in rows.column(key) for key in KEYS[table]):
                raise ValueError(f"a row of {table} lacks its key")
            write(conn, table, rows.columns, _latest(table, rows))
        else:
            insert(conn, table, rows)
    _execute_all(conn, (sql for _, sql in indices))


def _latest(table: str, block: Block) -> Iterable[tuple[Any, ...]]:
    """Of rows that an index holds to be one, the last, since that index is not there yet."""
    if table not in IDENTITIES:
        return block.rows
    identity = itemgetter(*[block.columns.index(column) for column in IDENTITIES[table]])
    return {identity(row): row for row in block.rows}.values()


def _execute_all(conn: Index, statements: Iterable[str]) -> None:
    for statement in statements:
        conn.execute(statement)


def _insert_what_stands(conn: Index, table: str, rows: list[Row]) -> list[LeftOut]:
    try:
        # Mostly all stand. A savepoint would copy every page that is written again (measured: 5 x slower).
        insert(conn, table, rows)
    except REFUSALS:  # what was written before the bad one is written once more, which changes nothing
        return _halved(conn, table, rows)
    return []


def _halved(conn: Index, table: str, rows: list[Row]) -> list[LeftOut]:
    if (trouble := _try(conn, table, rows)) is None:
        return []
    if len(rows) == 1:
        key = " ".join(str(rows[0].get(column)) for column in KEYS[table])
        return [LeftOut(table, key, str(trouble))]
    middle = len(rows) // 2  # halving finds a few bad rows among many without writing each alone
    return _halved(conn, table, rows[:middle]) + _halved(conn, table, rows[middle:])


def _try(conn: Index, table: str, rows: list[Row]) -> Exception | None:
    conn.execute("SAVEPOINT rows")
    try:
        insert(conn, table, rows)
    except REFUSALS as error:
        conn.execute("ROLLBACK TO rows")
        return error
    finally:
        if conn.in_transaction:  # a full disk has already ended it
            conn.execute("RELEASE rows")
    return None
