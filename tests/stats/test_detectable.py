from __future__ import annotations

from math import sqrt
from random import Random

import pytest
from scipy import stats

from gitops.stats.detectable import detectable_mean, detectable_share, power_of_mcnemar
from gitops.stats.matched import Matched, mcnemar


def power_by_scipy(pairs: int, moving: float, difference: float) -> float:
    """The exact power, summed over how many move and how many of them one way."""
    up, power = (moving + difference) / (2 * moving), 0.0
    for moved in range(pairs + 1):
        rejected = [way for way in range(moved // 2 + 1, moved + 1) if stats.binomtest(way, moved).pvalue <= 0.05]
        power += stats.binom.pmf(moved, pairs, moving) * sum(stats.binom.pmf(way, moved, up) for way in rejected)
    return power


@pytest.mark.parametrize("pairs", [0, 1, 5])
def test_five_pairs_cannot_show_any_difference_of_shares(pairs: int) -> None:
    assert detectable_share(pairs, 0.0) is None
    assert detectable_share(pairs, 0.5) is None


@pytest.mark.parametrize(("pairs", "spread"), [(0, 1.0), (1, 1.0), (9, 0.0)])
def test_without_a_spread_nothing_is_known_of_means(pairs: int, spread: float) -> None:
    assert detectable_mean(pairs, spread) is None


def test_six_pairs_show_that_nearly_all_moved() -> None:
    # All six have to move (2 / 2 ** 6 ≤ 0.05 < 2 / 2 ** 5): d ** 6 = 0.8.
    assert detectable_share(6, 0.0) == pytest.approx(0.8 ** (1 / 6), abs=1e-5)


@pytest.mark.parametrize(("pairs", "moving", "difference"), [(10, 0.7, 0.6), (50, 0.2, 0.15), (80, 0.2, 0.1)])
def test_the_power_is_that_of_scipy(pairs: int, moving: float, difference: float) -> None:
    assert power_of_mcnemar(pairs, moving, difference) == pytest.approx(power_by_scipy(pairs, moving, difference))


@pytest.mark.parametrize(("pairs", "moving"), [(20, 0.1), (50, 0.2), (150, 0.05), (200, 0.4)])
def test_the_difference_is_shown_with_80_percent_power(pairs: int, moving: float) -> None:
    shown = detectable_share(pairs, moving)
    assert shown is not None
    assert power_of_mcnemar(pairs, max(moving, shown), shown) == pytest.approx(0.8, abs=1e-3)


def test_of_many_pairs_the_formula_is_near_the_exact_power() -> None:
    shown = detectable_share(400, 0.2)
    assert shown is not None
    assert power_of_mcnemar(400, 0.2, shown) == pytest.approx(0.8, abs=0.03)


def test_so_many_of_a_thousand_comparisons_show_it() -> None:
    draw, pairs, moving = Random(3), 50, 0.2
    shown = detectable_share(pairs, moving) or 0.0
    up, seen = (moving + shown) / 2, 0
    for _ in range(1_000):
        tosses = [draw.random() for _ in range(pairs)]
        won = sum(toss < up for toss in tosses)
        lost = sum(up <= toss < moving for toss in tosses)
        seen += mcnemar(Matched(pairs - won - lost, lost, won, 0)) <= 0.05
    assert seen / 1_000 == pytest.approx(0.8, abs=0.03)


@pytest.mark.parametrize(("pairs", "spread"), [(3, 1.0), (10, 0.25), (30, 0.2), (500, 7.0)])
def test_the_mean_is_shown_with_80_percent_power(pairs: int, spread: float) -> None:
    shown = detectable_mean(pairs, spread)
    assert shown is not None
    bound = stats.t.isf(0.025, pairs - 1)
    assert stats.nct.sf(bound, pairs - 1, shown * sqrt(pairs) / spread) == pytest.approx(0.8, abs=1e-3)


def test_34_pairs_for_half_a_standard_deviation_as_every_table_has_it() -> None:
    assert detectable_mean(34, 1.0) == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize("alpha", [0.01, 0.1])
def test_who_asks_for_more_certainty_sees_less(alpha: float) -> None:
    usual, other = detectable_share(50, 0.1), detectable_share(50, 0.1, alpha)
    assert usual is not None
    assert other is not None
    assert (other > usual) == (alpha < 0.05)
