from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gitops.errors import CannotRun
from gitops.index.database import Index, open_index, transaction
from gitops.index.records import (
    dump,
    put,
    put_eval_run,
    put_eviction_feedback,
    put_provenance,
    put_run,
    put_verdict,
    put_workspace,
    replace_gold_queries,
    rows,
    runs,
    verdicts,
)
from gitops.index.replacing import Block, LeftOut, replace_all


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    conn = open_index(tmp_path / "index.sqlite3")
    yield conn
    conn.close()


def run(number: int, **more: Any) -> dict[str, Any]:
    row = {
        "run_id": f"run-{number:05}",
        "workspace": "main",
        "triggered_by": "cli:run start",
        "run_type": "ingest",
        "status": "committed",
        "started_at": f"2026-01-01T00:{number // 60 % 60:02}:{number % 60:02}Z",
        "verdict": "commit",
        "sources": ["raw/a.md"],
        "plan": {"operations": [{"op": "write", "path": f"wiki/{number}.md"}]},
    }
    return {**row, **more}


def verdict(number: int, **more: Any) -> dict[str, Any]:
    row = {
        "id": f"v{number:05}",
        "run_id": f"run-{number:05}",
        "workspace": "main",
        "candidate": f"{number:040x}",
        "verdict": "commit",
        "created_at": f"2026-01-02T00:00:{number % 60:02}Z",
    }
    return {**row, **more}


def pointer(number: int, **more: Any) -> dict[str, Any]:
    row = {
        "workspace": "main",
        "page_path": f"wiki/{number}.md",
        "claim": "Solvent use fell.",
        "claim_hash": "ab" * 32,
        "label": "3",
        "source_path": "raw/a.md",
        "source_quote": "fell",
        "source_quote_hash": "cd" * 32,
        "source_quote_offset": 10,
        "result": "verified",
        "candidate": "c1",
        "recorded_at": "2026-01-02",
    }
    return {**row, **more}


def test_an_unknown_column_is_named(index: Index) -> None:
    with pytest.raises(ValueError, match="runs has no column colour"):
        put_run(index, run(1, colour="red"))
    assert runs(index) == []


def test_an_unknown_table_is_named(index: Index) -> None:
    with pytest.raises(ValueError, match="unknown table walks"):
        replace_all(index, {"walks": []})


def test_a_row_without_its_key_is_refused(index: Index) -> None:
    keyless = run(1)
    del keyless["run_id"]
    with pytest.raises(ValueError, match="lacks its run_id"):
        put_run(index, keyless)
    with pytest.raises(ValueError, match="lacks its run_id"):
        put_run(index, run(1, run_id=None))


def test_a_status_that_the_specification_does_not_have_is_refused(index: Index) -> None:
    with pytest.raises(CannotRun, match="CHECK constraint failed"):
        put_run(index, run(1, status="merged"))
    assert not index.in_transaction


def test_a_number_too_large_for_the_file_is_refused(index: Index) -> None:
    with pytest.raises(CannotRun, match="too large"):
        put_run(index, run(1, loop_count=2**70))


def test_an_evaluation_without_its_run_is_refused_whole(index: Index) -> None:
    row = {"run_id": "run-00001", "workspace": "main", "metric": "M1", "run_at": "2026", "status": "healthy"}
    with pytest.raises(CannotRun, match="FOREIGN KEY"):
        put_eval_run(index, row, [{"query_id": "q1"}])
    assert rows(index, "eval_runs") == []


def test_a_transaction_that_fails_leaves_nothing(index: Index) -> None:
    def interrupted() -> None:
        with transaction(index):
            put_run(index, run(1))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert runs(index) == []
    assert not index.in_transaction


