from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from gitops.evals import spending
from gitops.evals.spending import Amount, kind_of
from gitops.llm.usage_reading import Call
from gitops.runs.measurements import Measurement
from gitops.runs.measurements import Metric as Number
from gitops.runs.records import Person, Run, RunRecord, StateRecord
from gitops.usage import Usage

DAY = "2024-01-0{}T00:00:00Z"
Spent = Mapping[str, Mapping[str, float]]


def at(day: int) -> datetime:
    return datetime(2024, 1, day, tzinfo=UTC)


def total(tokens: int, calls: int = 1, usd: float = 0.0) -> dict[str, float]:
    return {"input": tokens, "output": 0, "cache_read": 0, "cache_write": 0, "usd": usd, "calls": calls}


def made(run_type: Any, *states: tuple[str, Spent], called: str = "r-1") -> Run:
    person = Person(name="Ada", email="ada@example.org")
    about: dict[str, Any] = {"summary": "", "run_id": called}
    about |= {"workspace": "tides", "triggered_by": "cli:", "target": "refs/heads/main", "base": "b", "root": "r"}
    record = RunRecord(**about, run_type=run_type, started_at=DAY.format(1), author=person)
    ordered = tuple(
        StateRecord(
            summary="",
            run_id=called,
            number=number,
            status="pending",
            at=when,
            spent={role: dict(t) for role, t in of.items()},
        )
        for number, (when, of) in enumerate(states)
    )
    return Run(record, ordered)


def told(runs: list[Run]) -> tuple[list[Amount], list[str]]:
    said: list[str] = []
    return list(spending.by_runs(runs, said.append)), said


def call(run_type: str, run_id: str = "", tokens: int = 100, role: str = "writer", day: int = 1) -> Call:
    return Call(at(day), "tides", run_type, role, run_id, Usage(input=tokens, calls=1))


def test_a_state_with_a_date_that_is_none_is_told_and_not_counted() -> None:
    amounts, said = told([made("ingest", ("a while ago", {"writer": total(5)}))])
    assert amounts == []
    assert said == ["run r-1, state 0: 'a while ago' is no date; what it spent is not counted"]


def test_a_run_that_asked_no_model_cost_nothing() -> None:
    assert told([made("ingest", (DAY.format(1), {}))]) == ([], [])


def test_what_came_to_a_total_is_dated_by_the_state_that_booked_it() -> None:
    first, second = {"writer": total(100)}, {"writer": total(150, 2, 0.5), "verifier": total(30)}
    amounts, _ = told([made("ingest", (DAY.format(1), first), (DAY.format(3), second), (DAY.format(4), second))])
    assert amounts == [
        Amount(at(1), "ingest", Usage(input=100, calls=1)),
        Amount(at(3), "ingest", Usage(input=50, usd=0.5, calls=1)),
        Amount(at(3), "verifier", Usage(input=30, calls=1)),
    ]


def test_an_older_total_in_a_later_state_adds_nothing_and_takes_nothing_away() -> None:
    states = [(DAY.format(day), {"writer": total(tokens, calls)}) for day, tokens, calls in ((1, 9, 2), (2, 4, 1))]
    amounts, _ = told([made("cascade", *states, (DAY.format(3), {"writer": total(10, 3)}))])
    assert [(amount.at.day, amount.tokens) for amount in amounts] == [(1, 9), (3, 1)]


def test_what_is_neither_written_nor_asked_for_is_of_another_kind() -> None:
    assert kind_of("benchmark", "writer") == "other"
    assert [kind_of(each, "writer") for each in ("ingest", "cascade", "synthesis", "lint")] == [
        *("ingest", "cascade", "synthesis", "lint")
    ]
    assert {kind_of(each, "verifier") for each in ("ingest", "cascade", "synthesis", "lint")} == {"verifier"}
    assert kind_of("archive", "verifier") == kind_of("archive", "writer") == kind_of("query", "writer") == "query"
    assert kind_of("eval", "judge") == kind_of("eval", "writer") == "eval"
    assert kind_of("extraction", "judge") == kind_of("benchmark", "judge") == "eval"
    assert (kind_of("extraction", "verifier"), kind_of("extraction", "writer")) == ("verifier", "other")


