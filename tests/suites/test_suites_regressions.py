from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from gitops.suites.flaky import FlakyRate, flaky, rates
from gitops.suites.model import BenchmarkResult, BenchmarkRun
from gitops.suites.regressions import findings, regressions
from tests.suites.suite_runs import a_case, a_result, a_run, a_suite, repeats

JUDGED = {"mode": "llm_judge", "value": "is kind", "metric_thresholds": None}


def kinds(before: Sequence[BenchmarkRun], now: Sequence[BenchmarkRun]) -> list[tuple[str, str]]:
    return [(each.case_id, each.kind) for each in regressions(before, now)]


def judged(*scores: float, **fields: Any) -> list[BenchmarkRun]:
    suite = a_suite(a_case("a", expected=JUDGED))
    return [
        a_run([a_result("a", llm_judge_score=score)], suite, repeat=at, **fields) for at, score in enumerate(scores)
    ]


def timed(*times: float, **snapshot: Any) -> list[BenchmarkRun]:
    return [a_run([a_result("a", latency_ms=each)], snapshot=snapshot, repeat=at) for at, each in enumerate(times)]


def test_what_is_as_it_was_did_not_regress() -> None:
    assert regressions(repeats("pass", "fail"), repeats("pass", "fail")) == []
    assert regressions(repeats("fail"), repeats("error")) == []


@pytest.mark.parametrize("status", ["fail", "error", "timeout"])
def test_a_case_that_passed_and_does_not_now_regressed(status: str) -> None:
    [found] = regressions(repeats("pass"), repeats(status))
    assert (found.case_id, found.kind, found.before, found.after) == ("a", "pass_to_fail", 1, 0)
    assert found.told == "passed 1 of 1, passes 0 of 1: it said no"


def test_a_case_that_failed_and_passes_now_did_not() -> None:
    assert regressions(repeats("fail"), repeats("pass")) == []


@pytest.mark.parametrize(("before", "now", "is_found"), [(0.9, 0.79, True), (0.9, 0.8, False), (0.5, 0.9, False)])
def test_a_judges_score_may_fall_by_a_tenth_and_no_further(before: float, now: float, is_found: bool) -> None:
    assert kinds(judged(before), judged(now)) == ([("a", "judge_drop")] if is_found else [])


def test_a_score_that_varies_has_to_fall_further_than_it_varies() -> None:
    steady = judged(0.9, 0.88, 0.92, 0.9, 0.9)
    assert kinds(steady, judged(0.7, 0.72, 0.68, 0.7, 0.7)) == [("a", "judge_drop")]
    found = findings(judged(0.9, 0.3, 0.95), judged(0.5, 0.6, 0.55))
    assert found.regressions == ()
    assert [*found.doubtful] == ["a"]
    assert "chance may do that" in found.doubtful["a"]


@pytest.mark.parametrize(
    ("before", "now", "is_found"), [(1_000, 1_501, True), (1_000, 1_500, False), (100, 349, False), (100, 351, True)]
)
def test_latency_may_rise_by_half_or_by_the_floor(before: float, now: float, is_found: bool) -> None:
    assert kinds(timed(before), timed(now)) == ([("a", "latency")] if is_found else [])


def test_of_repeats_the_median_latency_counts() -> None:
    assert kinds(timed(1_000, 1_000, 1_000), timed(9_000, 1_000, 1_000)) == []
    assert kinds(timed(1_000, 1_000, 1_000), timed(1_900, 2_000, 2_100)) == [("a", "latency")]
    found = findings(timed(1_000, 1_000, 1_000), timed(1_000, 2_000, 2_000))
    assert (found.regressions, [*found.doubtful]) == ((), ["a"])


@pytest.mark.parametrize(
    ("snapshot", "why"),
    [
        ({"is_timed": False}, "the answers of the run were mocked"),
        ({"machine": "two"}, "on another machine"),
        ({"machine": None}, "on another machine"),
        ({"machine": {"fingerprint": "two", "jobs": 1}}, "on another machine"),
    ],
)
def test_latency_of_replayed_answers_or_of_another_machine_says_nothing(snapshot: dict[str, Any], why: str) -> None:
    found = findings(timed(100), timed(10_000, **snapshot))
    assert found.regressions == ()
    assert why in found.remarks[0]


def test_latency_beside_another_number_of_cases_says_nothing_either() -> None:
    before, after = ({"machine": {"fingerprint": "one", "jobs": jobs}} for jobs in (4, 1))
    found = findings(timed(100, **before), timed(10_000, **after))
    assert (found.regressions, found.remarks) == (
        (),
        ("latency is not compared: it was measured with another number of cases at once",),
    )


def test_how_long_it_took_to_fail_says_nothing_of_how_fast_it_is() -> None:
    assert kinds(timed(100), [a_run([a_result("a", "timeout", latency_ms=60_000)])]) == [("a", "pass_to_fail")]


def test_a_flaky_case_is_named_and_gates_on_its_pass_rate() -> None:
    before = repeats(*["pass"] * 9, "fail")
    assert flaky(before) == {"a": FlakyRate(9, 10)}
    slightly = findings(before, repeats(*["pass"] * 7, *["fail"] * 3))
    assert slightly.flaky == {"a": (FlakyRate(9, 10), FlakyRate(7, 10))}
    assert slightly.regressions == ()
    [found] = regressions(before, repeats(*["pass"] * 2, *["fail"] * 8))
    assert (found.kind, found.before, found.after) == ("pass_rate", 0.9, 0.2)
    assert found.told.startswith("passed 9 of 10, passes 2 of 10 (p 0.0027")