def test_a_replacement_leaves_out_what_cannot_stand_and_names_it(index: Index) -> None:
    left_out = replace_all(
        index,
        {
            "runs": [
                run(1),
                run(2, status="merged"),
                run(3),
                run(4, loop_count=2**70),
                run(5, plan={"x": float("nan")}),
            ],
            "eval_runs": [
                {"run_id": "run-00009", "workspace": "main", "metric": "M1", "run_at": "2026", "status": "healthy"}
            ],
        },
    )
    assert [(row.table, row.key) for row in left_out] == [
        ("runs", "run-00002"),
        ("runs", "run-00004"),
        ("runs", "run-00005"),
        ("eval_runs", "run-00009"),
    ]
    assert isinstance(left_out[0], LeftOut)
    assert "FOREIGN KEY" in left_out[3].why
    assert [row["run_id"] for row in runs(index)] == ["run-00003", "run-00001"]


INDICES = "SELECT name, sql FROM sqlite_master WHERE type = 'index' ORDER BY name"


def block(*rows: dict[str, Any]) -> Block:
    return Block(tuple(rows[0]), [tuple(row.values()) for row in rows])


def plain_run(number: int, **more: Any) -> dict[str, Any]:
    other = {"sources": "[]", "plan": None, "target": None, "loop_count": 1, "reject_reason": None, "unverified": 0}
    return run(number, **{**other, **more})


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ({"status": "merged"}, "CHECK constraint failed"),
        ({"run_id": None}, "lacks its run_id"),
        ({"loop_count": 2**70}, "too large"),
        ({"target": {1}}, "not JSON serializable"),
    ],
)
def test_a_block_leaves_out_what_cannot_stand_and_keeps_the_indices(
    index: Index, bad: dict[str, Any], why: str
) -> None:
    indices = index.execute(INDICES).fetchall()
    (left_out,) = replace_all(index, {"runs": block(plain_run(1), plain_run(2, **bad), plain_run(3))})
    assert why in left_out.why
    assert [row["run_id"] for row in runs(index)] == ["run-00003", "run-00001"]
    assert index.execute(INDICES).fetchall() == indices


def test_a_block_says_the_same_as_its_rows_one_by_one(index: Index, tmp_path: Path) -> None:
    claims = [pointer(n % 3, run_id="r", result=f"{n}", source_page=n % 2 or None) for n in range(12)]
    odd = plain_run(1, sources=["raw/caf\udce9.md"], reject_reason="caf\udce9", unverified=True)
    given = {"runs": [plain_run(1), plain_run(2), odd], "wiki_claim_provenance": claims}
    assert replace_all(index, {table: block(*rows) for table, rows in given.items()}) == []
    other = open_index(tmp_path / "other.sqlite3")
    put_run(other, plain_run(9))
    put(other, "runs", given["runs"])
    put(other, "wiki_claim_provenance", claims)
    other.execute("DELETE FROM runs WHERE run_id = 'run-00009'")
    assert dump(index) == dump(other)
    assert index.execute(INDICES).fetchall() == other.execute(INDICES).fetchall()
    assert len(rows(index, "wiki_claim_provenance")) == 6
    other.close()


def test_a_replacement_that_is_interrupted_leaves_the_old_index_and_its_indices(index: Index) -> None:
    replace_all(index, {"runs": block(plain_run(1))})
    indices, before = index.execute(INDICES).fetchall(), dump(index)
    index.set_progress_handler(lambda: 1, 2000)
    with pytest.raises(CannotRun, match="interrupted"):
        replace_all(index, {"runs": block(*map(plain_run, range(5000)))})
    index.set_progress_handler(None, 0)
    assert index.execute(INDICES).fetchall() == indices
    assert dump(index) == before


