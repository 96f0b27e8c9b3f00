"""Rows in and rows out of the index. Writing a row again replaces it; later rows win over earlier ones."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from gitops.canonical import dumps
from gitops.index.database import Index, telling, transaction
from gitops.index.schema import JSON_COLUMNS, KEYS

Row = Mapping[str, Any]
PLAIN = frozenset({str, int, float, bytes, type(None)})


def put(conn: Index, table: str, rows: Iterable[Row]) -> None:
    """Write whole rows to one table, all or none; columns a row does not name get their defaults.

    Values of JSON columns may be lists and dictionaries, or JSON as text. ValueError names an unknown column or a
    missing key; CannotRun a row that the table's checks refuse.
    """
    with transaction(conn):
        insert(conn, table, list(rows))


def put_workspace(conn: Index, row: Row) -> None:
    """Write one row of `workspaces`."""
    put(conn, "workspaces", [row])


def put_run(conn: Index, row: Row) -> None:
    """Write one row of `runs`; a workspace not seen before is entered with its slug alone."""
    put(conn, "runs", [row])


def put_verdict(conn: Index, row: Row) -> None:
    """Write one row of `verdicts`."""
    put(conn, "verdicts", [row])


def put_eval_run(conn: Index, row: Row, results: Iterable[Row] = ()) -> None:
    """Write one row of `eval_runs`, whose run must be in `runs`, and its queries' results, which replace all it had."""
    with transaction(conn):
        conn.execute("DELETE FROM eval_query_results WHERE run_id = ?", (row.get("run_id"),))
        put(conn, "eval_runs", [row])
        put(conn, "eval_query_results", [{**result, "run_id": row["run_id"]} for result in results])


def replace_gold_queries(conn: Index, rows: Iterable[Row]) -> None:
    """Make these the rows of `eval_gold_queries`, and no others."""
    with transaction(conn):
        conn.execute("DELETE FROM eval_gold_queries")
        insert(conn, "eval_gold_queries", list(rows))


def put_provenance(conn: Index, run_id: str, rows: Iterable[Row]) -> None:
    """Write what backs the claims of one run: a row for each pointer of each claim in each candidate."""
    put(conn, "wiki_claim_provenance", [{**row, "run_id": run_id} for row in rows])


def put_eviction_feedback(conn: Index, rows: Iterable[Row]) -> None:
    """Write rows of `eviction_feedback`."""
    put(conn, "eviction_feedback", rows)


def dump(conn: Index) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table, sorted: equal for two indexes that say the same."""
    content = {}
    with telling(conn):
        for table in KEYS:
            cursor = conn.execute(f"SELECT * FROM {table} LIMIT 0")
            order = ", ".join(str(number) for number in range(1, len(cursor.description) + 1))
            content[table] = conn.execute(f"SELECT * FROM {table} ORDER BY {order}").fetchall()
    return content


def runs(
    conn: Index, workspace: str | None = None, status: str | None = None, limit: int | None = None
) -> list[dict[str, Any]]:
    """Rows of `runs`, newest first."""
    return rows(conn, "runs", {"workspace": workspace, "status": status}, newest_by="started_at", limit=limit)


def verdicts(conn: Index, run_id: str | None = None, candidate: str | None = None) -> list[dict[str, Any]]:
    """Rows of `verdicts`, newest first."""
    return rows(conn, "verdicts", {"run_id": run_id, "candidate": candidate}, newest_by="created_at")


def rows(
    conn: Index, table: str, where: Row | None = None, *, newest_by: str = "", limit: int | None = None
) -> list[dict[str, Any]]:
    """Rows of any table whose columns equal `where` (None does not restrict), with JSON columns read."""
    given = {column: value for column, value in (where or {}).items() if value is not None}
    _check(conn, table, [*given, *([newest_by] if newest_by else [])])
    condition = " AND ".join(f"{column} = ?" for column in given) or "1"
    keys = [f"{key} DESC" if newest_by else key for key in KEYS[table]]
    order = ", ".join([f"{newest_by} DESC", *keys] if newest_by else keys)
    sql = f"SELECT * FROM {table} WHERE {condition} ORDER BY {order} LIMIT ?"
    with telling(conn):
        cursor = conn.execute(sql, (*given.values(), -1 if limit is None else limit))
        columns = [column[0] for column in cursor.description]
        return [{name: _read(name, value) for name, value in zip(columns, row, strict=True)} for row in cursor]


def insert(conn: Index, table: str, rows: list[Row]) -> None:
    """Write rows within the transaction that is open; what is wrong with one is raised as it comes."""
    enter_workspaces(conn, table, [row.get("workspace") for row in rows])
    for columns, group in groupby(rows, key=tuple):
        _check(conn, table, columns)
        if missing := [key for key in KEYS[table] if key not in columns]:
            raise ValueError(f"a row of {table} lacks its {missing[0]}")
        values = [_values(table, row) for row in group]
        try:
            write(conn, table, columns, values)
        except UnicodeEncodeError:  # writing the first ones again changes nothing
            write(conn, table, columns, (tuple(map(_sound, row)) for row in values))


def write(conn: Index, table: str, columns: Sequence[str], values: Iterable[tuple[Any, ...]]) -> None:
    """Write rows whose values SQLite takes as they are."""
    marks = ", ".join("?" * len(columns))
    conn.executemany(f"INSERT OR REPLACE INTO {table} ({', '.join(columns)}) VALUES ({marks})", values)


def enter_workspaces(conn: Index, table: str, slugs: Iterable[Any]) -> None:
    """Enter workspaces not seen before, where a table's rows refer to them."""
    if table in ("runs", "eval_runs", "eval_gold_queries"):
        named = {slug for slug in slugs if isinstance(slug, str)}
        conn.executemany("INSERT OR IGNORE INTO workspaces (slug) VALUES (?)", ((_sound(slug),) for slug in named))


def _check(conn: Index, table: str, columns: Iterable[str]) -> None:
    if table not in KEYS:
        raise ValueError(f"unknown table {table}")
    known = {row[1] for row in conn.execute(f"PRAGMA table_info({table})")}
    if unknown := sorted(set(columns) - known):
        raise ValueError(f"{table} has no column {unknown[0]}")


def _values(table: str, row: Row) -> tuple[Any, ...]:
    for key in KEYS[table]:
        if row[key] is None:
            raise ValueError(f"a row of {table} lacks its {key}")
    return tuple([value if type(value) in PLAIN else _spelt(value) for value in row.values()])


def _spelt(value: Any) -> Any:
    return int(value) if isinstance(value, bool) else str(value) if isinstance(value, str) else dumps(value)


def _sound(value: Any) -> Any:
    """Text without lone surrogates (file names that are not UTF-8 have them), which SQLite cannot store."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


def _read(column: str, value: Any) -> Any:
    return json.loads(value) if column in JSON_COLUMNS and isinstance(value, str) else value
