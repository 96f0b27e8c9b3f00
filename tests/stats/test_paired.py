from __future__ import annotations

import importlib
import sys
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from gitops.errors import CannotRun
from gitops.stats.paired import paired
from gitops.stats.randomized import INSTALL
from gitops.stats.statistic import Row

Sides = tuple[list[Row], list[Row]]


def means(*values: float) -> list[Row]:
    return [(value,) for value in values]


def drawn(n: int, shift: float, seed: int = 1, factors: int = 1) -> Sides:
    draw = Random(seed)
    first = [tuple(draw.random() for _ in range(factors)) for _ in range(n)]
    return first, [tuple(value + draw.gauss(shift, 0.1) for value in row) for row in first]


def sides(factors: int) -> st.SearchStrategy[Sides]:
    row = st.tuples(*[st.integers(0, 8).map(lambda eighth: eighth / 8)] * factors)
    return st.lists(st.tuples(row, row), min_size=1, max_size=9).map(
        lambda pairs: ([one for one, _ in pairs], [other for _, other in pairs])
    )


def test_of_no_sample_nothing_is_compared() -> None:
    with pytest.raises(ValueError, match="nothing"):
        paired([], [])


@pytest.mark.parametrize(("first", "second"), [(means(1, 0), means(1)), (means(1), [(1.0, 0.5)])])
def test_sides_that_do_not_match_are_refused(first: list[Row], second: list[Row]) -> None:
    with pytest.raises(ValueError, match=r"same samples"):
        paired(first, second)


def test_scores_need_scipy_and_say_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    with pytest.raises(CannotRun, match="SciPy") as refused:
        paired(means(0.5, 0.2), means(0.4, 0.9))
    assert refused.value.hint == INSTALL


def test_passes_and_failures_need_no_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    for name in ("paired", "matched", "detectable", "randomized"):
        importlib.import_module(f"gitops.stats.{name}")
    assert paired(means(1, 1, 0), means(0, 1, 0)).test == "mcnemar"


def test_one_sample_shows_nothing() -> None:
    told = paired(means(0.5), means(0.9))
    assert told.difference == pytest.approx(0.4)
    assert (told.p, told.interval, told.detectable) == (1.0, None, None)


def test_where_nothing_moved_nothing_is_shown_and_the_spread_is_unknown() -> None:
    told = paired(means(0.5, 0.25, 0.75), means(0.5, 0.25, 0.75))
    assert (told.difference, told.p, told.interval, told.detectable) == (0.0, 1.0, None, None)


def test_shares_worked_by_hand() -> None:
    # 10 samples; 6 that passed fail now, none the other way: 2 / 2 ** 6.
    told = paired(means(*[1] * 8, 0, 0), means(*[0] * 6, 1, 1, 0, 0))
    assert (told.pairs, told.first, told.second, told.test) == (10, 0.8, 0.2, "mcnemar")
    assert told.difference == pytest.approx(-0.6)
    assert told.p == 0.03125
    assert told.interval is not None
    assert told.interval[0] < -0.6 < told.interval[1] < 0
    assert told.detectable == pytest.approx(0.673, abs=1e-3)


def test_scores_worked_by_hand() -> None:
    # Differences 0.1, 0.2, 0.3, 0.2: their mean 0.2, their deviation 0.0816, Student's t of 3 is 3.182.
    told = paired(means(0.1, 0.2, 0.3, 0.4), means(0.2, 0.4, 0.6, 0.6))
    assert told.difference == pytest.approx(0.2)
    assert told.interval == pytest.approx((0.2 - 0.1299, 0.2 + 0.1299), abs=1e-4)
    # All of 4 go up: one of 16 ways to swap them gives as much, one as little.
    assert told.p == pytest.approx(2 / 16)


def test_a_product_worked_by_hand() -> None:
    # 0.5 * 0.5 before; (1 + 0) / 2 * (0.5 + 0.5) / 2 after one half of the first factor moved: no difference.
    told = paired([(0.5, 0.5), (0.5, 0.5)], [(1.0, 0.5), (0.0, 0.5)])
    assert (told.first, told.second, told.difference, told.p) == (0.25, 0.25, 0.0, 1.0)


@pytest.mark.parametrize("n", [5, 30, 200])
def test_the_interval_of_scores_is_that_of_scipys_paired_t(n: int) -> None:
    first, second = drawn(n, 0.03)
    theirs = stats.ttest_rel([row[0] for row in second], [row[0] for row in first]).confidence_interval(0.95)
    assert paired(first, second).interval == pytest.approx((theirs.low, theirs.high))


@pytest.mark.parametrize(("n", "near"), [(30, 0.01), (200, 0.005)])
def test_the_interval_of_a_difference_of_products_is_near_scipys_bootstrap(n: int, near: float) -> None:
    first, second = drawn(n, 0.05, factors=2)

    def difference(rows: Any, axis: int = -1) -> Any:
        before, after = (np.array(side)[rows].mean(axis=-2).prod(axis=-1) for side in (first, second))
        return after - before

    theirs = stats.bootstrap((np.arange(n),), difference, n_resamples=5_000, rng=1).confidence_interval
    assert paired(first, second).interval == pytest.approx((theirs.low, theirs.high), abs=near)


