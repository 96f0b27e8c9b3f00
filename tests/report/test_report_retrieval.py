from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from gitops.report import retrieval, text
from gitops.retrieval.measuring import Setting, measurement
from gitops.retrieval.model import Answer, Cited, Results
from gitops.retrieval.scoring import score
from gitops.runs.measurements import Measurement, Metric
from tests.retrieval.tide_wiki import QUERIES, results

SETTING = Setting(
    gold="golden.yaml",
    system="my\x1b[31mrag",
    run_id="20240102-030405-0a1b2c3d",
    commit="c" * 40,
    workspace="tides",
    started_at="2024-01-02T03:04:05Z",
    has_store=True,
)


def made(found: Results | None = None) -> Measurement:
    found = found or results()
    return measurement(score(QUERIES, found, has_store=True), found, SETTING)


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Any:
    def of(*parts: Any) -> str:
        text.show(*parts)
        return capsys.readouterr().out

    return of


def metric(value: float | None, unit: str) -> Metric:
    return Metric(value=value, n=1, direction="lower", unit=unit, status="measured")


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (None, "share", "-"),
        (0.5, "share", "0.5000"),
        (1234.56, "ms", "1,235 ms"),
        (0.42, "ms", "0.42 ms"),
        (30.0, "tokens", "30 tokens"),
    ],
)
def test_numbers_are_told_in_their_unit(value: float | None, unit: str, shown: str) -> None:
    assert retrieval.number(metric(value, unit)) == shown


def test_a_metric_that_is_not_there_has_no_number() -> None:
    assert retrieval.number(None) == "-"


def test_it_says_what_was_measured_by_what(told: Any) -> None:
    first = told(retrieval.words(made())).splitlines()[0]
    assert first == (
        "my␛[31mrag · chunker 7 · embedding e5 · prompt p-3 · model m-1 · gold golden.yaml "
        f"{made().suite_version} · at {'c' * 10}"
    )


def test_metrics_without_a_number_are_named_apart(told: Any) -> None:
    shown = told(retrieval.words(made(results(without=["refuse"]))))
    bare = [query for query in QUERIES if not query.should_refuse]
    found = results(without=["refuse"])
    apart = told(retrieval.words(measurement(score(bare, found), found, SETTING)))
    assert "refusal_correctness  0.0000" in shown
    assert "nothing to take them of: " in apart
    assert "refusal_correctness" in apart.partition("nothing to take them of: ")[2].splitlines()[0]


def test_it_counts_and_names_what_did_not_come_out_right(told: Any) -> None:
    shown = told(retrieval.words(made()))
    assert "2 of 4 queries found what they should, or were rightly refused, 1 failed, 1 not judged" in shown
    assert "  b           it broke" in shown
    assert "a remark of the reader" in shown


@pytest.mark.parametrize(
    ("query", "answer", "said"),
    [
        ("a", Answer("Who knows.", (), False), "refused what should have been answered, the answer lacks"),
        ("a", Answer("A.", (Cited("c9", resolves=False),), True), "a citation leads nowhere: What is A?"),
        (
            "refuse",
            Answer("Of cheese.", (), True),
            "answered what should have been refused, the answer lacks what it must",
        ),
    ],
)
def test_it_says_what_is_wrong_with_an_answer(told: Any, query: str, answer: Answer, said: str) -> None:
    found = results()
    by_query = {**found.by_query, query: replace(found.by_query[query], answer=answer)}
    [line] = [
        line for line in told(retrieval.words(made(replace(found, by_query=by_query)))).splitlines() if said in line
    ]
    assert line.split()[0] == query


def test_of_many_the_first_ten_are_shown(told: Any) -> None:
    queries = [replace(QUERIES[0], query_id=f"q{number:02}") for number in range(15)]
    one = results().by_query["a"]
    found = replace(results(), by_query={q.query_id: replace(one, query_id=q.query_id, hits=()) for q in queries})
    shown = told(retrieval.words(measurement(score(queries, found), found, SETTING)))
    assert "q09" in shown
    assert "q10" not in shown
    assert "and 5 more: --json has them" in shown


def test_it_says_where_it_is_kept_or_why_not(told: Any) -> None:
    assert told(retrieval.where(made())) == (
        f"kept in the notes of {'c' * 10} (refs/notes/assay/evals) as run 20240102-030405-0a1b2c3d\n"
    )
    assert told(retrieval.where(made(), "--no-keep")) == "not kept (--no-keep)\n"


@pytest.mark.parametrize(
    ("is_other", "is_kept", "said"),
    [(False, False, "as it was recorded"), (True, True, "recorded anew"), (True, False, "not recorded")],
)
def test_it_says_whether_a_run_comes_out_otherwise(told: Any, is_other: bool, is_kept: bool, said: str) -> None:
    assert said in told(retrieval.again(made(), is_other=is_other, is_kept=is_kept))


def test_runs_are_listed_a_line_each(told: Any) -> None:
    lines = told(retrieval.listing([made(), made()])).splitlines()
    assert lines[1].split() == [
        "20240102-030405-0a1b2c3d", "2024-01-02T03:04:05Z", "c" * 10, "golden.yaml", made().suite_version,
        "my␛[31mrag", "4", "0.5000", "1.0000", f"{made().metrics['ndcg@10'].value:.4f}",
    ]  # fmt: skip
    assert lines[-1] == "2 runs"


def test_of_several_workspaces_each_is_named(told: Any) -> None:
    other = made().model_copy(update={"workspace": "moon"})
    lines = [line.split() for line in told(retrieval.listing([made(), other])).splitlines()]
    assert lines[0][:3] == ["run", "workspace", "when"]
    assert [line[1] for line in lines[1:3]] == ["tides", "moon"]