def test_many_cases_that_pass_less_often_show_together_what_none_shows_alone() -> None:
    names = "abcdef"
    before = [a_run([a_result(name) for name in names], repeat=at) for at in range(5)]
    now = [a_run([a_result(name, "pass" if at < 2 else "fail") for name in names], repeat=at) for at in range(5)]
    found = findings(before, now)
    [one] = found.regressions
    assert (one.case_id, one.kind, one.before, one.after) == ("a", "pass_rate", 1, 0.4)
    assert one.told.startswith(
        "passed 5 of 5, passes 2 of 5; the 6 cases that differ passed 30 of 30, pass 12 of 30 (p "
    )
    assert [*found.doubtful] == ["b", "c", "d", "e", "f"]
    assert regressions(now, before) == []


def test_scores_that_fall_everywhere_show_together_what_none_shows_alone() -> None:
    names = "abcdefgh"
    suite = a_suite(*(a_case(name, expected=JUDGED) for name in names))
    far = (-0.25, 0.25, 0.0)
    before, now = (
        [a_run([a_result(name, llm_judge_score=mean + off) for name in names], suite, repeat=at)
         for at, off in enumerate(far)]
        for mean in (0.7, 0.45)
    )  # fmt: skip
    found = findings(before, now)
    assert [(one.case_id, one.kind) for one in found.regressions] == [("a", "judge_drop")]
    assert "judged 0.70, is judged 0.45; all 8 cases together are judged 0.25 lower (p " in found.regressions[0].told
    assert [*found.doubtful] == ["b", "c", "d", "e", "f", "g", "h"]
    assert regressions(now, before) == []


def test_too_few_repeats_of_a_flaky_case_show_nothing_and_say_so() -> None:
    found = findings(repeats("pass", "fail"), repeats("fail"))
    assert found.regressions == ()
    assert found.doubtful == {"a": "passed 1 of 2, passes 0 of 1 (too few repeats to tell)"}


def test_a_case_that_always_passed_and_sometimes_does_now_gates_on_its_rate() -> None:
    assert kinds(repeats(*["pass"] * 5), repeats("pass", *["fail"] * 4)) == [("a", "pass_rate")]
    assert kinds(repeats(*["pass"] * 5), repeats(*["pass"] * 4, "fail")) == []


@pytest.mark.parametrize(
    ("now", "why"),
    [
        ([a_result("a", "skipped", reason="no judge was asked"), a_result("b")], "no judge was asked"),
        ([a_result("b")], "not run"),
    ],
)
def test_a_case_that_passed_and_is_not_judged_now_is_lost_aloud(now: list[BenchmarkResult], why: str) -> None:
    suite = a_suite(a_case("a"), a_case("b"))
    found = findings([a_run([a_result("a"), a_result("b")], suite)], [a_run(now, suite)])
    assert found.regressions == ()
    assert found.lost == {"a": why}


def test_failures_are_not_hidden_behind_repeats_that_nobody_could_judge() -> None:
    always = repeats(*["pass"] * 5)
    hiding = findings(always, repeats("pass", *["skipped"] * 4, reason="no metric"))
    assert hiding.lost == {"a": "judged in 1 of 5 repeats: no metric"}
    assert findings(always, repeats(*["pass"] * 4, "skipped")).lost == {}
    as_before = repeats("pass", *["skipped"] * 4)
    assert findings(as_before, as_before).lost == {}


def test_a_case_that_left_the_suite_is_lost_and_one_that_never_passed_is_not() -> None:
    before = [a_run([a_result("a"), a_result("b"), a_result("c", "fail")])]
    assert findings(before, [a_run([a_result("b")])]).lost == {"a": "no longer in the suite"}


def test_a_case_that_asks_something_else_is_neither_lost_nor_regressed() -> None:
    other = a_suite(a_case("a", input={"goal": "another", "context": None}))
    found = findings([a_run([a_result("a")])], [a_run([a_result("a", "fail")], other)])
    assert (found.regressions, found.lost, found.changed) == ((), {}, ("a",))


def test_what_another_judge_says_is_held_against_nothing() -> None:
    before = judged(0.9, **{"snapshot": {"judge": {"id": "claude"}}})
    now = [
        a_run([a_result("a", "fail", llm_judge_score=0.1)], a_suite(a_case("a", expected=JUDGED)), {"judge": {"id": 2}})
    ]
    found = findings(before, now)
    assert found.regressions == ()
    assert found.lost == {"a": "another judge decides now"}


def test_of_two_suites_nothing_can_be_told() -> None:
    other = a_suite(a_case("a"), suite_id="python")
    with pytest.raises(ValueError, match="one suite"):
        regressions(repeats("pass"), [a_run([a_result("a")], other)])
    with pytest.raises(ValueError, match="one suite"):
        regressions([], repeats("pass"))


def test_rates_count_errors_as_tries_and_leave_out_what_was_skipped() -> None:
    assert rates(repeats("pass", "error", "skipped", "timeout")) == {"a": FlakyRate(1, 3)}
