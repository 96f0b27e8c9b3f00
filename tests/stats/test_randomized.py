from __future__ import annotations

import sys
from itertools import product
from random import Random
from time import process_time

import pytest
from scipy import stats

from gitops.errors import CannotRun
from gitops.stats.bootstrap import product_of_means
from gitops.stats.randomized import INSTALL, randomized
from gitops.stats.statistic import Row

pytestmark = pytest.mark.slow

Side = list[Row | None]


def side(*values: float | None) -> Side:
    return [None if value is None else (value,) for value in values]


def test_without_scipy_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    with pytest.raises(CannotRun) as refused:
        randomized(side(1), side(0), "a")
    assert refused.value.hint == INSTALL


@pytest.mark.parametrize(
    ("first", "second", "clusters"),
    [
        (side(None, None), side(1, 0), "ab"),
        (side(1, 0), side(1), "ab"),
        ([(1.0, 0.5)], side(1), "a"),
    ],
)
def test_sides_that_do_not_match_are_refused(first: Side, second: Side, clusters: str) -> None:
    with pytest.raises(ValueError, match=r"nothing|same samples"):
        randomized(first, second, clusters)


def test_units_that_are_alike_on_both_sides_weigh_in_the_score() -> None:
    # All ways to swap ten units, six of which are alike or on one side alone, reckoned here one by one.
    first: Side = [(1.0, 0.2), (0.5, 0.9), (0.3, 0.4), (0.9, 1.0), *[(0.9, 0.1)] * 4, (0.2, 0.8), None]
    second: Side = [(0.2, 0.9), (0.9, 0.8), (0.6, 0.1), (0.4, 0.1), *[(0.9, 0.1)] * 4, None, (0.9, 0.9)]
    ways = []
    for way in product((False, True), repeat=len(first)):
        pairs = [pair[::-1] if swap else pair for pair, swap in zip(zip(first, second, strict=True), way, strict=True)]
        one, two = ([row for row in each if row is not None] for each in zip(*pairs, strict=True))
        ways.append(product_of_means(two) - product_of_means(one))
    seen = ways[0]
    above, below = (sum(sign * each >= sign * seen - 1e-12 for each in ways) for sign in (1, -1))
    told = randomized(first, second, range(10))
    assert told.difference == pytest.approx(seen)
    assert told.p == pytest.approx(min(1.0, 2 * min(above, below) / len(ways)))


