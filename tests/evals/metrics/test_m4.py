from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from gitops.evals.metric import MetricResult
from gitops.evals.metrics.m4 import METRIC
from gitops.evals.registry import registry
from gitops.evals.subject import Subject
from gitops.git.snapshot import resolve
from gitops.llm import usagelog
from gitops.runs import endings, store
from gitops.runs.records import Run, added_up
from gitops.runs.views import Bench
from gitops.usage import Usage
from tests.runs.driving import CLOCK, SOURCE, Wiki, first_files, name, page

CORPUS = -(-len(SOURCE) * 2 // 7)
"""The tokens of the wiki's one source."""


@pytest.fixture
def wiki(make_repository: Callable[..., Path]) -> Wiki:
    return Wiki(make_repository(first_files()))


def measured(wiki: Wiki, moment: datetime | None = None, commit: str = "main") -> MetricResult:
    context = wiki.context()
    with Bench(context, wiki.workspace(commit), resolve(context.repository, commit)) as bench:
        return METRIC.compute(Subject(bench, moment or wiki.now))


def landed(wiki: Wiki, number: int, writer: int, verifier: int = 0, run_type: str = "ingest") -> Run:
    """A run that landed, and what its roles used of tokens."""
    sources = {"sources": ("raw/tides.md",)} if run_type == "ingest" else {"reason": "because"}
    run = wiki.run({name(number): page(number)}, run_type=run_type, **sources)
    if verifier:
        spent = added_up({}, "verifier", Usage(output=verifier, calls=1))
        state = endings.next_state(wiki.context(), run, "pending", spent=spent)
        store.append(wiki.context(), run.record.root, [state], "spent")
    return wiki.finish(run, writer=Usage(input=writer, usd=writer / 100, calls=1)).run


def asked(wiki: Wiki, tokens: int, called: str, **fields: Any) -> None:
    """A call for a question, as the usage log has it."""
    line = {"workspace": "tides", "run_type": "query", "role": "writer", "run_id": called, "usd": 0.0}
    counts = {"tokens_in": tokens, "tokens_out": 0, "cache_read": 0, "cache_write": 0}
    usagelog.append(wiki.context().folder, wiki.now, line | counts | fields)


def weeks(result: MetricResult, *names: str) -> list[tuple[Any, ...]]:
    return [tuple(row[each] for each in ("week", *names)) for row in result.details["weeks"]]


def test_without_a_run_and_a_call_there_is_nothing_to_measure(wiki: Wiki) -> None:
    found = measured(wiki)
    assert (found.score, found.status) == (None, "not_measured")
    assert "no run has been recorded" in found.reason


def test_a_clone_without_the_log_cannot_tell_what_questions_cost(wiki: Wiki) -> None:
    landed(wiki, 0, 500)
    found = measured(wiki)
    assert (found.score, found.status) == (None, "not_measured")
    assert "no usage log" in found.reason
    assert found.counts["ingest"] == found.details["ingest_cumulative_tokens"] == 500


def test_calls_of_another_workspace_and_replayed_ones_cost_it_nothing(wiki: Wiki) -> None:
    landed(wiki, 0, 500)
    asked(wiki, 10_000, "query-1", workspace="other")
    asked(wiki, 10_000, "query-2", replayed=True)
    found = measured(wiki)
    assert (found.score, found.status) == (None, "healthy")
    assert found.reason == "no crossover yet: no model has answered a question"
    assert found.details["left_out"]["replayed"] == 1


def test_half_a_line_is_named_and_skipped(wiki: Wiki) -> None:
    landed(wiki, 0, 10)
    asked(wiki, 1, "query-1")
    path = wiki.context().folder / f"llm-usage-{CLOCK:%Y-%m-%d}.jsonl"
    path.write_bytes(path.read_bytes() * 2 + path.read_bytes()[:40])
    found = measured(wiki)
    assert found.counts["skipped_lines"] == 1
    assert found.details["skipped"] == [f"{path.name}, line 3: not whole JSON"]
    assert any(f"usage log: {path.name}, line 3" in told for told in wiki.told)
    assert found.details["query_cumulative_tokens"] == 2


def test_what_lies_after_the_moment_is_left_out_and_what_lies_in_the_future_told(wiki: Wiki) -> None:
    landed(wiki, 0, 500)
    first = wiki.now
    wiki.later(days=30)
    asked(wiki, 10_000, "query-1")
    found = measured(wiki, first)
    assert found.counts["after_moment"] == 1
    assert found.counts["queries"] == 0
    assert not any("future" in told for told in wiki.told)
    wiki.now = first
    measured(wiki)
    assert any("1 record of what models used are dated in the future" in told for told in wiki.told)


@pytest.mark.slow
def test_there_is_no_crossover_before_it_comes_and_then_its_week_is_the_score(wiki: Wiki) -> None:
    landed(wiki, 0, 3_000, verifier=500)
    asked(wiki, 10, "query-1")
    wiki.later(days=8)
    asked(wiki, 30, "query-2")
    before = measured(wiki)
    assert (before.score, before.status) == (None, "healthy")
    assert before.reason == "no crossover yet"
    wiki.later(days=7)
    landed(wiki, 1, 100, run_type="cascade")
    asked(wiki, 200, "query-3")
    found = measured(wiki)
    assert (found.score, found.status, found.interval, found.n) == (3.0, "healthy", None, 3)
    assert weeks(found, "ingest", "query", "queries", "hypothetical") == [
        (1, 3_500, 10, 1, 10 * CORPUS),
        (2, 3_500, 40, 2, 40 * CORPUS),
        (3, 3_600, 240, 3, 240 * CORPUS),
    ]
    assert 40 * CORPUS < 3_500 < 3_600 < 240 * CORPUS
    assert found.details["sound_on_the_fly_tokens"] == 3 * CORPUS
    assert found.details["usd"]["ingest"] == pytest.approx(30.0)
    assert found.counts["verifier"] == 500
    assert found.details["tokens"]["cascade"] == 100
    assert "tokens²" in found.details["units"]["hypothetical"]


def test_the_trend_tells_when_it_may_come(wiki: Wiki) -> None:
    landed(wiki, 0, 50 * CORPUS)
    for number in range(3):
        asked(wiki, 10, f"query-{number}")
        wiki.later(days=7)
    found = measured(wiki)
    # Gaps of 40, 30 and 20 times the corpus after three weeks: nothing left after five, crossed over in the sixth.
    assert found.score is None
    assert found.details["estimated_week"] == 6
    assert found.reason == "no crossover yet: week 6 (est.), by the last weeks' trend"


@pytest.mark.slow
def test_a_wiki_that_never_pays_off_is_said_to(wiki: Wiki) -> None:
    for number in range(3):
        landed(wiki, number, 50 * CORPUS)
        asked(wiki, 10, f"query-{number}")
        assert measured(wiki).details["is_negative"] is (number == 2)
        wiki.later(days=7)
    found = measured(wiki)
    # Gaps of 40, 80 and 120 times the corpus.
    assert (found.score, found.status, found.details["estimated_week"]) == (None, "healthy", None)
    assert found.reason.startswith("no crossover yet, and none in 10 years by the last weeks' trend: let an ingest")


def test_a_wiki_written_offline_crosses_over_with_the_first_question(wiki: Wiki) -> None:
    wiki.finish(wiki.run())
    wiki.later(days=7)
    asked(wiki, 1, "query-1")
    assert measured(wiki).score == 2.0


@pytest.mark.slow
def test_a_kept_answer_counts_in_a_clone_that_has_no_log(wiki: Wiki) -> None:
    landed(wiki, 0, 10)
    landed(wiki, 1, 70, verifier=5, run_type="archive")
    found = measured(wiki)
    assert (found.counts["query"], found.counts["queries"]) == (75, 1)
    assert found.score == 1.0


def test_a_synthesis_is_neither_ingest_nor_query(wiki: Wiki) -> None:
    landed(wiki, 0, 40, run_type="synthesis")
    asked(wiki, 1, "query-1")
    found = measured(wiki)
    assert found.counts["synthesis"] == 40
    assert found.details["ingest_cumulative_tokens"] == 0


@pytest.mark.slow
def test_a_commit_of_the_past_is_measured_as_it_was(wiki: Wiki) -> None:
    landed(wiki, 0, 10)
    asked(wiki, 5, "query-1")
    then, first = wiki.now, wiki.ref("main") or ""
    wiki.later(days=20)
    landed(wiki, 1, 1_000)
    asked(wiki, 5_000, "query-2")
    now = measured(wiki, then + timedelta(hours=1), first)
    assert (now.counts["ingest"], now.counts["query"], now.n) == (10, 5, 1)


def test_it_measures_without_being_told_of(wiki: Wiki) -> None:
    assert registry()["M4"] is METRIC
    assert METRIC.cuts is None


@pytest.fixture(autouse=True)
def _nothing_is_written(wiki: Wiki) -> Iterator[None]:
    yield
    assert wiki.ref("refs/notes/assay/evals") is None