def test_rows_written_twice_are_the_same_rows(index: Index) -> None:
    for _ in range(2):
        put_workspace(index, {"slug": "main", "root": "kb"})
        put_run(index, run(1))
        put_eval_run(
            index,
            {"run_id": "run-00001", "workspace": "main", "metric": "M3", "run_at": "2026", "status": "not_measured"},
            [{"query_id": "q1", "hits_top_k": ["a", "b"], "latency_ms": 1.5}],
        )
        put_verdict(index, verdict(1))
        put_provenance(index, "run-00001", [pointer(1), pointer(2, source_page=None, source_quote_hash=None)])
        gold = {"id": "q1", "workspace": "main", "query": "why?", "expected_topics": ["a"], "expected_citations": []}
        replace_gold_queries(index, [{**gold, "authored_at": "2026", "authored_by": "user"}])
        put_eviction_feedback(
            index,
            [
                {
                    "proposal_id": "p1",
                    "scope_id": "s",
                    "resolved_at": "2026",
                    "resolved_by": "llm",
                    "evicted": ["c1"],
                    "excluded": [{"ctx_id": "c2", "relevance_score": 0.1, "exclude_reason": None}],
                }
            ],
        )
    content = dump(index)
    assert {table: len(content[table]) for table in content} == {
        "workspaces": 1,
        "runs": 1,
        "eval_runs": 1,
        "eval_gold_queries": 1,
        "eval_query_results": 1,
        "wiki_claim_provenance": 2,
        "eviction_feedback": 1,
        "verdicts": 1,
    }
    assert rows(index, "eviction_feedback")[0]["excluded"][0]["ctx_id"] == "c2"


def test_a_later_row_replaces_an_earlier_one_whole(index: Index) -> None:
    put_run(index, run(1, reject_reason="orphan", loop_count=3))
    put_run(index, run(1, status="committed", verdict="commit_override"))
    assert len(runs(index)) == 1
    row = runs(index)[0]
    assert (row["verdict"], row["reject_reason"], row["loop_count"]) == ("commit_override", None, 1)


def test_replacing_a_run_keeps_its_evaluation(index: Index) -> None:
    put_run(index, run(1))
    put_eval_run(
        index, {"run_id": "run-00001", "workspace": "main", "metric": "M1", "run_at": "2026", "status": "broken"}
    )
    put_run(index, run(1, status="rejected"))
    assert [row["status"] for row in rows(index, "eval_runs")] == ["broken"]


def test_a_rerun_check_replaces_the_result_of_the_same_pointer(index: Index) -> None:
    put_provenance(index, "r", [pointer(1), pointer(1, source_quote_offset=99)])
    put_provenance(index, "r", [pointer(1, result="drifted")])
    put_provenance(index, "r", [pointer(1, candidate="c2", result="altered")])
    found = [
        (row["candidate"], row["source_quote_offset"], row["result"]) for row in rows(index, "wiki_claim_provenance")
    ]
    assert sorted(found) == [("c1", 10, "drifted"), ("c1", 99, "verified"), ("c2", 10, "altered")]


def test_runs_are_listed_newest_first_with_their_json_read(index: Index) -> None:
    put(index, "runs", [run(1), run(3, status="pending"), run(2, workspace="other")])
    assert [row["run_id"] for row in runs(index)] == ["run-00003", "run-00002", "run-00001"]
    assert [row["run_id"] for row in runs(index, limit=1)] == ["run-00003"]
    assert [row["run_id"] for row in runs(index, workspace="main")] == ["run-00003", "run-00001"]
    assert [row["run_id"] for row in runs(index, status="committed")] == ["run-00002", "run-00001"]
    assert runs(index)[0]["sources"] == ["raw/a.md"]
    assert runs(index)[0]["plan"]["operations"][0]["path"] == "wiki/3.md"


def test_verdicts_are_found_by_run_and_by_candidate(index: Index) -> None:
    put(index, "verdicts", [verdict(1), verdict(2, run_id="run-00001", candidate="c"), verdict(3, run_id=None)])
    assert [row["id"] for row in verdicts(index, run_id="run-00001")] == ["v00002", "v00001"]
    assert [row["id"] for row in verdicts(index, candidate="c")] == ["v00002"]
    assert len(verdicts(index)) == 3