@pytest.mark.parametrize("shift", [0.0, 0.02, 0.1])
def test_the_p_value_of_scores_is_near_that_of_a_t_test(shift: float) -> None:
    first, second = drawn(60, shift)
    theirs = stats.ttest_rel([row[0] for row in second], [row[0] for row in first]).pvalue
    assert paired(first, second).p == pytest.approx(theirs, abs=0.02)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=12))
@settings(max_examples=40)
def test_of_passes_the_permutation_test_would_be_mcnemars(pairs: list[tuple[bool, bool]]) -> None:
    exact = paired(means(*(one for one, _ in pairs)), means(*(other for _, other in pairs)))
    scored = paired(means(*(one / 2 for one, _ in pairs)), means(*(other / 2 for _, other in pairs)))
    assert (exact.test, scored.test) == ("mcnemar", "permutation" if scored.first + scored.second else "mcnemar")
    assert scored.p == pytest.approx(exact.p)


@given(st.integers(1, 2).flatmap(sides))
@settings(max_examples=60)
def test_swapping_the_sides_turns_the_sign_and_nothing_else(both: Sides) -> None:
    one, other = paired(both[0], both[1]), paired(both[1], both[0])
    assert other.difference == pytest.approx(-one.difference)
    assert other.p == pytest.approx(one.p)
    assert other.detectable == pytest.approx(one.detectable)
    if one.interval is None:
        assert other.interval is None
    else:
        assert other.interval == pytest.approx((-one.interval[1], -one.interval[0]))


@given(sides(1), st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_the_order_of_few_samples_is_irrelevant(both: Sides, mixed: Random) -> None:
    pairs = list(zip(*both, strict=True))
    mixed.shuffle(pairs)
    one, other = paired(both[0], both[1]), paired([a for a, _ in pairs], [b for _, b in pairs])
    assert other.p == pytest.approx(one.p)
    assert other.difference == pytest.approx(one.difference)


def test_what_is_too_many_to_try_is_drawn_by_the_seed() -> None:
    first, second = drawn(60, 0.01)
    assert paired(first, second, seed=4).p == paired(first, second, seed=4).p
    assert paired(first, second, seed=4).p != paired(first, second, seed=5).p


@pytest.mark.parametrize("kind", ["shares", "scores"])
def test_where_there_is_no_difference_one_of_twenty_is_called_one(kind: str) -> None:
    draw, called = Random(11), 0
    for _ in range(150):
        first = [draw.random() for _ in range(9)]
        second = [draw.random() for _ in range(9)]
        if kind == "shares":
            first, second = ([float(value > 0.4) for value in side] for side in (first, second))
        called += paired(means(*first), means(*second)).p <= 0.05
    assert called / 150 <= 0.09


def test_samples_that_were_drawn_together_move_together() -> None:
    # One topic of three turned over, the other did not: alone 2 / 2 ** 3, of topics there is one that moved.
    first, second = means(1, 1, 1, 1, 1, 1), means(0, 0, 0, 1, 1, 1)
    assert paired(first, second).p == 0.25
    told = paired(first, second, clusters="aaabbb")
    assert (told.pairs, told.units, told.test, told.p) == (6, 2, "permutation", 1.0)
    # Parts of -0.5 three times and 0.5 three times: a third of their sums by topic is -0.5 and 0.5, its error 0.5, and
    # 12.7 times that on either side is more than shares can differ by.
    assert told.interval == (-1.0, 1.0)
    halved = paired([(2 * row[0],) for row in first], [(2 * row[0],) for row in second], clusters="aaabbb")
    assert halved.interval == pytest.approx((-1 - 12.706, -1 + 12.706), abs=1e-3)


def test_five_scores_could_not_have_shown_any_difference() -> None:
    first, second = means(0.1, 0.2, 0.3, 0.4, 0.5, 0.6), means(0.3, 0.2, 0.4, 0.4, 0.6, 0.6)
    assert paired(first[:5], second[:5]).detectable is None  # 2 / 2 ** 5 > 0.05
    assert paired(first[:5], second[:5], alpha=0.1).detectable is not None
    assert paired(first, second).detectable == pytest.approx(0.12, abs=0.01)


def test_no_difference_of_scores_between_0_and_1_is_larger_than_1() -> None:
    first, second = means(0, 1, 0, 1, 0, 0.5), means(1, 0, 1, 0, 1, 0.5)
    told = paired(first, second)
    assert told.detectable is None
    assert told.interval == pytest.approx((1 / 6 - 1.031, 1), abs=1e-3)
    longer = paired([(2 * row[0],) for row in first], [(2 * row[0],) for row in second])
    assert longer.detectable is not None
    assert longer.detectable > 2


@given(st.integers(1, 2).flatmap(sides))
@settings(max_examples=40)
def test_to_count_every_sample_twice_shows_nothing_more(both: Sides) -> None:
    once, names = paired(both[0], both[1]), range(len(both[0]))
    twice = paired(both[0] * 2, both[1] * 2, clusters=[*names, *names])
    assert twice.units == once.pairs
    assert twice.p == pytest.approx(once.p)
    if once.test == "permutation":
        assert twice.detectable == pytest.approx(once.detectable)
        assert (twice.interval is None) == (once.interval is None)
        if once.interval is not None:
            assert twice.interval == pytest.approx(once.interval)


def test_clusters_of_one_are_samples() -> None:
    first, second = drawn(20, 0.05)
    assert paired(first, second, clusters=range(20)) == paired(first, second)
    assert paired(means(1, 0), means(0, 0), clusters="ab").test == "mcnemar"
