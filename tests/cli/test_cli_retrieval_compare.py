"""`git assay retrieval compare`: files anywhere, runs and revisions in a repository, what it writes and exits with."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gitops.retrieval import golden as gold
from gitops.retrieval.model import Answer, Cited, Results
from gitops.retrieval.results import lines
from tests.retrieval.comparable import golden, relabelled, results

Command = Callable[..., Any]
PAGES = {
    "wiki/harbours.md": "# Harbours\n\nThe harbour of Lindau was dredged in 1981.\n",
    "wiki/lights.md": "# Lights\n\nThe lighthouse of Genoa is older than its harbour wall.\n",
}
GOLD = """\
- query_id: dredged
  query: When was the harbour of Lindau dredged?
  expected_doc_ids: [wiki/harbours.md]
  expected_chunk_ids:
    - {doc_id: wiki/harbours.md, quote: dredged in 1981}
- query_id: older
  query: What is the lighthouse of Genoa older than?
  expected_doc_ids: [wiki/lights.md]
  expected_chunk_ids:
    - {doc_id: wiki/lights.md, quote: older than its harbour wall}
- query_id: lucene
  query: In which year was Apache Lucene first released?
  expected_doc_ids: []
"""
DOCUMENTS = GOLD.replace("  expected_chunk_ids:\n", "").replace("    - {doc_id", "# - {doc_id")


def write_gold(folder: Path, name: str = "gold.json", count: int = 12, **changed: Any) -> None:
    entries = [gold.record(query) for query in golden(count, **changed)]
    (folder / name).write_text(json.dumps(entries))


def write_results(folder: Path, name: str, found: Any) -> None:
    (folder / name).write_text("".join(lines(found)))


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder in no repository: golden queries, two runs of one chunker and one of another."""
    write_gold(tmp_path)
    write_results(tmp_path, "a.jsonl", results([at % 4 + 1 for at in range(12)]))
    write_results(tmp_path, "b.jsonl", results([None] * 10 + [1, 4]))
    write_results(tmp_path, "c.jsonl", relabelled(results([at % 4 + 1 for at in range(12)])))
    return tmp_path


@pytest.fixture
def measured(make_wiki: Callable[..., Path], commit_files: Command, assay: Command) -> Path:
    """A wiki that was asked its golden queries twice: as it was, and with a page emptied."""
    wiki = make_wiki({**PAGES, "gold/retrieval.yaml": GOLD})
    assert assay(wiki, "retrieval", "run").code == 0
    commit_files(wiki, {"wiki/lights.md": "# Lights\n\nIt is older than its harbour wall.\n"})
    assert assay(wiki, "retrieval", "run").code == 0
    return wiki


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("a.jsonl", "b.jsonl"), 2, "a.jsonl holds no measurement, and results alone cannot be scored"),
        (("a.jsonl", "none.jsonl", "--gold", "gold.json"), 2, "'none.jsonl' is no file, and "),
        (("a.jsonl", "b.jsonl", "--gold", "none.yaml"), 2, "none.yaml cannot be read"),
        (("a.jsonl", "b.jsonl", "--chunks", "a.jsonl"), 2, "--chunks is where the chunks of --gold are looked up"),
        (("a.jsonl", "b.jsonl", "--gold", "gold.json", "--metric", "hit@2"), 2, "has a metric 'hit@2'"),
        (("a.jsonl", "cut.jsonl", "--gold", "gold.json"), 2, "cut.jsonl:13: "),
        (("a.jsonl", "b.jsonl", "--gold", "gold.json", "--report", "no/where.md"), 3, "cannot write no/where.md"),
        (("a.jsonl", "c.jsonl", "--gold", "gold.json", "--strict-chunker-version"), 2, "1 in a.jsonl, 2 in c.jsonl"),
        (("a.jsonl", "b.jsonl", "--qrels", "a.jsonl"), 2, "a.jsonl:1: "),
        (("a.jsonl", "b.jsonl", "--gold", "gold.json", "--report", "./b.jsonl"), 2, "./b.jsonl is named twice"),
        (("a.jsonl", "b.jsonl", "--gold", "gold.json", "--report", "r", "--html", "r"), 2, "r is named twice"),
    ],
)
def test_what_cannot_be_compared_is_refused_in_one_line(
    files: Path, assay: Command, refused: Command, words: tuple[str, ...], code: int, said: str
) -> None:
    (files / "cut.jsonl").write_text((files / "b.jsonl").read_text()[:-20])
    refused(assay(files, "retrieval", "compare", *words), code, said)


