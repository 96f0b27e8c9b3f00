"""Intervals of what has no formula of its own: by drawing the samples anew, with repetition (Efron 1979)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from math import fsum, prod, sqrt
from random import Random
from statistics import NormalDist, fmean
from typing import TypeVar

from gitops.stats.intervals import wilson

Sample = TypeVar("Sample")
Interval = tuple[float, float]
RESAMPLES = 2000
"""So many that the ends of a 95 % interval hardly move with the seed (Efron and Tibshirani 1993, 14.3)."""
_NORMAL = NormalDist()


def bootstrap(
    samples: Sequence[Sample],
    statistic: Callable[[Sequence[Sample]], float],
    seed: int = 0,
    resamples: int = RESAMPLES,
    level: float = 0.95,
) -> Interval | None:
    """The bias-corrected and accelerated interval of a statistic (Efron 1987, BCa), the same for the same seed.

    It is widened for small samples, whose resamples vary less than new samples would (Hesterberg, The American
    Statistician 69 (2015), 371-386, 5.3): of ten samples by a fifth, of a hundred hardly at all.

    None where the samples tell nothing of their spread: there are fewer than two of them, or the statistic is the same
    whichever are drawn. `statistic` is called once for each resample and once with each sample left out.
    """
    if len(samples) < 2:
        return None
    seen = statistic(samples)
    draw = Random(seed)
    drawn = sorted(statistic(draw.choices(samples, k=len(samples))) for _ in range(resamples))
    if drawn[0] == drawn[-1]:
        return None
    bias = _NORMAL.inv_cdf(_share_below(drawn, seen))
    bent = _acceleration([statistic([*samples[:at], *samples[at + 1 :]]) for at in range(len(samples))])
    away = _widened(_NORMAL.inv_cdf((1 + level) / 2), len(samples))
    low, high = (_corrected(each, bias, bent) for each in (-away, away))
    return _quantile(drawn, low), _quantile(drawn, high)


def product_interval(
    pairs: Sequence[tuple[float, float]], seed: int = 0, resamples: int = RESAMPLES
) -> Interval | None:
    """The 95 % interval of the mean of the first shares times the mean of the second; None of nothing.

    Pairs are drawn whole, in an order that is theirs alone, so that it does not matter in which they are given. Where
    all are alike there is nothing to draw from, and [1, 1] for 30 perfect answers would be a lie: the interval then is
    what it can be if, by Wilson's bound, all but so few others are like them, and nothing is known of those few.
    """
    if not all(0 <= share <= 1 for pair in pairs for share in pair):
        raise ValueError("a product of shares is taken of numbers from 0 to 1")
    ordered = sorted(pairs)
    drawn = bootstrap(ordered, product_of_means, seed, resamples)
    if drawn is not None or not ordered:
        return drawn
    return _of_alike(ordered)


def product_of_means(rows: Sequence[tuple[float, ...]]) -> float:
    """The product of the means of the columns: of one column, its mean. ValueError of nothing."""
    if not rows:
        raise ValueError("there is no mean of nothing")
    columns: Iterable[tuple[float, ...]] = zip(*rows, strict=True)
    return prod([sum(column) / len(rows) for column in columns])


def _of_alike(rows: Sequence[tuple[float, ...]]) -> Interval:
    bounds = wilson(len(rows), len(rows))
    assert bounds is not None
    alike, others = bounds[0], 1 - bounds[0]
    columns = list(zip(*rows, strict=True))
    low = prod(min(column) * alike for column in columns)
    return low, min(1.0, prod(max(column) * alike + others for column in columns))


def _share_below(drawn: Sequence[float], seen: float) -> float:
    """The share of resamples below what was seen, half of those that equal it counted; never none and never all."""
    below = (bisect_left(drawn, seen) + bisect_right(drawn, seen)) / 2
    return min(max(below, 0.5), len(drawn) - 0.5) / len(drawn)


def _acceleration(left_out: Sequence[float]) -> float:
    """How the spread of the statistic changes with its value, from the jackknife (Efron 1987, (7.3))."""
    centre = fmean(left_out)
    apart = [centre - value for value in left_out]
    spread = sqrt(fsum(each**2 for each in apart))
    return fsum((each / spread) ** 3 for each in apart) / 6 if spread else 0.0


def _widened(away: float, n: int) -> float:
    """The quantile of Student's t for a normal one, by its expansion (Abramowitz and Stegun 1964, 26.7.5)."""
    free, square = n - 1, away * away
    first = (square + 1) / 4
    second = ((5 * square + 16) * square + 3) / 96
    third = (((3 * square + 19) * square + 17) * square - 15) / 384
    return sqrt(n / free) * away * (1 + first / free + second / free**2 + third / free**3)


def _corrected(away: float, bias: float, bent: float) -> float:
    """The share of resamples below an end of the interval that lies so many standard deviations off."""
    moved = bias + away
    return _NORMAL.cdf(bias + moved / (1 - bent * moved))


def _quantile(ordered: Sequence[float], share: float) -> float:
    """The quantile with linear interpolation (Hyndman and Fan 1996, definition 7)."""
    place = share * (len(ordered) - 1)
    below = min(int(place), len(ordered) - 2)
    part = place - below
    return ordered[below] * (1 - part) + ordered[below + 1] * part
