"""Shares of the same samples, measured twice: only the samples that moved tell them apart (McNemar 1947)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from gitops.stats.intervals import wilson

Interval = tuple[float, float]


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


def _correlation(counts: Matched) -> float:
    sides = (counts.both + counts.first, counts.second + counts.neither)
    others = (counts.both + counts.second, counts.first + counts.neither)
    product = sides[0] * sides[1] * others[0] * others[1]
    if not product:
        return 0.0
    apart = counts.both * counts.neither - counts.first * counts.second
    corrected = max(apart - counts.of / 2, 0.0) if apart > 0 else float(apart)
    return corrected / sqrt(product)
