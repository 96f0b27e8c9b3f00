"""Whether things that were tried before and now, once or several times, got worse by more than chance does.

Every test holds for a thing that did not change: then before and now are repeats of the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, sqrt
from statistics import fmean, median, variance

from gitops.stats.randomized import scipy_stats

Numbers = tuple[Sequence[float], Sequence[float]]
"""What a thing came to before and now, in each repeat."""
_FEWEST = 4
"""So many things it takes to say from one repeat of each how far repeats lie apart."""
_NOTHING = 1e-9
"""A standard deviation that is none: numbers that were written alike."""


def fewer_passes(before: tuple[int, int], now: tuple[int, int]) -> float:
    """The one-sided p value of Fisher's exact test (1935): how likely so few of the passes are among those of now.

    `before` and `now` are how often it passed and how often it was tried. ValueError for what is no such count.
    """
    _checked(before)
    _checked(now)
    return _at_most(now[0], before, now)


def least_fewer(before: tuple[int, int], now: tuple[int, int]) -> float:
    """The smallest p value that so many passes, in so many tries, could have come to."""
    return _at_most(max(0, before[0] + now[0] - before[1]), before, now)


@dataclass(frozen=True, slots=True)
class Spread:
    """How far repeats of one thing lie apart, as a standard deviation, and of how many degrees of freedom it is."""

    value: float
    degrees: int


def spreads(things: Sequence[Numbers]) -> list[Spread | None]:
    """How far repeats of each of some things lie apart; None where nothing varies, or nothing is known of it.

    Of several repeats that is what they differ, before and now apart, or what those of all things differ, whichever is
    more: among many things some look steadier than they are. Of single ones it is 1.4826 times the median absolute
    deviation of what the things differ by between before and now (Hampel 1974), of as many degrees of freedom as its
    efficiency of 37 % leaves, over the root of two.
    """
    squares = [sum((len(side) - 1) * variance(side) for side in sides if len(side) > 1) for sides in things]
    degrees = [sum(len(side) - 1 for side in sides if side) for sides in things]
    if not sum(degrees):
        return [_of_single(things)] * len(things)
    overall = Spread(sqrt(sum(squares) / sum(degrees)), sum(degrees))
    own = [Spread(sqrt(mine / free), free) if free else overall for mine, free in zip(squares, degrees, strict=True)]
    found = [each if each.value > overall.value else overall for each in own]
    return [each if each.value > _NOTHING else None for each in found]


def _of_single(things: Sequence[Numbers]) -> Spread | None:
    if len(things) < _FEWEST:
        return None
    moved = [now[0] - before[0] for before, now in things]
    middle = median(moved)
    scale = 1.4826 * median(abs(each - middle) for each in moved) / sqrt(2)
    return Spread(scale, max(1, int(0.37 * (len(things) - 1)))) if scale > _NOTHING else None


def lower_mean(thing: Numbers, spread: Spread) -> float:
    """The one-sided p value of Student's t test (1908): how likely now is so much lower than before, if it is the same.

    CannotRun without SciPy.
    """
    before, now = thing
    error = spread.value * sqrt(1 / len(before) + 1 / len(now))
    return float(scipy_stats().t.cdf((fmean(now) - fmean(before)) / error, spread.degrees))


def _checked(counted: tuple[int, int]) -> None:
    passed, tried = counted
    if not 0 <= passed <= tried:
        raise ValueError(f"{passed} of {tried} is no count of passes")


def _at_most(passed: int, before: tuple[int, int], now: tuple[int, int]) -> float:
    """How likely at most so many of all passes fall on now (the hypergeometric distribution)."""
    passes, tries = before[0] + now[0], before[1] + now[1]
    least = max(0, passes - before[1])
    ways = sum(comb(now[1], k) * comb(before[1], passes - k) for k in range(least, passed + 1))
    return min(1.0, ways / comb(tries, passes)) if tries else 1.0
