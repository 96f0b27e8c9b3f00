from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from gitops.errors import CannotRun
from gitops.index.database import open_index
from gitops.index.records import dump, put_run, runs, verdicts
from gitops.index.schema import APPLICATION_ID, KEYS, MIGRATIONS

RUN = {
    "run_id": "20260101-a",
    "workspace": "main",
    "triggered_by": "cli:run start",
    "run_type": "ingest",
    "status": "pending",
    "started_at": "2026-01-01T00:00:00Z",
}


def test_a_file_in_place_of_the_folder_is_told_with_a_mend(tmp_path: Path) -> None:
    (tmp_path / "assay").write_text("a file")
    with pytest.raises(CannotRun, match="could not be opened") as told:
        open_index(tmp_path / "assay" / "index.sqlite3")
    assert told.value.hint.startswith("make it writable: chmod")


def test_a_folder_in_place_of_the_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "index.sqlite3").mkdir()
    with pytest.raises(CannotRun, match="could not be opened"):
        open_index(tmp_path / "index.sqlite3")


def test_a_newer_schema_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite3"
    conn = open_index(path)
    conn.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    conn.close()
    with pytest.raises(CannotRun, match="newer git-assay") as told:
        open_index(path)
    assert "upgrade" in told.value.hint
    assert [p.name for p in tmp_path.glob("*.broken-*")] == []


