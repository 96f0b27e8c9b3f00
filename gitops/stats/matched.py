"""Shares of the same samples, measured twice: only the samples that moved tell them apart (McNemar 1947)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import copysign, inf, sqrt

from gitops.stats.intervals import Z95, wilson

Interval = tuple[float, float]
_HALVINGS = 50


@dataclass(frozen=True, slots=True)
class Matched:
    """How often both passed, the first alone, the second alone, neither."""

    both: int
    first: int
    second: int
    neither: int

    @property
    def of(self) -> int:
        """How many samples there are."""
        return self.both + self.first + self.second + self.neither

    @property
    def moved(self) -> int:
        """How many passed one of the two times."""
        return self.first + self.second

    @property
    def difference(self) -> float:
        """The second share less the first."""
        return (self.second - self.first) / self.of


def matched(first: Sequence[bool], second: Sequence[bool]) -> Matched:
    """Count samples of which it is known whether each passed, in the same order, both times."""
    pairs = list(zip(first, second, strict=True))
    counted = (sum(pair == kind for pair in pairs) for kind in ((True, True), (True, False), (False, True)))
    both, one, other = counted
    return Matched(both, one, other, len(pairs) - both - one - other)


def mcnemar(counts: Matched) -> float:
    """The exact two-sided p value (McNemar 1947): of those that moved, half would move either way by chance."""
    return exact_sign(min(counts.first, counts.second), counts.moved)


def exact_sign(fewer: int, of: int) -> float:
    """Twice the chance that of so many tosses of a coin at most `fewer` show one side; at most 1."""
    ways, term = 0, 1
    for k in range(fewer + 1):
        ways += term
        term = term * (of - k) // (k + 1)
    return float(min(Fraction(1), Fraction(2 * ways, 2**of)))


def newcombe(counts: Matched) -> Interval | None:
    """The 95 % score interval of the second share less the first, of the same samples; None of none.

    Newcombe, Statistics in Medicine 17 (1998), 2635-2650, method 10: Wilson's intervals of both shares, squared and
    added with their correlation, which is corrected for continuity.
    """
    n = counts.of
    if not n:
        return None
    before, after = counts.both + counts.first, counts.both + counts.second
    first, second = wilson(before, n), wilson(after, n)
    assert first is not None
    assert second is not None
    down, up = after / n - second[0], second[1] - after / n
    other_down, other_up = before / n - first[0], first[1] - before / n
    phi = _correlation(counts)
    low = counts.difference - sqrt(max(0.0, down**2 - 2 * phi * down * other_up + other_up**2))
    high = counts.difference + sqrt(max(0.0, up**2 - 2 * phi * up * other_down + other_down**2))
    return max(-1.0, low), min(1.0, high)


def tango(lost: float, won: float, of: float, z: float = Z95) -> Interval:
    """The score interval of the second share less the first, by how many samples only one of the two passed: at 95 %.

    Tango, Statistics in Medicine 17 (1998), 891-908: made to show that a share is no worse by more than a margin. Where
    nothing moved it reaches z² / (n + z²) either way, however many samples passed.
    """
    difference = (won - lost) / of
    return _end(lost, won, of, z, difference, -1.0), _end(lost, won, of, z, difference, 1.0)


def _end(lost: float, won: float, of: float, z: float, inside: float, outside: float) -> float:
    """The last difference, on the way from one to another, that the score test does not refuse: by halving."""
    for _ in range(_HALVINGS):
        middle = (inside + outside) / 2
        is_refused = abs(tango_score(lost, won, of, middle)) > z
        inside, outside = (inside, middle) if is_refused else (middle, outside)
    return inside


def tango_score(lost: float, won: float, of: float, difference: float) -> float:
    """How many standard errors the difference that was seen is away from one that is supposed.

    The error is that of the likeliest shares whose difference is the supposed one.
    """
    middle = lost + won - difference * (2 * of + lost - won)
    root = middle**2 + 8 * of * lost * difference * (1 - difference)
    alone = (middle + sqrt(max(0.0, root))) / (4 * of)
    variance = of * (2 * alone + difference - difference**2)
    away = won - lost - of * difference
    return away / sqrt(variance) if variance > 0 else copysign(inf, away) if away else 0.0


def _correlation(counts: Matched) -> float:
    sides = (counts.both + counts.first, counts.second + counts.neither)
    others = (counts.both + counts.second, counts.first + counts.neither)
    product = sides[0] * sides[1] * others[0] * others[1]
    if not product:
        return 0.0
    apart = counts.both * counts.neither - counts.first * counts.second
    corrected = max(apart - counts.of / 2, 0.0) if apart > 0 else float(apart)
    return corrected / sqrt(product)
