"""A retriever made worse on purpose shows as what it is; one that was only relabelled shows as no change at all."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from gitops.cli import main

pytestmark = pytest.mark.slow  # the workflow runs once for them all, in a process of its own
GOLD = Path(__file__).parents[2] / "gold"
Line = dict[str, Any]


@dataclass(frozen=True)
class Ran:
    """What this project's own workflow gave for the golden queries of the project's own wiki.

    `golden` are these queries with their quotations looked up, as the run's record has them.
    """

    header: Line
    results: list[Line]
    golden: list[Line]


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    folder = tmp_path_factory.mktemp("ran")
    wiki, out = _committed(folder / "wiki"), folder / "results.jsonl"
    words = ["-C", os.fspath(wiki), "retrieval", "run", "--no-keep", "--json", "--out", os.fspath(out)]
    run = [sys.executable, "-m", "gitops", *words]
    done = subprocess.run(run, cwd=GOLD.parent, env={**os.environ, "ASSAY_LLM": "off"}, capture_output=True, check=True)
    header, *results = map(json.loads, out.read_text().splitlines())
    return Ran(header, results, [_golden(sample) for sample in json.loads(done.stdout)["samples"]])


def _committed(wiki: Path) -> Path:
    shutil.copytree(GOLD, wiki)
    who = ("-c", "user.name=gold", "-c", "user.email=gold@localhost")
    for words in (("init", "-q", "-b", "main"), ("add", "-A"), (*who, "commit", "-q", "-m", "The gold wiki")):
        subprocess.run(["git", "-C", wiki, *words], check=True)
    return wiki


def _golden(sample: Line) -> Line:
    names = ("query", "expected_doc_ids", "must_contain", "forbidden")
    told = {name: sample["details"][name] for name in names if name in sample["details"]}
    chunks = [
        {name: chunk[name] for name in ("chunk_id", "doc_id", "spans")}
        for chunk in sample["details"].get("expected_chunk_ids", ())
    ]
    expected = {"expected_chunk_ids": chunks} if chunks else {"expected_doc_ids": []}
    return {"query_id": sample["id"], **told, **expected}


@pytest.fixture
def compared(tmp_path: Path, ran: Ran, capfd: pytest.CaptureFixture[str]) -> Callable[..., Line]:
    """Compares the run with one of other results."""

    def compare(results: list[Line], **versions: str) -> Line:
        for name, lines in (("a", [ran.header, *ran.results]), ("b", [ran.header | versions, *results])):
            (tmp_path / f"{name}.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
        (tmp_path / "golden.json").write_text(json.dumps(ran.golden))
        capfd.readouterr()
        words = ["retrieval", "compare", "a.jsonl", "b.jsonl", "--gold", "golden.json", "--json"]
        assert main(["-C", os.fspath(tmp_path), *words]) == 0
        told: Line = json.loads(capfd.readouterr().out)
        return told

    return compare


def test_the_golden_queries_are_found(ran: Ran) -> None:
    assert len(ran.results) == len(ran.golden) == 36
    assert sum(one["expected_doc_ids"] == [] for one in ran.golden) == 3
    assert sum(len(one["expected_doc_ids"]) == 2 for one in ran.golden) == 3


def test_a_third_of_the_queries_without_their_best_hit_are_losses_beyond_chance(
    ran: Ran, compared: Callable[..., Line]
) -> None:
    worse = [
        one | {"hits_top_k": one["hits_top_k"][1:]} if number % 3 == 0 else one
        for number, one in enumerate(ran.results)
    ]
    told = compared(worse)
    moved = {each["query_id"]: each["kind"] for each in told["per_query"] if each["kind"] != "Draw"}
    assert set(moved.values()) <= {"Loss", "Regression"}
    assert len(moved) >= 10
    assert moved.keys() <= {one["query_id"] for one in ran.results[::3]}
    tests = {one["metric"]: one for one in told["compared"]}
    for metric in ("hit@1", "mrr", "ndcg@10", "map"):
        assert tests[metric]["reading"] == "worse"
        assert tests[metric]["adjusted_p"] < 0.05


def test_a_run_that_was_only_relabelled_is_all_draws(ran: Ran, compared: Callable[..., Line]) -> None:
    """Another chunker's name, and other ids for the same chunks: found again by document and span."""
    renamed = [
        one | {"hits_top_k": [hit | {"chunk_id": f"other-{hit['chunk_id']}"} for hit in one["hits_top_k"]]}
        for one in ran.results
    ]
    told = compared(renamed, chunker_version="another")
    assert told["deltas"]["chunker_version_match"] == "fallback_doc_span"
    assert {each["kind"] for each in told["per_query"]} == {"Draw"}
    assert {one["reading"] for one in told["compared"] if one["p"] is not None} == {"no_difference_shown"}
    assert told["deltas"]["mrr"] == told["deltas"]["map"] == 0.0


def test_the_half_of_a_chunk_is_still_it_and_a_third_is_not(ran: Ran, compared: Callable[..., Line]) -> None:
    halves = compared([_cut(one, 2) for one in ran.results], chunker_version="halves")
    assert {each["kind"] for each in halves["per_query"]} == {"Draw"}
    thirds = compared([_cut(one, 3) for one in ran.results], chunker_version="thirds")
    kinds = [each["kind"] for each in thirds["per_query"]]
    assert {"Draw": kinds.count("Draw"), "Loss": kinds.count("Loss")} == {"Draw": 3, "Loss": 33}


def _cut(one: Line, parts: int) -> Line:
    """The result with the first of so many parts of each chunk, rounded up."""
    hits = []
    for hit in one["hits_top_k"]:
        [[start, end]] = hit["source_spans"]
        stop = start + -(-(end - start) // parts)
        hits.append(hit | {"chunk_id": f"{hit['chunk_id']}/{parts}", "source_spans": [[start, stop]]})
    return one | {"hits_top_k": hits}