def test_an_index_of_the_first_schema_keeps_its_rows(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite3"
    old = sqlite3.connect(path)
    for statement in MIGRATIONS[0]:
        old.execute(statement)
    given = {
        "id": "v1",
        "workspace": "main",
        "candidate": "c",
        "verdict": "reject",
        "created_at": "2026",
        "record": "{}",
    }
    old.execute(f"INSERT INTO verdicts ({', '.join(given)}) VALUES ({', '.join('?' * len(given))})", [*given.values()])
    old.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    old.execute("PRAGMA user_version = 1")
    old.commit()
    old.close()
    conn, new = open_index(path), open_index(tmp_path / "new.sqlite3")
    (row,) = verdicts(conn)
    assert {name: value for name, value in row.items() if value is not None} | {"record": "{}"} == given
    assert "record" not in row
    assert _schema(conn) == _schema(new)
    conn.close()
    new.close()


def _schema(conn: sqlite3.Connection) -> list[tuple[str, ...]]:
    return conn.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name").fetchall()


def test_a_file_that_is_no_database_is_moved_aside_with_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite3"
    path.write_bytes(b"notes of a person, not a database" * 100)
    conn = open_index(path)
    assert "index.sqlite3.broken-1" in conn.notice
    assert "git assay index rebuild" in conn.notice
    assert conn.fresh
    assert (tmp_path / "index.sqlite3.broken-1").read_bytes().startswith(b"notes of a person")
    put_run(conn, RUN)
    conn.close()


def test_a_second_damaged_file_does_not_overwrite_the_first(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite3"
    for content in (b"first" * 300, b"second" * 300):
        path.write_bytes(content)
        open_index(path).close()
        path.unlink()
    assert (tmp_path / "index.sqlite3.broken-1").read_bytes().startswith(b"first")
    assert (tmp_path / "index.sqlite3.broken-2").read_bytes().startswith(b"second")


def test_another_programs_database_is_moved_aside_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite3"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE theirs (a)")
        other.execute("INSERT INTO theirs VALUES (7)")
    other.close()
    before = path.read_bytes()
    conn = open_index(path)
    assert "another program's database" in conn.notice
    conn.close()
    assert (tmp_path / "index.sqlite3.broken-1").read_bytes() == before


def test_an_index_without_one_of_its_tables_is_moved_aside(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite3"
    conn = open_index(path)
    conn.execute("DROP TABLE verdicts")
    conn.close()
    conn = open_index(path)
    assert "lacks the table verdicts" in conn.notice
    conn.close()


def test_damage_in_the_middle_is_told_by_reads_and_found_by_a_thorough_opening(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite3"
    conn = open_index(path)
    for number in range(400):
        put_run(conn, {**RUN, "run_id": f"run-{number:04}"})
    conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    conn.close()
    data = bytearray(path.read_bytes())
    half = len(data) // 2 // 4096 * 4096
    data[half:-4096] = b"\xff" * (len(data) - 4096 - half)
    path.write_bytes(data)

    conn = open_index(path)
    assert conn.notice == ""  # the first pages are sound
    with pytest.raises(CannotRun, match="damaged") as told:
        dump(conn)
    assert "git assay index rebuild" in told.value.hint
    conn.close()
    conn = open_index(path, thorough=True)
    assert "is damaged" in conn.notice
    assert runs(conn) == []
    conn.close()


def test_a_full_disk_is_told_and_the_old_rows_stay(tmp_path: Path) -> None:
    conn = open_index(tmp_path / "index.sqlite3")
    put_run(conn, RUN)
    before = dump(conn)
    pages = conn.execute("PRAGMA page_count").fetchone()[0]
    conn.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(CannotRun, match="the disk is full") as told:
        put_run(conn, {**RUN, "run_id": "20260101-b", "plan": {"text": "x" * 100_000}})
    assert "free some space" in told.value.hint
    assert not conn.in_transaction
    assert dump(conn) == before
    conn.close()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_told(tmp_path: Path) -> None:
    tmp_path.chmod(0o555)
    try:
        with pytest.raises(CannotRun, match="could not be opened"):
            open_index(tmp_path / "index.sqlite3")
    finally:
        tmp_path.chmod(0o755)


def test_an_index_held_by_another_writer_is_told(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite3"
    holder = open_index(path)
    conn = open_index(path)
    conn.execute("PRAGMA busy_timeout = 20")
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(CannotRun, match="in use by another process"):
        put_run(conn, RUN)
    holder.execute("ROLLBACK")
    put_run(conn, RUN)
    conn.close()
    holder.close()


def test_a_new_index_has_every_table_in_a_folder_made_for_it(tmp_path: Path) -> None:
    path = tmp_path / "git" / "assay" / "index.sqlite3"
    conn = open_index(path)
    assert conn.fresh
    assert conn.notice == ""
    assert dump(conn) == {table: [] for table in KEYS}
    assert conn.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    assert conn.execute("PRAGMA foreign_keys").fetchone()[0] == 1
    conn.close()
    conn = open_index(path)
    assert not conn.fresh
    conn.close()


def test_the_specifications_columns_are_there_in_their_order(tmp_path: Path) -> None:
    conn = open_index(tmp_path / "index.sqlite3")
    columns = {table: [row[1] for row in conn.execute(f"PRAGMA table_info({table})")] for table in KEYS}
    spent = ["budget_input_tokens_used", "budget_output_tokens_used", "budget_usd_used"]
    specified = ["run_id", "workspace", "triggered_by", "run_type", "status", "started_at", "ended_at"]
    specified += ["verifier_preset", "verdict", "reject_reason", "loop_count", *spent]
    assert columns["runs"][:14] == specified
    measured = ["run_id", "workspace", "metric", "run_at", "score", "status", "tokens_used", "usd_used", "details"]
    assert columns["eval_runs"] == [*measured, "aggregate_json", "config_json"]
    gold = ["id", "workspace", "query", "expected_topics", "expected_citations", "authored_at", "authored_by"]
    assert columns["eval_gold_queries"] == gold
    assert {"source_quote", "source_quote_hash", "source_quote_offset"} <= set(columns["wiki_claim_provenance"])
    indices = {row[0] for row in conn.execute("SELECT name FROM sqlite_master WHERE type = 'index'")}
    assert {"idx_runs_workspace_started", "idx_runs_status_started", "idx_eval_runs_workspace_metric"} <= indices
    conn.close()


def test_processes_that_open_a_damaged_index_at_once_move_it_aside_once(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite3"
    path.write_bytes(b"damaged" * 1000)
    code = (
        "import sys; from pathlib import Path; from gitops.index.database import open_index;"
        "from gitops.index.records import put_run; c = open_index(Path(sys.argv[1]));"
        "put_run(c, dict(run_id=sys.argv[2], workspace='w', triggered_by='cli:', run_type='lint',"
        "status='pending', started_at='2026-01-01')); c.close()"
    )
    started = [subprocess.Popen([sys.executable, "-c", code, str(path), f"r{n}"]) for n in range(4)]
    assert [process.wait(60) for process in started] == [0, 0, 0, 0]
    conn = open_index(path)
    assert sorted(run["run_id"] for run in runs(conn)) == ["r0", "r1", "r2", "r3"]
    conn.close()
    assert [p.name for p in tmp_path.glob("*.broken-*")] == ["index.sqlite3.broken-1"]
