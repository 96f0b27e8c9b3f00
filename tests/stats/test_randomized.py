from __future__ import annotations

import sys
from itertools import product
from random import Random

import pytest
from scipy import stats

from gitops.errors import CannotRun
from gitops.stats.bootstrap import product_of_means
from gitops.stats.randomized import INSTALL, Row, randomized

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
