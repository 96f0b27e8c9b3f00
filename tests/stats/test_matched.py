from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from gitops.stats.matched import Matched, exact_sign, matched, mcnemar, newcombe

COUNTS = st.builds(Matched, *[st.integers(0, 40)] * 4)


def mirrored(counts: Matched) -> Matched:
    return Matched(counts.both, counts.second, counts.first, counts.neither)


def test_samples_of_other_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="shorter"):
        matched([True, False], [True])


def test_of_nothing_nothing_is_known() -> None:
    assert newcombe(matched([], [])) is None


def test_the_four_kinds_of_pairs_are_counted() -> None:
    counts = matched([True, True, True, False, False], [True, False, False, True, False])
    assert counts == Matched(both=1, first=2, second=1, neither=1)
    assert counts.of == 5
    assert counts.moved == 3
    assert counts.difference == pytest.approx(-0.2)


@pytest.mark.parametrize(
    ("first", "second", "p"),
    # By hand: of 6 that moved all one way, 2 / 2 ** 6; of 7 one other way, 2 * (1 + 7) / 2 ** 7; none moved: certain.
    [(6, 0, 0.03125), (1, 6, 0.125), (3, 3, 1.0), (0, 0, 1.0), (0, 1, 1.0)],
)
def test_mcnemar_by_hand(first: int, second: int, p: float) -> None:
    assert mcnemar(Matched(50, first, second, 9)) == p


def test_mcnemar_of_the_literature() -> None:
    # Agresti, Categorical Data Analysis (2002), table 10.1 turned: 86 and 150 changed their mind; p is far below 0.001.
    assert mcnemar(Matched(794, 150, 86, 570)) == pytest.approx(3.716e-5, rel=1e-3)


@given(st.integers(0, 300), st.integers(0, 300))
def test_mcnemar_is_the_binomial_test_of_scipy(first: int, second: int) -> None:
    theirs = stats.binomtest(first, first + second).pvalue if first + second else 1.0
    assert mcnemar(Matched(1, first, second, 1)) == pytest.approx(theirs)


def test_many_tosses_are_counted_exactly() -> None:
    assert exact_sign(4_900, 10_000) == pytest.approx(stats.binomtest(4_900, 10_000).pvalue)


@pytest.mark.parametrize(
    ("counts", "low", "high"),
    # Newcombe, Statistics in Medicine 17 (1998), 2635: method 10 of 36, 12, 2, 0, as the first less the second. Last,
    # by his formula: shares 0.64 and 0.44, their correlation (20 * 16 - 12 * 2 - 50 / 2) / √(32 * 18 * 22 * 28).
    [
        (Matched(36, 2, 12, 0), 0.0569, 0.3404),
        (Matched(36, 12, 2, 0), -0.3404, -0.0569),
        (Matched(20, 12, 2, 16), -0.3292, -0.0562),
    ],
)
def test_the_interval_is_that_of_the_literature(counts: Matched, low: float, high: float) -> None:
    assert newcombe(counts) == pytest.approx((low, high), abs=5e-5)


def test_where_all_passed_both_times_the_interval_still_has_a_width() -> None:
    low, high = newcombe(Matched(50, 0, 0, 0)) or (0.0, 0.0)
    assert low < 0 < high
    assert high < 0.1


@given(COUNTS)
def test_swapping_the_sides_turns_the_sign_and_nothing_else(counts: Matched) -> None:
    assert mcnemar(mirrored(counts)) == mcnemar(counts)
    if counts.of:
        low, high = newcombe(counts) or (0.0, 0.0)
        assert newcombe(mirrored(counts)) == pytest.approx((-high, -low))


@given(COUNTS.filter(lambda counts: counts.of > 0))
def test_the_interval_holds_the_difference(counts: Matched) -> None:
    low, high = newcombe(counts) or (0.0, 0.0)
    assert -1 <= low <= counts.difference + 1e-12
    assert counts.difference - 1e-12 <= high <= 1