def theirs(before: list[float], after: list[float]) -> float:
    """The p value of SciPy's permutation test, by as many resamples."""
    found = stats.permutation_test(
        (before, after),
        lambda one, other, axis: (other - one).mean(axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=9999,
        rng=1,
    )
    return float(found.pvalue)


@pytest.mark.parametrize("units", [2, 7, 8, 9, 12, 13])
def test_up_to_thirteen_units_all_ways_are_tried_as_scipy_does(units: int) -> None:
    draw = Random(units)
    before, after = ([draw.randrange(11) / 10 for _ in range(units)] for _ in range(2))
    assert randomized(side(*before), side(*after), range(units)).p == pytest.approx(theirs(before, after))


@pytest.mark.parametrize("units", [14, 16, 40, 333])
@pytest.mark.parametrize("shift", [0.0, 0.1])
def test_of_more_units_chance_gives_what_scipy_draws(units: int, shift: float) -> None:
    draw = Random(units)
    before = [draw.randrange(11) / 10 for _ in range(units)]
    after = [draw.randrange(11) / 10 + shift for _ in range(units)]
    mine = randomized(side(*before), side(*after), range(units)).p
    expected = theirs(before, after)
    tail = max(expected / 2, 0.0001)
    deviation = 2 * (2 * tail * (1 - tail) / 9999) ** 0.5  # twice the tail, both times drawn
    assert mine == pytest.approx(expected, abs=4 * deviation)


def test_the_smallest_p_value_is_one_of_five_thousand() -> None:
    assert randomized(side(*[0.0] * 500), side(*[0.7] * 500), range(500)).p == pytest.approx(0.0002)


def test_ways_that_give_the_same_difference_are_as_far_apart_in_whatever_order_they_are_added() -> None:
    # Twenty units, ten of which move each way by three tenths: nothing is nearer to nought than what was seen.
    before, after = [0.1] * 10 + [0.4] * 10, [0.4] * 10 + [0.1] * 10
    assert randomized(side(*before), side(*after), range(20)).p == 1.0


@pytest.mark.parametrize("share", [0.1, 1.0])
def test_ten_thousand_units_are_a_matter_of_a_second(share: float) -> None:
    draw = Random(7)
    before = [draw.randrange(11) / 10 for _ in range(10_000)]
    after = [draw.randrange(11) / 10 if draw.random() < share else each for each in before]
    started = process_time()
    told = randomized(side(*before), side(*after), range(10_000))
    assert process_time() - started < 2  # by drawing each unit anew it was twenty
    by_t = stats.ttest_rel(after, before).pvalue
    assert told.p == pytest.approx(by_t, abs=0.03)  # their limit is the same (Hoeffding 1952)


def test_one_unit_shows_nothing() -> None:
    told = randomized(side(1, 1, 1), side(0, 0, 0), "aaa")
    assert (told.difference, told.units, told.error, told.interval, told.p) == (-1.0, 1, 0.0, None, 1.0)


def test_pairs_worked_by_hand() -> None:
    # Differences 0.1, 0.2, 0.3, 0.2: deviation 0.0816, of four 0.0408.
    told = randomized(side(0.1, 0.2, 0.3, 0.4), side(0.2, 0.4, 0.6, 0.6), "abcd")
    assert told.difference == pytest.approx(0.2)
    assert told.error == pytest.approx(0.040825, abs=1e-6)
    assert told.p == pytest.approx(2 / 16)


def test_samples_of_one_side_alone_worked_by_hand() -> None:
    # a and b on both sides, c and d on the first alone, e and f on the second alone: 3 of 4, then 1 of 4.
    told = randomized(side(1, 0, 1, 1, None, None), side(1, 0, None, None, 0, 0), "abcdef")
    assert told.difference == -0.5
    # Parts: a 0.75/4 - 0.25/4, b as much the other way, c and d -0.25/4 each, e and f -0.25/4 each.
    assert told.error == pytest.approx(((2 * 0.125**2 + 4 * 0.0625**2) * 6 / 5) ** 0.5)
    # Four units may be swapped; as far apart as this are two of sixteen ways.
    assert told.p == pytest.approx(2 / 16)


@pytest.mark.parametrize("shift", [0.0, 0.05, 0.15])
def test_two_sides_with_few_samples_in_common_are_near_a_two_sample_test(shift: float) -> None:
    draw = Random(3)
    before = [draw.random() / 2 for _ in range(60)]
    after = [draw.random() / 2 + shift for _ in range(60)]
    first, second = side(0.25, *before, *[None] * 60), side(0.25 + shift, *[None] * 60, *after)
    told = randomized(first, second, range(121))
    theirs = stats.ttest_ind([0.25 + shift, *after], [0.25, *before])
    assert told.p == pytest.approx(theirs.pvalue, abs=0.03)
    low, high = theirs.confidence_interval(0.95)
    assert told.interval == pytest.approx((low, high), abs=0.01)


def test_where_there_is_no_difference_one_of_twenty_is_called_one() -> None:
    draw, called = Random(5), 0
    for _ in range(150):
        values = [float(draw.random() < 0.7) for _ in range(24)]
        first = side(*values[:12], *[None] * 6)
        second = side(*values[:6], *[None] * 6, *values[12:18])
        called += randomized(first, second, range(18)).p <= 0.05
    assert called / 150 <= 0.08
