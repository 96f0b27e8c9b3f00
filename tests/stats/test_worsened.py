from __future__ import annotations

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from gitops.stats.worsened import (
    fewer_passes,
    fewer_passes_together,
    least_fewer,
    lower_mean,
    lower_means_together,
    spreads,
)

COUNTS = st.integers(1, 30).flatmap(lambda tried: st.tuples(st.integers(0, tried), st.just(tried)))
SCORES = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@given(COUNTS, COUNTS)
def test_fewer_passes_are_tested_as_scipy_does(before: tuple[int, int], now: tuple[int, int]) -> None:
    table = numpy.array([[now[0], now[1] - now[0]], [before[0], before[1] - before[0]]])
    expected = float(stats.fisher_exact(table, alternative="less").pvalue)
    assert fewer_passes(before, now) == pytest.approx(expected, abs=1e-9)


@given(COUNTS, COUNTS, COUNTS, COUNTS)
def test_several_things_are_tested_together_each_beside_itself(
    before: tuple[int, int], now: tuple[int, int], other: tuple[int, int], since: tuple[int, int]
) -> None:
    assert fewer_passes_together([(before, now)]) == pytest.approx(fewer_passes(before, now), abs=1e-9)
    chances = [
        stats.hypergeom(was[1] + then[1], was[0] + then[0], then[1]).pmf(range(then[1] + 1))
        for was, then in ((before, now), (other, since))
    ]
    expected = float(numpy.convolve(chances[0], chances[1])[: now[0] + since[0] + 1].sum())
    assert fewer_passes_together([(before, now), (other, since)]) == pytest.approx(expected, abs=1e-9)


@given(COUNTS, COUNTS)
def test_no_outcome_with_so_many_passes_is_less_likely_than_the_least(
    before: tuple[int, int], now: tuple[int, int]
) -> None:
    passes = before[0] + now[0]
    ways = [
        fewer_passes((passes - k, before[1]), (k, now[1])) for k in range(now[1] + 1) if 0 <= passes - k <= before[1]
    ]
    assert least_fewer(before, now) == pytest.approx(min(ways))


def told(before: list[float], now: list[float]) -> float | None:
    """The p value of one thing alone; None where nothing varies."""
    [spread] = spreads([(before, now)])
    return None if spread is None else lower_mean((before, now), spread)


@given(SCORES, SCORES)
def test_lower_means_are_tested_as_scipy_does(before: list[float], now: list[float]) -> None:
    if len(before) < 2 or len(now) < 2 or any(len({round(each, 6) for each in side}) < 2 for side in (before, now)):
        return
    expected = float(stats.ttest_ind(now, before, equal_var=True, alternative="less").pvalue)
    assert told(before, now) == pytest.approx(expected, abs=1e-9)


def test_one_score_now_is_held_against_how_those_before_lie_apart() -> None:
    low, near = told([0.8, 0.9, 0.85], [0.2]), told([0.8, 0.9, 0.85], [0.82])
    assert low is not None
    assert near is not None
    assert low < 0.01
    assert near > 0.05


def test_one_thing_alone_and_with_others_is_tested_alike() -> None:
    thing = ([0.8, 0.9, 0.85], [0.7, 0.72, 0.9])
    [spread] = spreads([thing])
    assert spread is not None
    alone = lower_mean(thing, spread)
    assert lower_means_together([(thing, spread)]) == pytest.approx(alone)
    assert lower_means_together([(thing, spread)] * 5) < alone / 2
    better = (thing[1], thing[0])
    assert lower_means_together([(thing, spread), (better, spread)]) == pytest.approx(0.5)


def test_where_nothing_varies_chance_has_no_say() -> None:
    assert spreads([([0.9, 0.9], [0.7, 0.7])]) == [None]
    assert spreads([([0.9], [0.7])] * 9) == [None] * 9


def test_a_thing_that_looks_steadier_than_the_others_is_taken_for_one_of_them() -> None:
    wild, steady = ([0.2, 0.8], [0.1, 0.9]), ([0.5, 0.5], [0.4, 0.4])
    first, second = spreads([wild, steady])
    assert first is not None
    assert second is not None
    assert first.value > second.value > 0.2
    assert (first.degrees, second.degrees) == (2, 2)


def test_what_goes_wild_now_hides_nothing_of_the_others() -> None:
    steady = [([0.8, 0.82, 0.81], [0.8, 0.81, 0.82])] * 4
    fell, wild = ([0.8, 0.81, 0.82], [0.6, 0.61, 0.62]), ([0.8, 0.82, 0.81], [-30.0, 30.0, 0.8])
    found = spreads([*steady, fell, wild])[4]
    assert found is not None
    assert found.value < 0.02
    assert lower_mean(fell, found) < 0.001


def test_single_repeats_are_held_against_how_those_moved_that_came_out_no_worse() -> None:
    rose = (0.1, 0.05, 0.01, 0.02, 0.04, 0.03, 9.0)
    things = [([0.5], [0.5 + moved]) for moved in (*rose, -0.03, -0.45)]
    found = spreads(things)
    last = found[-1]
    assert last is not None
    assert found == [last] * 9
    none_more = [min(each, 3 * 1.4826 * 0.04) for each in rose]
    assert last.value == pytest.approx((sum(each**2 for each in none_more) / 14) ** 0.5)
    assert last.degrees == 7
    assert lower_mean(things[-1], last) < 0.01
    assert lower_mean(things[-2], last) > 0.05


@pytest.mark.parametrize("worse", [1, 10, 14])
def test_of_single_repeats_many_that_got_worse_hide_each_other_no_more_than_one(worse: int) -> None:
    moved = [0.01 * (at % 5 + 1) for at in range(20 - worse)] + [-0.6] * worse
    things = [([0.9], [0.9 + each]) for each in moved]
    found = spreads(things)[-1]
    assert found is not None
    assert lower_mean(things[-1], found) < 0.05 / 20


def test_of_few_things_that_were_tried_once_nothing_is_known() -> None:
    assert spreads([([0.5], [0.1]), ([0.5], [0.6]), ([0.5], [0.4])]) == [None] * 3
    assert spreads([([0.5], [0.6 + at / 10]) for at in range(3)] + [([0.9], [0.1])] * 9) == [None] * 12


@pytest.mark.parametrize(("before", "now"), [((2, 1), (0, 1)), ((0, 1), (-1, 1))])
def test_what_is_no_count_is_refused(before: tuple[int, int], now: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="no count of passes"):
        fewer_passes(before, now)
