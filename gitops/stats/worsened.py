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
"""So many things that came out no worse it takes to say from one repeat of each how far repeats lie apart."""
_FAR = 3.0
"""So many standard deviations: one of them that rose by more tells nothing of how far repeats lie apart."""
_NOTHING = 1e-9
"""A standard deviation that is none: numbers that were written alike."""


def fewer_passes(before: tuple[int, int], now: tuple[int, int]) -> float:
    """The one-sided p value of Fisher's exact test (1935): how likely so few of the passes are among those of now.

    `before` and `now` are how often it passed and how often it was tried. ValueError for what is no such count.
    """
    _checked(before)
    _checked(now)
    return _at_most(now[0], before, now)


def fewer_passes_together(things: Sequence[tuple[tuple[int, int], tuple[int, int]]]) -> float:
    """The same of several things at once, each beside itself: how likely so few passes of all of them are among those
    of now, where no thing changed (the exact test of stratified tables; Gart 1970).

    A thing is how often it passed and was tried before, and the same of now. ValueError for what is no such count.
    """
    chances = [1.0]
    for before, now in things:
        _checked(before)
        _checked(now)
        chances = _sums(chances, _hypergeometric(before, now))
    seen = sum(now[0] for _, now in things)
    return min(1.0, sum(chances[: seen + 1]))


def _hypergeometric(before: tuple[int, int], now: tuple[int, int]) -> list[float]:
    """By how many of all passes fall on now, how likely that is."""
    passes, tries = before[0] + now[0], before[1] + now[1]
    ways = [comb(now[1], k) * comb(before[1], passes - k) if k <= passes else 0 for k in range(now[1] + 1)]
    return [each / comb(tries, passes) for each in ways]


def _sums(one: Sequence[float], other: Sequence[float]) -> list[float]:
    """How likely each sum of two counts is, of which each has its own chances."""
    found = [0.0] * (len(one) + len(other) - 1)
    for at, first in enumerate(one):
        for beside, second in enumerate(other):
            found[at + beside] += first * second
    return found


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

    Of several repeats that is what they differ, before and now apart, or what those of all things differed before,
    whichever is more: among many things some look steadier than they are, and none that goes wild now hides what
    became of the others. Of single ones it is told by the things that came out no worse, so that what got worse,
    however many things that are, hides nothing either: the root of the mean square of what they rose by, none of it
    taken for more than three times 1.4826 times its median (Hampel 1974), over the root of two.
    """
    if not any(_freedom(sides) for sides in things):
        return [_of_single(things)] * len(things)
    is_known = len(things) > 1 and any(_freedom(sides[:1]) for sides in things)
    overall = _together([sides[:1] for sides in things] if is_known else things)
    found = [_wider(_together([sides]), overall) for sides in things]
    return [each if each.value > _NOTHING else None for each in found]


def _wider(own: Spread, overall: Spread) -> Spread:
    return own if own.degrees and own.value > overall.value else overall


def _together(things: Sequence[Sequence[Sequence[float]]]) -> Spread:
    """The standard deviation of repeats around the mean of their side, over all sides of some things."""
    squares = sum((len(side) - 1) * variance(side) for sides in things for side in sides if len(side) > 1)
    degrees = sum(map(_freedom, things))
    return Spread(sqrt(squares / degrees) if degrees else 0.0, degrees)


def _freedom(sides: Sequence[Sequence[float]]) -> int:
    return sum(len(side) - 1 for side in sides if side)


def _of_single(things: Sequence[Numbers]) -> Spread | None:
    rose = [now[0] - before[0] for before, now in things if now[0] >= before[0]]
    if len(rose) < _FEWEST:
        return None
    most = _FAR * 1.4826 * median(rose)
    scale = sqrt(fmean(min(each, most) ** 2 for each in rose) / 2)
    return Spread(scale, len(rose)) if scale > _NOTHING else None


def lower_mean(thing: Numbers, spread: Spread) -> float:
    """The one-sided p value of Student's t test (1908): how likely now is so much lower than before, if it is the same.

    CannotRun without SciPy.
    """
    before, now = thing
    error = spread.value * sqrt(1 / len(before) + 1 / len(now))
    return float(scipy_stats().t.cdf((fmean(now) - fmean(before)) / error, spread.degrees))


def lower_means_together(things: Sequence[tuple[Numbers, Spread]]) -> float:
    """The same of several things at once: how likely all of them together are so much lower now, if none changed.

    The degrees of freedom are those of Satterthwaite (1946). CannotRun without SciPy.
    """
    moved = sum(fmean(now) - fmean(before) for (before, now), _ in things)
    parts = [(spread.value**2 * (1 / len(before) + 1 / len(now)), spread.degrees) for (before, now), spread in things]
    whole = sum(part for part, _ in parts)
    degrees = whole**2 / sum(part**2 / free for part, free in parts)
    return float(scipy_stats().t.cdf(moved / sqrt(whole), degrees))


def _checked(counted: tuple[int, int]) -> None:
    passed, tried = counted
    if not 0 <= passed <= tried:
        raise ValueError(f"{passed} of {tried} is no count of passes")


def _at_most(passed: int, before: tuple[int, int], now: tuple[int, int]) -> float:
    """How likely at most so many of all passes fall on now (the hypergeometric distribution)."""
    return min(1.0, sum(_hypergeometric(before, now)[: passed + 1]))