def test_text_that_is_not_utf8_is_spelt_out(index: Index) -> None:
    put_run(index, run(1, reject_reason="wiki/caf\udce9.md is no name", sources=["raw/caf\udce9.md"], target="é中"))
    row = runs(index)[0]
    assert row["reject_reason"] == "wiki/caf\\udce9.md is no name"
    assert row["sources"] == ["raw/caf\udce9.md"]
    assert row["target"] == "é中"


def test_a_rebuilt_index_equals_the_live_one_in_any_order(tmp_path: Path) -> None:
    some = random.Random(7)
    all_runs = [run(n, status=some.choice(["pending", "committed", "rejected"])) for n in range(200)]
    live = open_index(tmp_path / "live.sqlite3")
    put_workspace(live, {"slug": "main", "root": "kb"})
    for row in all_runs:
        put_run(live, {**row, "status": "pending", "verdict": None})
        put_provenance(live, row["run_id"], [pointer(1), pointer(2)])
        put_verdict(live, verdict(int(row["run_id"][4:])))
        put_run(live, row)
    rebuilt = open_index(tmp_path / "rebuilt.sqlite3")
    replace_all(rebuilt, {"runs": [run(9999)]})
    shuffled = some.sample(all_runs, len(all_runs))
    left_out = replace_all(
        rebuilt,
        {
            "verdicts": [verdict(int(row["run_id"][4:])) for row in shuffled],
            "wiki_claim_provenance": [pointer(n, run_id=row["run_id"]) for n in (2, 1) for row in shuffled],
            "runs": shuffled,
            "workspaces": [{"slug": "main", "root": "kb"}],
        },
    )
    assert left_out == []
    assert dump(rebuilt) == dump(live)
    live.close()
    rebuilt.close()


def test_readers_see_the_old_index_until_the_new_one_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite3"
    writer, reader = open_index(path), open_index(path)
    replace_all(writer, {"runs": [run(n) for n in range(50)]})
    with transaction(writer):
        replace_all(writer, {"runs": [run(n) for n in range(70)]})
        assert len(runs(reader)) == 50
    assert len(runs(reader)) == 70
    writer.close()
    reader.close()


def test_a_writer_killed_in_the_middle_leaves_the_old_index(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite3"
    conn = open_index(path)
    replace_all(conn, {"runs": [run(n) for n in range(50)]})
    before = dump(conn)
    conn.close()
    code = """
import sys, time
from pathlib import Path
from gitops.index.database import open_index, transaction
conn = open_index(Path(sys.argv[1]))
conn.execute("PRAGMA cache_size = 5")  # so that what is not committed is in the log on disk
with transaction(conn):
    conn.execute("DELETE FROM runs")
    conn.execute("INSERT INTO workspaces (slug, root) VALUES ('x', hex(zeroblob(500000)))")
    print("ready", flush=True)
    time.sleep(60)
"""
    process = subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    conn = open_index(path)
    assert conn.notice == ""
    assert dump(conn) == before
    conn.close()


@pytest.mark.slow
def test_ten_thousand_runs_are_rebuilt_in_the_time_of_a_few_bare_inserts(tmp_path: Path) -> None:
    content = [run(n) for n in range(10_000)]
    conn = open_index(tmp_path / "index.sqlite3")
    bare = open_index(tmp_path / "bare.sqlite3")
    ratios = []
    for _ in range(3):
        started = time.perf_counter()
        replace_all(conn, {"runs": content})
        ours = time.perf_counter() - started
        columns = ", ".join(content[0])
        texts = [tuple(map(str, row.values())) for row in content]
        started = time.perf_counter()
        with transaction(bare):
            bare.execute("INSERT OR IGNORE INTO workspaces (slug) VALUES ('main')")
            bare.execute("DELETE FROM runs")
            bare.executemany(f"INSERT INTO runs ({columns}) VALUES ({', '.join('?' * len(content[0]))})", texts)
        ratios.append(ours / (time.perf_counter() - started))
    conn.close()
    bare.close()
    assert min(ratios) < 4
