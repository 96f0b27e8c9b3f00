"""What an ablation comes to, by numbers that are known: means, tests as SciPy has them, harm or none."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from statistics import fmean, stdev
from typing import Any

import numpy
import pytest
from scipy import stats

from gitops.errors import CannotRun
from gitops.runs.measurements import Measurement
from gitops.stats.comparison import Compared
from gitops.suites.ablations import put_together
from gitops.suites.arms import arm
from gitops.suites.concluding import Conclusion, concluded
from tests.suites.ablated import Answer, measured, passing


def conclusion(variants: Mapping[str, Answer], cases: int, repeats: int, margin: float = 0.05) -> Conclusion:
    [found] = put_together(measured(variants, cases, repeats))
    return concluded(found, margin)


def compared(found: Conclusion, metric: str, name: str = "b") -> Compared:
    [one] = [
        each for each in found.comparison.compared if each.metric.endswith(f".{metric}") and each.other.name == name
    ]
    return one


def draws(seed: int, chance: float) -> Answer:
    """Each case passes with a chance, and takes some time and tokens."""
    rolled: dict[tuple[int, int], Mapping[str, Any]] = {}
    draw = Random(seed)

    def answer(case: int, repeat: int) -> Mapping[str, Any]:
        if (case, repeat) not in rolled:
            status = "pass" if draw.random() < chance else "fail"
            score = round(draw.random(), 3)
            rolled[case, repeat] = {"status": status, "latency_ms": 1_000 * draw.random(), "llm_judge_score": score}
        return rolled[case, repeat]

    return answer


def test_a_variant_is_told_by_mean_and_standard_deviation_of_its_repeats() -> None:
    found = conclusion(
        {"a": passing, "b": lambda case, repeat: {"status": "pass" if case < repeat + 1 else "fail"}}, 4, 3
    )
    score = next(one for one in found.scores if (one.variant, one.metric) == ("b", "pass_rate"))
    assert score.mean is not None
    assert score.mean.value == fmean([0.25, 0.5, 0.75])
    assert score.mean.spread == stdev([0.25, 0.5, 0.75])
    assert score.mean.repeats == 3


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_p_of_cases_that_were_repeated_is_that_of_scipys_permutation_test(seed: int) -> None:
    """Repeats are averaged by case, cases are the pairs, all ways to swap them are tried."""
    one, other = draws(seed, 0.8), draws(seed + 100, 0.5)
    found = conclusion({"a": one, "b": other}, 11, 4)
    for metric, field in (("mean_latency_ms", "latency_ms"), ("mean_quality_score", "llm_judge_score")):
        sides = [[fmean(side(case, at)[field] for at in range(4)) for case in range(11)] for side in (one, other)]
        expected = stats.permutation_test(
            sides,
            lambda x, y: numpy.mean(y) - numpy.mean(x),
            permutation_type="samples",
            n_resamples=10**9,
        )
        told = compared(found, metric)
        assert told.difference == pytest.approx(expected.statistic, abs=1e-6)
        assert told.p == pytest.approx(expected.pvalue, abs=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_p_of_cases_that_were_run_once_is_mcnemars_exact_one(seed: int) -> None:
    one, other = draws(seed, 0.9), draws(seed + 100, 0.4)
    found = compared(conclusion({"a": one, "b": other}, 30, 1), "pass_rate")
    passes = [[side(case, 0)["status"] == "pass" for case in range(30)] for side in (one, other)]
    lost = sum(a and not b for a, b in zip(*passes, strict=True))
    won = sum(b and not a for a, b in zip(*passes, strict=True))
    assert found.test == "mcnemar"
    assert found.p == pytest.approx(stats.binomtest(lost, lost + won).pvalue)


def test_p_values_of_all_metrics_and_treatments_are_adjusted_together_as_statistics_has_it() -> None:
    found = conclusion({"a": draws(1, 0.9), "b": draws(2, 0.5), "c": draws(3, 0.7)}, 40, 3)
    raw = [one.p for one in found.comparison.compared if one.p is not None and one.moved]
    assert len(raw) == 6  # three metrics that moved, two treatments; tokens did not
    order = sorted(range(6), key=lambda at: raw[at])
    expected, least = [0.0] * 6, 0.0
    for rank, at in enumerate(order):
        least = max(least, min(1.0, (6 - rank) * raw[at]))
        expected[at] = least
    told = [one.adjusted_p for one in found.comparison.compared if one.p is not None and one.moved]
    assert told == pytest.approx(expected)


def test_nothing_that_moved_shows_no_harm_where_it_is_enough() -> None:
    assert conclusion({"a": passing, "b": passing}, 15, 5).is_harmless
    few = conclusion({"a": passing, "b": passing}, 10, 5)
    assert not few.is_harmless
    [finding] = few.findings
    assert finding.harm.needed == 12
    assert finding.why == "it may be worse by more than 0.05; 12 repeats in all would tell, if they come out alike"


def test_one_treatment_that_does_harm_is_enough() -> None:
    bad: Answer = lambda case, repeat: {"status": "fail" if case < 8 else "pass"}  # noqa: E731
    found = conclusion({"a": passing, "b": passing, "c": bad}, 40, 2)
    assert [(one.treatment, one.harm.held) for one in found.findings] == [("b", "no_harm"), ("c", "harm")]
    assert not found.is_harmless


def test_judged_worse_is_harm_though_everything_passes() -> None:
    def judged(score: float) -> Answer:
        return lambda case, repeat: {"status": "pass", "llm_judge_score": score + (case + repeat) % 3 / 100}

    found = conclusion({"a": judged(0.9), "b": judged(0.7)}, 30, 3)
    assert [(one.metric, one.harm.held) for one in found.findings] == [
        ("pass_rate", "no_harm"),
        ("mean_quality_score", "harm"),
    ]


def test_a_case_that_is_not_tried_any_more_hides_what_it_would_come_to() -> None:
    found = conclusion({"a": passing, "b": lambda case, repeat: {"status": "skipped" if case == 3 else "pass"}}, 40, 3)
    [finding] = found.findings
    assert finding.harm.held == "cannot_tell"
    assert finding.why == "1 case that the control has an answer of has none"
    assert found.remarks == ("words at b: 1 of 40 cases not judged: case-03",)


def test_what_gave_no_output_to_judge_counts_as_the_worst_score() -> None:
    judged: Answer = lambda case, repeat: {"status": "pass", "llm_judge_score": 0.8}  # noqa: E731

    def crashing(case: int, repeat: int) -> Mapping[str, Any]:
        return {"status": "error"} if case < 10 else judged(case, repeat)

    found = {one.metric: one for one in conclusion({"a": judged, "b": crashing}, 40, 2).findings}
    assert found["mean_quality_score"].harm.difference == pytest.approx(-0.2)
    assert found["mean_quality_score"].harm.held == "harm"


def test_where_nothing_passes_nothing_gets_worse_and_nothing_is_shown() -> None:
    failing: Answer = lambda case, repeat: {"status": "error", "error": "exit 1"}  # noqa: E731
    found = conclusion({"a": failing, "b": failing}, 40, 5)
    assert not found.is_harmless
    [finding] = found.findings
    assert finding.harm.held == "cannot_tell"
    assert finding.why == "the control comes to no more than 0.05 itself, so that nothing could get worse"
    assert found.remarks == tuple(f"words at {name}: no case gave an output: exit 1" for name in "ab")


def test_where_nobody_judged_it_is_empty() -> None:
    skipping: Answer = lambda case, repeat: {"status": "skipped", "actual_output": None}  # noqa: E731
    found = conclusion({"a": skipping, "b": skipping}, 10, 3)
    assert found.is_empty
    assert not found.is_harmless


def test_a_difference_in_latency_below_the_suites_floor_is_none() -> None:
    def taking(ms: float) -> Answer:
        return lambda case, repeat: {"latency_ms": ms + case + repeat}

    assert (
        compared(conclusion({"a": taking(10), "b": taking(200)}, 20, 3), "mean_latency_ms").reading
        == "no_difference_shown"
    )
    assert compared(conclusion({"a": taking(10), "b": taking(300)}, 20, 3), "mean_latency_ms").reading == "worse"


def test_a_part_that_is_missing_is_told() -> None:
    every = measured({"a": passing, "b": passing}, 4, 3)
    [found] = put_together(every[:-1])
    with pytest.raises(CannotRun, match="of the ablation of words a part is missing"):
        concluded(found, 0.05)


def test_what_says_nothing_of_its_variant_is_of_no_ablation() -> None:
    [one, *_] = measured({"a": passing, "b": passing}, 2, 1)
    snapshot = {**one.subject["config_snapshot"], "ablation": {"place": 7}}
    broken = one.model_copy(update={"subject": {**one.subject, "config_snapshot": snapshot}})
    assert arm(one) is not None
    assert arm(broken) is None
    assert put_together([broken]) == []


def replayed(found: list[Measurement]) -> list[Measurement]:
    """The same, as if a model's answers had been replayed."""
    made = []
    for one in found:
        snapshot = one.subject["config_snapshot"] | {"llm": "replay"}
        made.append(one.model_copy(update={"subject": {**one.subject, "config_snapshot": snapshot}}).named())
    return made


@pytest.mark.parametrize(("cases", "repeats", "held"), [(15, 5, "cannot_tell"), (80, 1, "no_harm")])
def test_answers_that_are_replayed_count_once(cases: int, repeats: int, held: str) -> None:
    variants = {"control": passing, "other": passing}
    [made] = put_together(replayed(measured(variants, cases, repeats)))
    [found] = concluded(made, 0.05).findings
    assert (found.harm.held, found.harm.pairs) == (held, cases)
    assert ("answers were replayed" in found.why) == (held == "cannot_tell")


def test_what_was_only_skipped_is_neither_fast_nor_cheap() -> None:
    def skipped(case: int, repeat: int) -> Mapping[str, Any]:
        return {"status": "skipped", "latency_ms": 1.0, "token_cost": 0}

    variants = {"control": passing, "other": skipped}
    [made] = put_together(measured(variants, 15, 5))
    found = concluded(made, 0.05)
    assert {one.reading for one in found.comparison.compared} == {"not_compared"}
    assert [one.mean for one in found.scores if one.variant == "other"] == [None] * 3
