"""`git assay retrieval score`: a kept run computed again, files of other systems, TREC files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from gitops.retrieval import metrics
from gitops.runs import names
from tests.retrieval.tide_wiki import FILES, GOLD

Command = Callable[..., Any]
QRELS = "t1 0 d1 1\nt1 0 d2 0\nt2 0 d3 2\nt3 0 d9 0\n"
RANKING = "t1 Q0 d2 1 2.0 mine\nt1 Q0 d1 9 1.5 mine\nt2 Q0 d3 1 0.5 mine\nt2 Q0 d3 2 0.4 mine\nt8 Q0 d3 1 0.5 mine\n"


@pytest.fixture
def tides(make_repository: Callable[..., Path]) -> Path:
    return make_repository(FILES)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder that is no repository."""
    folder = tmp_path / "nowhere"
    folder.mkdir()
    (folder / "qrels").write_text(QRELS)
    (folder / "ranking").write_text(RANKING)
    (folder / "golden.yaml").write_text("- {query_id: a, query: How?, expected_chunk_ids: [c1]}\n")
    (folder / "results.jsonl").write_text(
        '{"query_id": "a", "hits_top_k": [{"chunk_id": "c1"}]}\n{"query_id": "z", "hits_top_k": []}\n'
    )
    (folder / "new.jsonl").write_text('{"chunk_id": "new-1", "doc_id": "d"}\n')
    return folder


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "nothing to score: name a run, or a pair of files"),
        (("--qrels", "qrels"), "--qrels alone cannot be scored"),
        (("--qrels", "qrels", "--results", "results.jsonl"), "--qrels and --results alone cannot be scored"),
        (("--qrels", "qrels", "--ranking", "ranking", "--chunks", "x"), "alone cannot be scored"),
        (("--qrels", "qrels", "--ranking", "ranking", "--no-keep"), "--no-keep is for a run that was kept"),
        (("--qrels", "none", "--ranking", "ranking"), "none cannot be read"),
        (("--qrels", "ranking", "--ranking", "ranking"), "ranking:1: "),
        (("--qrels", "qrels", "--ranking", "qrels"), "qrels:1: "),
        (("--gold", "golden.yaml", "--results", "qrels"), "qrels:1: "),
        (("--gold", "golden.yaml", "--results", "results.jsonl", "--chunks", "none"), "none cannot be read"),
        (("--gold", "golden.yaml", "--results", "results.jsonl", "--chunks", "new.jsonl"), "golden.yaml:1: "),
        (("--qrels", "qrels", "--ranking", "ranking", "--other-chunker"), "--other-chunker is said of the chunk ids"),
    ],
)
def test_files_that_make_no_sense_are_refused(
    files: Path, assay: Command, refused: Command, words: tuple[str, ...], said: str
) -> None:
    refused(assay(files, "retrieval", "score", *words), 2, said)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("nothing",), 2, "'nothing' is no revision, no run, and no file"),
        (("HEAD",), 3, "was never measured"),
        (("HEAD", "--qrels", "x"), 2, "--qrels is not for a run that was kept"),
        (("HEAD", "--results", "x"), 2, "--results is not for a run"),
        (("HEAD", "--chunks", "x"), 2, "--chunks is where the chunks of --gold"),
    ],
)
def test_runs_that_are_none_are_refused(
    tides: Path, assay: Command, refused: Command, words: tuple[str, ...], code: int, said: str
) -> None:
    refused(assay(tides, "retrieval", "score", *words), code, said)


def test_trec_files_are_scored_without_a_repository(files: Path, assay: Command) -> None:
    done = assay(files, "retrieval", "score", "--qrels", "qrels", "--ranking", "ranking", "--json")
    assert (done.code, done.err) == (0, "")
    told = json.loads(done.out)
    assert told["schema"] == "assay/retrieval-score/1"
    assert told["aggregate"]["mrr"] == told["metrics"]["mrr"]["value"] == 0.5  # (1/2 + 1 + 0) / 3
    assert told["aggregate"]["hit_at_k"] == {"1": 0.3333, "3": 0.6667, "5": 0.6667, "10": 0.6667}
    assert told["aggregate"]["citation_coverage"] is None
    assert (told["aggregate"]["unknown_queries"], told["aggregate"]["missing_queries"]) == (1, 1)
    assert [(one["query_id"], one["hit_rank"]) for one in told["queries"]] == [("t1", 2), ("t2", 1), ("t3", None)]
    assert told["run_id"] is told["commit"] is None
    assert any("ranking:5" in remark for remark in told["remarks"])
    assert list(told["metrics"]) == sorted(metrics.NAMES)