def test_the_calls_of_one_question_are_one_question() -> None:
    calls = [call("query", "query-1", 10), call("query", "query-2", 5), call("query", "query-1", 20, day=2)]
    found = {amount.tokens: (amount.at.day, amount.queries) for amount in spending.by_log(calls, [])}
    assert found == {30: (2, 1), 5: (1, 1)}


def test_calls_without_a_name_are_a_question_each() -> None:
    assert [one.queries for one in spending.by_log([call("query"), call("query")], [])] == [1, 1]


def test_an_answer_that_was_kept_is_counted_once() -> None:
    kept = made("archive", (DAY.format(2), {"writer": total(30, 2), "verifier": total(7)}))
    calls = [call("query", "query-1", 10), call("query", "query-1", 20), call("query", "query-2", 30)]
    of_run, _ = told([kept])
    assert [(one.kind, one.tokens, one.queries) for one in of_run] == [("query", 30, 1), ("query", 7, 0)]
    assert [one.used.calls for one in spending.by_log(calls, [kept])] == [1]


def test_of_two_questions_that_cost_the_same_one_kept_answer_takes_one() -> None:
    kept = made("archive", (DAY.format(2), {"writer": total(30)}))
    calls = [call("query", "query-1", 30), call("query", "query-2", 30)]
    assert [(one.tokens, one.queries) for one in spending.by_log(calls, [kept])] == [(30, 1)]


def test_what_a_run_has_booked_is_not_counted_again_by_the_log() -> None:
    booked = made("ingest", (DAY.format(1), {"writer": total(100)}))
    unbooked = made("ingest", (DAY.format(1), {}), called="r-2")
    calls = [call("ingest", "r-1"), call("ingest", "r-2", 7), call("lint", "gone", 3), call("cascade", "", 2, "judge")]
    found = [(one.kind, one.tokens) for one in spending.by_log(calls, [booked, unbooked])]
    assert found == [("ingest", 7), ("lint", 3), ("other", 2)]


def test_evaluations_count_by_their_runs_or_measurements_and_not_by_the_log() -> None:
    spent = {"input_tokens": 40.0, "output_tokens": 2.0, "usd": 0.25}
    numbers = {
        name: Number(value=value, n=1, direction="lower", unit="", status="measured") for name, value in spent.items()
    }
    about: dict[str, Any] = {"summary": "", "run_id": "e", "commit": "c", "workspace": "tides", "subject": {}}
    about |= {"instrument": {}, "started_at": DAY.format(1), "completed_at": DAY.format(2)}
    by_field = Measurement(**about, kind="metric", used=spent)
    by_metric = Measurement(**about, kind="verifier_test", metrics=numbers)
    free, undated = Measurement(**about, kind="metric"), by_field.model_copy(update={"completed_at": "now"})
    said: list[str] = []
    run = made("eval", (DAY.format(1), {"judge": total(40)}), called="known")
    again = by_field.model_copy(update={"run_id": "known"})
    found = list(spending.by_measurements([by_field, by_metric, free, undated, again], [run], said.append))
    assert [one.kind for one in told([run])[0]] == ["eval"]
    assert found == [Amount(at(2), "eval", Usage(input=40, output=2, usd=0.25))] * 2
    assert len(said) == 1
    assert list(spending.by_log([call("eval", "eval-1"), call("eval", "r-9", role="judge")], [])) == []


@pytest.mark.parametrize("recorded", ["", "2024-01-02", "2024-13-02T00:00:00Z"])
def test_what_is_no_moment_is_refused(recorded: str) -> None:
    with pytest.raises(ValueError, match="time data"):
        spending.moment_of(recorded)
