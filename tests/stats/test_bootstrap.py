from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from random import Random
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from gitops.stats.bootstrap import bootstrap, product_interval, product_of_means

SHARES = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=12)
GRADES = [0.0, 0.25, 0.5, 0.75, 1.0]


def widened(level: float, n: int) -> float:
    """The level at which a plain bootstrap is as wide as ours at `level` (Hesterberg 2015)."""
    return float(1 - 2 * stats.norm.sf(sqrt(n / (n - 1)) * stats.t.isf((1 - level) / 2, n - 1)))


def answers(n: int, seed: int) -> list[tuple[float, float]]:
    """Shares of a few grades, mostly high, as gold queries give."""
    draw = Random(seed)
    return [(draw.choices(GRADES, [1, 1, 2, 3, 5])[0], draw.choices(GRADES, [1, 2, 2, 2, 4])[0]) for _ in range(n)]


@pytest.mark.parametrize("pair", [(1.5, 0.5), (0.5, -0.1), (float("nan"), 1.0)])
def test_what_is_no_pair_of_shares_is_refused(pair: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        product_interval([(1.0, 1.0), pair])


def test_of_nothing_nothing_is_known() -> None:
    assert product_interval([]) is None
    assert bootstrap([], fmean) is None
    with pytest.raises(ValueError, match="nothing"):
        product_of_means([])


def test_one_sample_and_samples_that_are_alike_do_not_tell_their_spread() -> None:
    assert bootstrap([0.5], fmean) is None
    assert bootstrap([0.5] * 9, fmean) is None


def test_thirty_perfect_answers_prove_nothing_perfect() -> None:
    # Wilson of 30 of 30: 30 / (30 + 1.959964 ** 2) = 0.886486; squared.
    assert product_interval([(1.0, 1.0)] * 30) == pytest.approx((0.785858, 1.0), abs=1e-6)


def test_where_no_citation_is_right_the_product_may_still_be_a_little() -> None:
    low, high = product_interval([(0.0, 1.0), (0.0, 0.5), (0.0, 0.0)]) or (None, None)
    assert low == 0.0
    # Wilson of 3 of 3: 3 / (3 + 3.841459) = 0.438503; the first share may be the rest, the second 1.
    assert high == pytest.approx(0.561497, abs=1e-6)


def test_a_single_answer_leaves_nearly_everything_open() -> None:
    low, high = product_interval([(0.8, 0.5)]) or (1.0, 0.0)
    assert low < 0.05
    assert high > 0.8


def test_a_product_of_means_is_not_a_mean_of_products() -> None:
    assert product_of_means([(1.0, 0.0), (0.0, 1.0)]) == 0.25
    assert product_of_means([(0.2,), (0.6,)]) == pytest.approx(0.4)


@pytest.mark.parametrize("n", [8, 30, 100])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_interval_of_a_product_is_that_of_scipy(n: int, seed: int) -> None:
    pairs = answers(n, seed)

    def product(first: Any, second: Any, axis: int = -1) -> Any:
        return np.mean(first, axis=axis) * np.mean(second, axis=axis)

    theirs = stats.bootstrap(
        tuple(zip(*pairs, strict=True)),
        product,
        paired=True,
        method="BCa",
        confidence_level=widened(0.95, n),
        n_resamples=20_000,
        rng=1,
    ).confidence_interval
    assert product_interval(pairs, resamples=20_000) == pytest.approx((theirs.low, theirs.high), abs=0.01)


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_the_interval_of_a_lopsided_mean_is_that_of_scipy(level: float) -> None:
    draw = Random(5)
    waits = [draw.expovariate(0.1) for _ in range(25)]
    theirs = stats.bootstrap(
        (waits,), np.mean, method="BCa", confidence_level=widened(level, 25), n_resamples=20_000, rng=1
    ).confidence_interval
    ours = bootstrap(waits, fmean, resamples=20_000, level=level)
    assert ours == pytest.approx((theirs.low, theirs.high), rel=0.05)


@pytest.mark.parametrize(("n", "least"), [(5, 0.88), (10, 0.92), (30, 0.93)])
def test_the_interval_holds_the_truth_about_as_often_as_it_says(n: int, least: float) -> None:
    """Of 300 samples of known quality: near 95 %, and of 5 answers still not much less."""
    draw = Random(7)
    held, truth = 0, 0.45
    for _ in range(300):
        pairs = [(float(draw.random() < 0.75), draw.triangular(0, 1, 0.8)) for _ in range(n)]
        low, high = product_interval(pairs, resamples=400) or (1.0, 0.0)
        held += low <= truth <= high
    assert held / 300 >= least


@given(SHARES, st.randoms(use_true_random=False))
def test_the_order_of_the_samples_is_irrelevant(pairs: list[tuple[float, float]], mixed: Random) -> None:
    other = list(pairs)
    mixed.shuffle(other)
    assert product_interval(pairs, resamples=50) == product_interval(other, resamples=50)


@given(SHARES)
def test_the_interval_lies_between_0_and_1_with_its_ends_in_order(pairs: list[tuple[float, float]]) -> None:
    low, high = product_interval(pairs, resamples=50) or (1.0, 0.0)
    assert 0 <= low <= high <= 1


def test_the_seed_decides_what_is_drawn() -> None:
    pairs = answers(30, 1)
    assert product_interval(pairs, seed=1) == product_interval(pairs, seed=1)
    assert product_interval(pairs, seed=1) != product_interval(pairs, seed=2)


def test_each_sample_is_left_out_once_and_drawn_whole() -> None:
    sizes = []

    def counted(rows: Sequence[int]) -> float:
        sizes.append(len(rows))
        return fmean(rows)

    bootstrap([1, 2, 3, 4], counted, resamples=10)
    assert sizes == [4] * 11 + [3] * 4
