"""How small a difference a comparison could have shown: what tells "no difference" from "nobody could have seen it"."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import exp, lgamma, log, sqrt
from statistics import NormalDist

from gitops.stats.matched import exact_sign

POWER = 0.8
_EXACT_UP_TO = 200
"""Above so many pairs the formula of Connor is within a thirtieth of the exact figure."""
_STEPS = 20


def detectable_share(pairs: int, moving: float, alpha: float = 0.05, power: float = POWER) -> float | None:
    """The smallest difference between two shares of the same samples that McNemar's test would show with such power.

    `moving` is the share of samples that pass one time and not the other; where the difference itself is larger, all
    of it moves one way. Exact for up to 200 pairs, above by Connor (Biometrics 43 (1987), 207-211). None where there
    are too few pairs to show any.
    """

    def shows(difference: float) -> bool:
        moved = max(moving, difference)
        if pairs > _EXACT_UP_TO:
            return _connor(pairs, moved, difference, alpha, power)
        return power_of_mcnemar(pairs, moved, difference, alpha) >= power

    return _smallest(shows, 1.0)


def power_of_mcnemar(pairs: int, moving: float, difference: float, alpha: float = 0.05) -> float:
    """The chance that the exact test gives p ≤ alpha and the right sign.

    `moving` of the samples move in truth, so that `difference` of all more of them move one way than the other.
    """
    up = (moving + difference) / (2 * moving)
    return sum(
        _binomial(moved, pairs, moving) * _tail(least, moved, up)
        for moved in range(pairs + 1)
        if (least := _least(moved, alpha)) is not None
    )


def detectable_mean(pairs: int, spread: float, alpha: float = 0.05, power: float = POWER) -> float | None:
    """The smallest mean difference that a paired t test would show with such power, two-sided and with the right
    sign (Cohen 1988, 2.5).

    `spread` is the standard deviation of the differences. A permutation test of the mean has the same power in the
    limit (Hoeffding 1952). Through SciPy, which the caller has made sure of. None where nothing is known of the spread.
    """
    if pairs < 2 or spread <= 0:
        return None
    from scipy import stats

    freedom = pairs - 1
    bound = float(stats.t.isf(alpha / 2, freedom))

    def shows(difference: float) -> bool:
        away = difference * sqrt(pairs) / spread
        return bool(stats.nct.sf(bound, freedom, away) >= power)

    return _smallest(shows, spread * (bound + 4))


def _smallest(shows: Callable[[float], bool], most: float) -> float | None:
    """The smallest difference of which `shows` says yes, by halving; None where it does not even of the largest."""
    if not shows(most):
        return None
    low, high = 0.0, most
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if shows(middle) else (middle, high)
    return high


def _connor(pairs: int, moving: float, difference: float, alpha: float, power: float) -> bool:
    normal = NormalDist()
    bound, more = normal.inv_cdf(1 - alpha / 2), normal.inv_cdf(power)
    needed = bound * sqrt(moving) + more * sqrt(moving - difference**2)
    return pairs * difference**2 >= needed**2


@lru_cache(maxsize=1024)
def _least(moved: int, alpha: float) -> int | None:
    """How many of those that moved have to move one way for p ≤ alpha; None where not even all would do."""
    enough = [count for count in range((moved + 1) // 2, moved + 1) if exact_sign(moved - count, moved) <= alpha]
    return enough[0] if enough else None


def _tail(least: int, of: int, chance: float) -> float:
    return sum(_binomial(count, of, chance) for count in range(least, of + 1))


def _binomial(count: int, of: int, chance: float) -> float:
    if chance in (0.0, 1.0):
        return float(count == of * chance)
    ways = lgamma(of + 1) - lgamma(count + 1) - lgamma(of - count + 1)
    return exp(ways + count * log(chance) + (of - count) * log(1 - chance))