@pytest.mark.parametrize("alpha", ["0", "1", "-0.1", "nan", "often"])
def test_an_alpha_is_a_chance(files: Path, assay: Command, refused: Command, alpha: str) -> None:
    done = assay(files, "retrieval", "compare", "a.jsonl", "b.jsonl", f"--alpha={alpha}")
    refused(done, 2, "--alpha", "between 0 and 1")


def test_a_refusal_writes_nothing(files: Path, assay: Command) -> None:
    words = (
        "a.jsonl",
        "c.jsonl",
        "--gold",
        "gold.json",
        "--strict-chunker-version",
        "--report",
        "r.md",
        "--html",
        "r.html",
    )
    assert assay(files, "retrieval", "compare", *words).code == 2
    assert not (files / "r.md").exists()
    assert not (files / "r.html").exists()


def test_golden_queries_and_trec_judgements_exclude_each_other(files: Path, assay: Command, refused: Command) -> None:
    done = assay(files, "retrieval", "compare", "a.jsonl", "b.jsonl", "--gold", "gold.json", "--qrels", "q")
    refused(done, 2, "--qrels")


@pytest.mark.slow
def test_runs_by_other_golden_queries_are_shown_and_exit_with_3(
    measured: Path, assay: Command, refused: Command, commit_files: Command
) -> None:
    commit_files(measured, {"gold/retrieval.yaml": GOLD.replace("In which year", "When")})
    assert assay(measured, "retrieval", "run").code == 0
    done = assay(measured, "retrieval", "compare", "HEAD~1", "HEAD")
    refused(done, 3, "nothing could be compared", "--gold FILE")
    assert "another instrument: gold " in done.out
    same = assay(measured, "retrieval", "compare", "HEAD~1", "HEAD", "--gold", "gold/retrieval.yaml")
    assert same.code == 0, same.err
    assert "3 queries" in same.out


