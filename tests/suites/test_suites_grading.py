"""Attempts, modes together, and the summary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.errors import CannotRun
from gitops.suites import grading
from gitops.suites.grading import graded, open_modes, summary
from gitops.suites.model import BenchmarkCase, BenchmarkResult
from gitops.suites.target import Attempt
from gitops.usage import NOTHING, Usage
from gitops.verify.criteria import Bench, Criteria, Scored
from tests.suites.suite_runs import a_case, a_result


class Says:
    """A judge that says what it was made with, in order of the outputs, and keeps what it was asked."""

    def __init__(self, scores: dict[str, float | None], name: str = "says/1") -> None:
        self._scores = scores
        self.name = name
        self.used: Usage = NOTHING
        self.asked: list[Criteria] = []

    def snapshot(self) -> list[dict[str, str]]:
        return [{"id": self.name, "version": "1", "digest": "0" * 64}]

    def scores(self, asked: Sequence[Criteria]) -> list[Scored]:
        self.asked += asked
        return [Scored(self._scores[one.output], f"{self.name} says so", self.name) for one in asked]


class Unreachable(Says):
    """A judge that cannot be asked."""

    def scores(self, asked: Sequence[Criteria]) -> list[Scored]:
        raise CannotRun("there is no key", "set one")


def expecting(mode: str, value: Any = None, thresholds: dict[str, float] | None = None) -> BenchmarkCase:
    return a_case("a", expected={"mode": mode, "value": value, "metric_thresholds": thresholds})


def one(case: BenchmarkCase, attempt: Attempt, judge: Says | None = None, **more: Any) -> BenchmarkResult:
    [result] = graded([(case, attempt)], judge, **more)
    return result


def test_a_result_has_all_that_the_attempt_told() -> None:
    attempt = Attempt(
        "yes\n", latency_ms=12.5, tokens=70, usd=0.01, retries=2, metrics={"f1": 0.5, "odd": float("nan")}
    )
    result = one(a_case("a"), attempt)
    assert result.model_dump() == {
        "case_id": "a",
        "status": "pass",
        "actual_output": "yes\n",
        "latency_ms": 12.5,
        "token_cost": 70,
        "llm_judge_score": None,
        "human_label": None,
        "error": None,
        "retries": 2,
        "category": "",
        "reason": "",
        "usd": 0.01,
        "metrics": {"f1": 0.5},
    }


@pytest.mark.parametrize("mode", ["exact", "contains", "llm_judge", "human", "exact+human"])
@pytest.mark.parametrize(
    ("attempt", "status", "category"),
    [
        (Attempt(error="exit code 139", category="signal"), "error", "signal"),
        (Attempt("yes", error="it printed too much", category="output"), "error", "output"),
        (Attempt(error="it took too long", is_timeout=True), "timeout", "timeout"),
        (Attempt(is_timeout=True), "timeout", "timeout"),
        (Attempt(), "error", "no_output"),
    ],
)
def test_what_gave_no_output_is_an_error_whatever_the_mode(
    mode: str, attempt: Attempt, status: str, category: str
) -> None:
    judge = Says({"yes": 1.0})
    value = {"exact": "yes", "contains": "y"} if mode == "exact+contains" else "yes"
    result = one(expecting(mode, value), attempt, judge, labels={"a": "pass"})
    assert (result.status, result.category) == (status, category)
    assert result.error == result.reason != ""
    assert result.actual_output == attempt.output
    assert judge.asked == []


def test_all_modes_have_to_hold() -> None:
    case = expecting("contains+metric_threshold", "yes", {"latency_ms": 100})
    assert one(case, Attempt("yes", latency_ms=5)).status == "pass"
    slow = one(case, Attempt("yes", latency_ms=500))
    assert (slow.status, slow.category) == ("fail", "threshold")
    both = one(case, Attempt("no", latency_ms=500))
    assert (both.status, both.category) == ("fail", "wrong_output")
    assert "lacks 'yes'" in both.reason
    assert "latency_ms is 500" in both.reason


def test_a_no_weighs_more_than_what_nobody_can_tell_and_that_more_than_a_yes() -> None:
    case = expecting("contains+human", "yes")
    assert (one(case, Attempt("no")).status, one(case, Attempt("no")).category) == ("fail", "wrong_output")
    waiting = one(case, Attempt("yes"))
    assert (waiting.status, open_modes(waiting)) == ("skipped", ("human",))
    assert one(case, Attempt("yes"), labels={"a": "pass"}).status == "pass"


def test_a_case_that_no_judge_can_tell_of_is_skipped_and_never_passes() -> None:
    case = expecting("llm_judge", "is polite")
    for judge in (None, Says({"x": None}), Unreachable({}), Bench(())):
        [result] = graded([(case, Attempt("x"))], judge)
        assert (result.status, result.llm_judge_score, result.category) == ("skipped", None, "llm_judge")
        assert result.reason.startswith("no judge")
    assert "there is no key" in one(case, Attempt("x"), Unreachable({})).reason


def test_a_judge_scores_also_where_another_mode_says_no() -> None:
    case = expecting("contains+llm_judge", {"contains": "yes", "llm_judge": "is polite"})
    result = one(case, Attempt("no"), Says({"no": 0.9}))
    assert (result.status, result.llm_judge_score, result.category) == ("fail", 0.9, "wrong_output")


def test_equal_outputs_of_equal_criteria_are_one_question() -> None:
    case, judge = expecting("llm_judge", "is polite"), Says({"x": 0.9, "y": 0.1})
    results = graded([(case, Attempt("x")), (case, Attempt("y")), (case, Attempt("x"))], judge)
    assert [one.status for one in results] == ["pass", "fail", "pass"]
    assert [one.output for one in judge.asked] == ["x", "y"]
    assert judge.asked[0].goal == "goal of a"


def test_judges_are_asked_one_after_the_other() -> None:
    first, second = Says({"x": 0.9, "y": None}, "first"), Says({"y": 0.2}, "second")
    bench = Bench((first, second))
    found = bench.scores([Criteria("x", "good"), Criteria("y", "good")])
    assert [(one.score, one.judge) for one in found] == [(0.9, "first"), (0.2, "second")]
    assert [one.output for one in second.asked] == ["y"]
    assert bench.name == "first+second"
    assert [one["id"] for one in bench.snapshot()] == ["first", "second"]


def test_a_judge_that_cannot_be_reached_leaves_the_question_to_the_next() -> None:
    found = Bench((Unreachable({}, "far"), Says({"x": 0.4}, "near"))).scores([Criteria("x", "good")])
    assert found == [Scored(0.4, "near says so", "near")]


def test_bounds_of_latency_are_held_only_where_it_is_the_targets_own() -> None:
    case = expecting("contains+metric_threshold", "yes", {"latency_ms": 100, "token_cost": 5})
    assert one(case, Attempt("yes", latency_ms=500)).status == "fail"
    assert one(case, Attempt("yes", latency_ms=500), is_timed=False).status == "pass"


def test_a_summary_counts_what_was_tried() -> None:
    results = [
        a_result("a", latency_ms=10, token_cost=1, llm_judge_score=0.5),
        a_result("b", "fail", latency_ms=20, token_cost=2, llm_judge_score=1.0),
        a_result("c", "error", latency_ms=9_000, token_cost=4, category="signal"),
        a_result("d", "timeout", latency_ms=60_000, token_cost=8, category="timeout"),
        a_result("e", "skipped", latency_ms=30, token_cost=16, category="human"),
    ]
    found = summary(results)
    assert found.pass_rate == 0.25
    assert found.mean_latency_ms == 20
    assert found.p95_latency_ms == pytest.approx(29)
    assert found.total_token_cost == 31
    assert found.mean_quality_score == 0.75
    assert found.failure_categories == {"signal": 1, "timeout": 1, "wrong_output": 1}
    assert summary(results, is_timed=False).p95_latency_ms is None
    assert summary(results, is_timed=False).mean_latency_ms is None


def test_where_nothing_was_tried_there_is_no_rate() -> None:
    found = summary([a_result("e", "skipped", category="human")])
    assert (found.pass_rate, found.mean_quality_score, found.failure_categories) == (None, None, {})
    assert summary([]).pass_rate is None


_ATTEMPTS = st.builds(
    Attempt,
    output=st.none() | st.text(max_size=6),
    error=st.sampled_from(["", "it broke"]),
    is_timeout=st.booleans(),
    latency_ms=st.floats(0, 1e6),
    tokens=st.integers(0, 1_000),
)
_EXPECTED = st.sampled_from(
    [
        expecting("exact", "yes"),
        expecting("contains", {"none": ["a"]}),
        expecting("llm_judge", "is polite"),
        expecting("human"),
        expecting("contains+llm_judge+human", {"contains": "e", "llm_judge": "x"}),
        expecting("metric_threshold", None, {"latency_ms": 10, "recall_min": 0.5}),
    ]
)


@given(st.lists(st.tuples(_EXPECTED, _ATTEMPTS), max_size=8))
def test_whatever_is_attempted_there_is_one_result_each_and_a_reason_for_all_but_passes(
    pairs: list[tuple[BenchmarkCase, Attempt]],
) -> None:
    results = graded(pairs)
    assert len(results) == len(pairs)
    for result in results:
        assert (result.status == "pass") == (result.category == "")
        assert result.status == "pass" or result.reason
        assert (result.status == "skipped") == bool(open_modes(result))
    rate = summary(results).pass_rate
    assert rate is None or 0 <= rate <= 1
    assert (rate is None) == (not any(one.status in grading.TRIED for one in results))