def test_golden_queries_and_results_are_scored_without_a_repository(files: Path, assay: Command) -> None:
    done = assay(files, "retrieval", "score", "--gold", "golden.yaml", "--results", "results.jsonl")
    assert (done.code, done.err) == (0, "")
    assert "results.jsonl · gold golden.yaml" in done.out
    assert "1 of 1 query found what" in done.out
    assert "results.jsonl:2: results of queries that are not golden" in done.out


def test_ids_of_another_chunker_are_taken_as_they_are(files: Path, assay: Command) -> None:
    words = ("--gold", "golden.yaml", "--results", "results.jsonl", "--chunks", "new.jsonl", "--other-chunker")
    assert json.loads(assay(files, "retrieval", "score", *words, "--json").out)["aggregate"]["mrr"] == 1.0


def test_what_is_printed_is_what_the_schema_says(files: Path, tides: Path, assay: Command) -> None:
    assay(tides, "retrieval", "run")
    printed = {
        "retrieval-score": assay(files, "retrieval", "score", "--qrels", "qrels", "--ranking", "ranking", "--json"),
        "retrieval-list": assay(tides, "retrieval", "list", "--json"),
    }
    for name, done in printed.items():
        described, value = json.loads(assay(tides, "schema", name).out), json.loads(done.out)
        jsonschema.Draft202012Validator.check_schema(described)
        jsonschema.validate(value, described)
        assert described["$id"] == value["schema"]


def test_a_kept_run_is_found_by_its_id_its_commit_or_its_file(tides: Path, assay: Command, tmp_path: Path) -> None:
    printed = json.loads(assay(tides, "retrieval", "run", "--json").out)
    (tmp_path / "run.json").write_text(json.dumps(printed))
    for word in (printed["run_id"], printed["run_id"][:-3], "HEAD", str(tmp_path / "run.json")):
        told = json.loads(assay(tides, "retrieval", "score", word, "--json").out)
        assert (told["run_id"], told["commit"]) == (printed["run_id"], printed["commit"])
        assert told["aggregate"] == printed["details"]["aggregate"]
        assert told["versions"]["chunker_version"] == printed["subject"]["chunker_version"]


def test_a_run_that_comes_out_the_same_is_not_recorded_again(tides: Path, assay: Command, git: Command) -> None:
    run = json.loads(assay(tides, "retrieval", "run", "--json").out)["run_id"]
    before = git(tides, "rev-parse", names.EVALS)
    assert f"run {run} comes out as it was recorded" in assay(tides, "retrieval", "score", run).out
    assert git(tides, "rev-parse", names.EVALS) == before


def test_by_mended_golden_queries_it_is_recorded_again_unless_that_is_not_wanted(
    tides: Path, assay: Command, git: Command
) -> None:
    run = json.loads(assay(tides, "retrieval", "run", "--json").out)["run_id"]
    (tides / "mended.yaml").write_text(GOLD.replace("[wiki/moon.md]", "[wiki/index.md]"))
    before = git(tides, "rev-parse", names.EVALS)
    words = ("retrieval", "score", run, "--gold", "mended.yaml")
    assert f"run {run} comes out otherwise than it was recorded: not recorded" in assay(tides, *words, "--no-keep").out
    assert git(tides, "rev-parse", names.EVALS) == before
    assert "recorded anew in the notes" in assay(tides, *words).out
    assert git(tides, "rev-parse", names.EVALS) != before
    [listed] = json.loads(assay(tides, "retrieval", "list", "--json").out)["runs"]
    assert (listed["run_id"], listed["gold"]) == (run, "mended.yaml")
    assert f"run {run} comes out as it was recorded" in assay(tides, "retrieval", "score", run).out