def test_scores_cannot_be_tested_without_scipy(
    files: Path, assay: Command, refused: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    done = assay(files, "retrieval", "compare", "a.jsonl", "b.jsonl", "--gold", "gold.json")
    refused(done, 3, "SciPy", "pip install 'git-assay[stats]'")


@pytest.mark.slow
def test_files_are_compared_outside_of_any_repository(files: Path, process: Command) -> None:
    done = process(files, "retrieval", "compare", "a.jsonl", "b.jsonl", "--gold", "gold.json")
    assert (done.code, done.err) == (0, "")
    assert "1 win · 0 losses · 10 regressions · 1 draw of 12 queries" in done.out
    assert "worse by more than chance: " in done.out


def test_the_other_way_round_it_is_the_other_way_round(files: Path, assay: Command) -> None:
    words = ("--gold", "gold.json", "--json")
    one, other = (
        json.loads(assay(files, "retrieval", "compare", *pair, *words).out)
        for pair in (("a.jsonl", "b.jsonl"), ("b.jsonl", "a.jsonl"))
    )
    assert one["counts"] == {"Win": 1, "Loss": 0, "Regression": 10, "Draw": 1}
    assert other["counts"] == {"Win": 10, "Loss": 1, "Regression": 0, "Draw": 1}
    assert one["deltas"]["mrr"] == -other["deltas"]["mrr"] != 0


def test_runs_of_other_chunkers_are_matched_by_document_and_span(files: Path, assay: Command) -> None:
    done = assay(files, "retrieval", "compare", "a.jsonl", "c.jsonl", "--gold", "gold.json", "--json")
    assert (done.code, done.err) == (0, "")
    told = json.loads(done.out)
    assert told["deltas"]["chunker_version_match"] == "fallback_doc_span"
    assert told["counts"] == {"Win": 0, "Loss": 0, "Regression": 0, "Draw": 12}


def test_a_store_tells_the_spans_that_nothing_else_tells(files: Path, assay: Command, refused: Command) -> None:
    write_gold(files, "ids.json", spans=False)
    bare = results([1] * 12, spans=False)
    write_results(files, "bare.jsonl", bare)
    words = ("bare.jsonl", "c.jsonl", "--gold", "ids.json")
    assert "12 expected chunks have no spans" in assay(files, "retrieval", "compare", *words).out
    chunks = [{"chunk_id": f"x{at}", "doc_id": f"d{at}.md", "source_spans": [[100, 200]]} for at in range(12)]
    (files / "chunks.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in chunks))
    told = json.loads(assay(files, "retrieval", "compare", *words, "--chunks", "chunks.jsonl", "--json").out)
    assert [one["b_hit_rank"] for one in told["per_query"]] == [at % 4 + 1 for at in range(12)]
    assert [one["a_hit_rank"] for one in told["per_query"]] == [1] * 12, "its hits lie where the store says"
    assert any("hits of which the chunks tell" in one for one in told["remarks"])


def test_hits_that_nobody_can_place_lose_nothing_to_another_chunkers(
    files: Path, assay: Command, refused: Command
) -> None:
    write_results(files, "bare.jsonl", results([1] * 12, spans=False))
    words = ("retrieval", "compare", "bare.jsonl", "c.jsonl", "--gold", "gold.json", "--report", "report.md")
    refused(assay(files, *words), 3, "no hit of bare.jsonl tells both its document and its spans", "--chunks FILE")
    assert not (files / "report.md").exists()


def test_citations_are_not_looked_up_among_another_chunkers_chunks(files: Path, assay: Command) -> None:
    def cites(found: Results) -> Results:
        told = {
            name: replace(one, answer=Answer("so", (Cited(one.hits[0].chunk_id),), grounded=True))
            for name, one in found.by_query.items()
        }
        return replace(found, by_query=told)

    a = cites(results([1] * 12))
    write_results(files, "a.jsonl", a)
    write_results(files, "c.jsonl", cites(relabelled(a)))
    chunks = ({"chunk_id": f"x{at}", "doc_id": f"d{at}.md", "source_spans": [[100, 200]]} for at in range(12))
    (files / "chunks.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in chunks))
    words = ("a.jsonl", "c.jsonl", "--gold", "gold.json", "--chunks", "chunks.jsonl", "--json")
    told = json.loads(assay(files, "retrieval", "compare", *words).out)
    assert (told["aggregate_a"]["citation_coverage"], told["aggregate_b"]["citation_coverage"]) == (1.0, None)
    assert next(one for one in told["remarks"] if "no citation was looked up" in one).startswith("B: ")


def test_the_files_that_are_asked_for_are_written(files: Path, assay: Command) -> None:
    words = ("a.jsonl", "b.jsonl", "--gold", "gold.json", "--report", "r.md", "--html", "r.html")
    done = assay(files, "retrieval", "compare", *words)
    assert (done.code, done.err) == (0, "wrote r.md\nwrote r.html\n")
    assert (files / "r.md").read_text().startswith("# Retrieval: a.jsonl → b.jsonl\n")
    assert (files / "r.html").read_text().startswith("<!doctype html>")
    assert assay(files, "--quiet", "retrieval", "compare", *words).err == ""


def test_chosen_metrics_alone_are_compared(files: Path, assay: Command) -> None:
    words = ("a.jsonl", "b.jsonl", "--gold", "gold.json", "--metric", "hit@10,mrr", "--json")
    told = json.loads(assay(files, "retrieval", "compare", *words).out)
    assert [one["metric"] for one in told["compared"]] == ["hit@10", "mrr"]


def test_where_no_run_has_the_metric_the_golden_queries_are_not_blamed(
    files: Path, assay: Command, refused: Command
) -> None:
    done = assay(files, "retrieval", "compare", "a.jsonl", "b.jsonl", "--gold", "gold.json", "--metric", "tokens")
    refused(done, 3, "nothing could be compared", "leave --metric out")
    assert "not compared: tokens: has no score at a.jsonl" in done.out


def test_trec_rankings_are_compared_by_their_judgements(files: Path, assay: Command) -> None:
    (files / "qrels").write_text("1 0 d1 1\n1 0 d2 0\n2 0 d3 2\n")
    (files / "one").write_text("1 Q0 d1 1 9.0 x\n1 Q0 d2 2 8.0 x\n2 Q0 d4 1 1.0 x\n")
    (files / "two").write_text("1 Q0 d1 1 7.0 x\n1 Q0 d2 2 8.0 x\n2 Q0 d3 1 1.0 x\n")
    done = assay(files, "retrieval", "compare", "one", "two", "--qrels", "qrels", "--json")
    assert (done.code, done.err) == (0, "")
    told = json.loads(done.out)
    assert [(one["kind"], one["a_hit_rank"], one["b_hit_rank"]) for one in told["per_query"]] == [
        ("Loss", 1, 2),
        ("Win", None, 1),
    ]
    assert told["deltas"]["chunker_version_match"] == "exact"


def test_revisions_are_compared_each_by_its_own_chunks(measured: Path, assay: Command) -> None:
    done = assay(measured, "retrieval", "compare", "HEAD~1", "HEAD", "--json")
    assert (done.code, done.err) == (0, "")
    told = json.loads(done.out)
    assert (told["aggregate_a"]["mrr"], told["gold_a"]) == (1.0, told["gold_b"])
    assert [len(told[name]) for name in ("commit_a", "commit_b")] == [40, 40]
    assert {one["query_id"] for one in told["per_query"]} == {"dredged", "older", "lucene"}
    assert told["deltas"]["chunker_version_match"] == "exact"
    assert told["remarks"] == ["3 queries can show no difference at p ≤ 0.05, whatever moves: 6 could"]


def test_a_file_that_is_called_as_a_revision_is_stands_in_nobodys_way(measured: Path, assay: Command) -> None:
    (measured / "HEAD").write_text("ref: refs/heads/main\n")  # as in every bare repository
    done = assay(measured, "retrieval", "compare", "HEAD~1", "HEAD")
    assert (done.code, done.err) == (0, "")
    write_gold(measured)
    write_results(measured, "mine", results([1] * 12))
    assert assay(measured, "retrieval", "compare", "mine", "./mine", "--gold", "gold.json").code == 0


def test_a_run_is_named_by_the_beginning_of_its_id_and_a_file_has_it_too(measured: Path, assay: Command) -> None:
    listed = json.loads(assay(measured, "retrieval", "list", "--json").out)["runs"]
    run = listed[-1]["run_id"]
    kept = assay(measured, "retrieval", "run", "--rev", "HEAD~1", "--no-keep", "--json")
    (measured / "kept.json").write_text(kept.out)
    done = assay(measured, "retrieval", "compare", run[:20], "kept.json", "--json")
    assert (done.code, done.err) == (0, "")
    told = json.loads(done.out)
    assert (told["run_a"], told["run_b"]) == (run, "kept.json")
    assert told["counts"]["Draw"] == 3


def test_files_of_measurements_need_no_repository(
    measured: Path, assay: Command, refused: Command, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for name, rev in (("a.json", "HEAD~1"), ("b.json", "HEAD")):
        (elsewhere / name).write_text(assay(measured, "retrieval", "run", "--rev", rev, "--no-keep", "--json").out)
    done = assay(elsewhere, "retrieval", "compare", "a.json", "b.json")
    assert (done.code, done.err) == (0, "")
    assert "of 3 queries" in done.out
    (elsewhere / "below").mkdir()
    done = assay(elsewhere / "below", "retrieval", "compare", "../a.json", "../../elsewhere/b.json")
    assert (done.code, done.err) == (0, "")
    (elsewhere / "gold.yaml").write_text(GOLD)
    done = assay(elsewhere, "retrieval", "compare", "a.json", "b.json", "--gold", "gold.yaml")
    refused(done, 2, "gold.yaml:5: no store was given to find this quotation", "--chunks FILE")
    (elsewhere / "gold.yaml").write_text(DOCUMENTS)
    done = assay(elsewhere, "retrieval", "compare", "a.json", "b.json", "--gold", "gold.yaml")
    assert (done.code, done.err) == (0, "")
    assert "0 wins · 0 losses · 0 regressions · 3 draws of 3 queries" in done.out


def test_golden_ids_of_another_chunker_are_not_looked_up_where_it_is_said_so(
    measured: Path, assay: Command, refused: Command
) -> None:
    (measured / "ids.yaml").write_text(
        "- {query_id: dredged, query: When was it dredged?, expected_chunk_ids: [{chunk_id: old, "
        "doc_id: wiki/harbours.md, spans: [[0, 20]]}]}\n"
    )
    words = ("HEAD~1", "HEAD", "--gold", "ids.yaml")
    refused(
        assay(measured, "retrieval", "compare", *words), 2, "ids.yaml:1: the expected chunk 'old'", "--other-chunker"
    )
    done = assay(measured, "retrieval", "compare", *words, "--other-chunker", "--json")
    assert (done.code, done.err) == (0, "")
    assert json.loads(done.out)["counts"] == {"Win": 0, "Loss": 0, "Regression": 0, "Draw": 1}
    done = assay(measured, "retrieval", "compare", "HEAD~1", "HEAD", "--other-chunker")
    refused(done, 2, "--other-chunker is said of the chunk ids of --gold", "add --gold FILE")


def test_results_of_another_system_stand_beside_a_kept_run(measured: Path, assay: Command) -> None:
    hits = [{"rank": 1, "chunk_id": "c", "doc_id": "wiki/harbours.md"}]
    rows = [{"model": "m"}, {"query_id": "dredged", "hits_top_k": hits}, {"query_id": "older", "hits_top_k": []}]
    (measured / "other.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    (measured / "documents.yaml").write_text(DOCUMENTS)
    done = assay(measured, "retrieval", "compare", "HEAD~1", "other.jsonl", "--gold", "documents.yaml", "--json")
    assert (done.code, done.err) == (0, "")
    told = json.loads(done.out)
    assert [one["kind"] for one in told["per_query"]] == ["Draw", "Regression", "Draw"]
    assert "the chunker of B is unknown" in " ".join(told["remarks"])


def test_results_without_golden_queries_are_scored_by_those_of_the_run_beside_them(
    measured: Path, assay: Command
) -> None:
    kept = json.loads(assay(measured, "retrieval", "score", "HEAD", "--json").out)
    header = {"chunker_version": kept["versions"]["chunker_version"]}
    lines = [header, *({"query_id": each["query_id"], "hits_top_k": []} for each in kept["queries"])]
    (measured / "mine.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    done = assay(measured, "retrieval", "compare", "HEAD", "mine.jsonl", "--json")
    told = json.loads(done.out)
    assert done.code == 0
    assert told["gold_a"] == told["gold_b"] == kept["gold"]["digest"]
    assert f"B: scored by the golden queries of {told['run_a']}" in told["remarks"]
    assert told["aggregate_b"]["hit_at_k"]["10"] == 0.0
    assert told["counts"]["Regression"] == sum(1 for each in told["per_query"] if each["a_hit_rank"])


@pytest.mark.slow
def test_nothing_is_changed_by_comparing(measured: Path, assay: Command, state: Callable[[Path], str]) -> None:
    before = state(measured)
    assert assay(measured, "retrieval", "compare", "HEAD~1", "HEAD", "--gold", "gold/retrieval.yaml").code == 0
    assert state(measured) == before


def test_the_command_explains_itself(files: Path, assay: Command) -> None:
    done = assay(files, "retrieval", "compare", "--help")
    assert (done.code, done.err) == (0, "")
    for option in ("--gold", "--qrels", "--chunks", "--strict-chunker-version", "--metric", "--alpha", "--html"):
        assert option in done.out
