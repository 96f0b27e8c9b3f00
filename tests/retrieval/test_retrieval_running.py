from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from gitops.errors import CannotRun, UsageError
from gitops.retrieval import running
from gitops.retrieval.model import Chunk, Expected, GoldenQuery, Result, Results, Versions
from gitops.retrieval.results import NO_HEADER
from gitops.retrieval.running import Gold, by_workflow, gold_at, looked_up, measured, named, of_system, some_of
from gitops.retrieval.stores import Store
from gitops.runs.bad_input import BadInput
from tests.retrieval.tide_wiki import FILES, QUERIES, Tides, results


@pytest.fixture
def tides(make_repository: Callable[..., Path]) -> Tides:
    return Tides(make_repository(FILES))


def test_without_a_golden_file_nothing_can_be_measured(tides: Tides, git: Callable[..., str]) -> None:
    git(tides.folder, "rm", "-q", "--cached", "gold/retrieval.yaml")
    git(tides.folder, "commit", "-q", "-m", "gone")
    with pytest.raises(CannotRun, match=f"{tides.commit[:10]} has no gold/retrieval.yaml") as refused:
        gold_at(tides.context, tides.workspace, tides.commit)
    assert refused.value.hint == "commit it, or: --gold gold/retrieval.yaml"
    (tides.folder / "gold/retrieval.yaml").unlink()
    with pytest.raises(CannotRun) as refused:
        gold_at(tides.context, tides.workspace, tides.commit)
    assert "docs/retrieval.md" in refused.value.hint


def test_a_symbolic_link_is_no_golden_file(tides: Tides, commit_files: Callable[..., str]) -> None:
    (tides.folder / "gold/retrieval.yaml").unlink()
    (tides.folder / "gold/retrieval.yaml").symlink_to("other.yaml")
    commit_files(tides.folder, {})
    with pytest.raises(BadInput, match="symbolic link"):
        gold_at(tides.context, tides.workspace, tides.commit)


def test_a_fault_in_the_golden_file_is_told_with_its_line(tides: Tides, commit_files: Callable[..., str]) -> None:
    commit_files(tides.folder, {"gold/retrieval.yaml": "- query_id: a\n  qurey: How?\n"})
    with pytest.raises(BadInput, match=r"^gold/retrieval\.yaml:\d: "):
        gold_at(tides.context, tides.workspace, tides.commit)


def test_the_golden_file_is_that_of_the_commit_not_of_the_working_tree(tides: Tides) -> None:
    (tides.folder / "gold/retrieval.yaml").write_text("broken: [")
    gold = gold_at(tides.context, tides.workspace, tides.commit)
    assert (gold.name, gold.suite) == ("gold/retrieval.yaml", "retrieval.yaml")
    assert [one.query_id for one in gold.queries] == ["falls", "pull", "lucene"]


def test_an_unknown_query_is_refused_with_the_nearest(tides: Tides) -> None:
    with pytest.raises(UsageError, match="has no query 'fals'") as refused:
        some_of(tides.gold, ["fals"])
    assert refused.value.hint == "did you mean falls?"


def test_queries_are_picked_once_each_and_in_any_normal_form() -> None:
    gold = Gold("g.yaml", [GoldenQuery("café", "?"), GoldenQuery("b", "?")])
    assert [one.query_id for one in some_of(gold, ["b", "cafe\u0301", "b"]).queries] == ["b", "café"]


def test_a_quotation_takes_a_store_to_be_found_in(tides: Tides) -> None:
    with pytest.raises(BadInput, match=r"gold/retrieval\.yaml:6: .* no store was given|no store was given") as refused:
        looked_up(tides.gold, None)
    assert refused.value.hint.startswith("--chunks FILE")
    plain = Gold("g.yaml", QUERIES)
    assert looked_up(plain, None) is plain


def test_another_systems_store_completes_the_gold_and_looks_citations_up() -> None:
    store = Store.of([Chunk("c1", "d1", ((3, 8),))])
    gold = looked_up(Gold("g.yaml", [GoldenQuery("a", "?", chunks=(Expected("c1"),))]), store)
    [expected] = gold.queries[0].chunks or ()
    assert (expected.doc_id, expected.spans) == ("d1", ((3, 8),))
    ran = of_system(gold, results(), "mine", "2024-01-02T03:04:05Z", top=None, store=store)
    answer = ran.results.by_query["a"].answer
    assert answer is not None
    assert answer.citations[0].resolves is True
    assert (ran.chunks, ran.has_store) == (store.digest, True)
    bare = of_system(gold, results(), "mine", "2024-01-02T03:04:05Z", top=None, store=None)
    assert (bare.chunks, bare.has_store) == (None, False)


def test_what_a_person_says_of_the_versions_counts_before_what_the_results_say() -> None:
    told = named(results(), {"chunker_version": "9", "team": "north"}).versions
    assert told == Versions("9", "e5", "p-3", "m-1", {"note": "odd", "depth": 3, "team": "north"})


def test_versions_that_a_person_tells_are_not_said_to_be_unknown() -> None:
    bare = replace(results(), versions=Versions(), has_header=False, remarks=(NO_HEADER, "another"))
    assert named(bare, {"chunker_version": "9"}).remarks == ("another",)
    assert named(bare, {"team": "north"}).remarks == (NO_HEADER, "another")


def test_where_every_query_failed_nothing_is_measured(tides: Tides) -> None:
    failed = Results("mine", {one.query_id: Result(one.query_id, error="no key") for one in QUERIES})
    ran = of_system(Gold("g.yaml", QUERIES), failed, "mine", tides.context.now, top=None, store=None)
    with pytest.raises(CannotRun, match="all 4 queries failed: no key"):
        measured(tides.context, tides.workspace, tides.commit, ran)


def test_results_of_other_queries_alone_are_refused(tides: Tides) -> None:
    strangers = Results("mine.jsonl", {"x": Result("x", line=2)})
    ran = of_system(Gold("g.yaml", QUERIES), strangers, "mine", tides.context.now, top=None, store=None)
    with pytest.raises(UsageError, match=r"mine\.jsonl"):
        measured(tides.context, tides.workspace, tides.commit, ran)


def test_the_measurement_is_of_the_commit_by_the_golden_file(tides: Tides) -> None:
    ran = by_workflow(tides.workflow(), tides.gold, 10)
    tides.later(seconds=5)
    made = measured(tides.context, tides.workspace, tides.commit, ran)
    assert (made.commit, made.workspace, made.suite) == (tides.commit, "tides", "retrieval.yaml")
    assert (made.started_at, made.completed_at) == ("2024-01-02T03:04:05Z", "2024-01-02T03:04:10Z")
    assert made.run_id.startswith("20240102-030410-")
    assert made.metrics["mrr"].value == made.metrics["citation_coverage"].value == 1.0
    assert made.instrument["top"] == 10
    assert made.used == {}


def test_a_golden_file_lies_with_the_workspaces_other_gold(tides: Tides) -> None:
    assert running.file_of(tides.workspace.layout) == "gold/retrieval.yaml"
