"""A difference of two scores, with its error and p value, from samples of which both sides have some, or one side has.

How a score comes from the samples' rows is a `Statistic`. What is independent of one another is called a unit: a sample
with its rows on both sides, or all samples that were drawn together.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import fsum, inf, sqrt
from typing import TYPE_CHECKING, Any

from gitops.errors import CannotRun
from gitops.stats.bootstrap import Interval
from gitops.stats.statistic import MEANS, RATIO, TOTAL, Row, Statistic

if TYPE_CHECKING:
    from types import ModuleType

INSTALL = "pip install 'git-assay[stats]'"
_PERMUTATIONS = 9999
"""With what was seen ten thousand, so that the smallest p value is 0.0002."""
_ALL_UP_TO = 13
"""Of so many units that differ or fewer all ways are tried: they are no more than would be drawn."""
_NEAR = 1e-10
"""Differences are equal that are so near one another, as a part of the largest: sums are rounded by their order."""


@dataclass(frozen=True, slots=True)
class Randomized:
    """The second score less the first; `error` is its standard error, 0 where the samples tell nothing of it.

    `moved` of the `units` differ between the two sides. `is_bounded`: no score could be below 0 or above 1, and so no
    difference beyond 1 either way.
    """

    difference: float
    error: float
    units: int
    moved: int
    interval: Interval | None
    p: float
    is_bounded: bool


def randomized(
    first: Sequence[Row | None],
    second: Sequence[Row | None],
    clusters: Sequence[Hashable],
    seed: int = 0,
    statistic: Statistic = MEANS,
) -> Randomized:
    """Compare two sides of the same list of samples; None where a side has not that one.

    `clusters` says of each sample to which unit it belongs. ValueError where a side has no score, or rows have other
    lengths; CannotRun where SciPy is not installed.
    """
    scipy = scipy_stats()
    sides = [[row for row in side if row is not None] for side in (first, second)]
    if len(first) != len(second) or len({len(row) for side in sides for row in side}) > 1:
        raise ValueError("the sides are not of the same samples, or score them by other numbers of factors")
    difference = statistic.value(sides[1]) - statistic.value(sides[0])
    groups = _groups(clusters)
    error = _error(first, second, groups, statistic)
    half = float(scipy.t.isf(0.025, len(groups) - 1)) * error if error else 0.0
    is_bounded = all(map(statistic.is_bounded, sides))
    most = 1.0 if is_bounded else inf
    interval = (max(-most, difference - half), min(most, difference + half)) if error else None
    sums = _summed(first, groups), _summed(second, groups)
    moved = sum(one != other for one, other in zip(*sums, strict=True))
    p = _permutation(*sums, seed, statistic)
    if statistic is RATIO:
        p = max(p, _permutation(*_about_one_ratio(*sums), seed, TOTAL))
    return Randomized(difference, error, len(groups), moved, interval, p, is_bounded)


def _groups(clusters: Sequence[Hashable]) -> list[list[int]]:
    """The places of the samples of each unit."""
    found: dict[Hashable, list[int]] = {}
    for at, cluster in enumerate(clusters):
        found.setdefault(cluster, []).append(at)
    return list(found.values())


def _summed(side: Sequence[Row | None], groups: Sequence[Sequence[int]]) -> list[Row]:
    """For each unit the sums of its rows' columns, and how many rows they are."""
    width = next(len(row) for row in side if row is not None)
    found: list[Row] = []
    for group in groups:
        rows = [row for at in group if (row := side[at]) is not None]
        if len(rows) == 1:
            found.append((*rows[0], 1.0))
            continue
        sums = map(fsum, zip(*rows, strict=True)) if rows else [0.0] * width
        found.append((*sums, float(len(rows))))
    return found


def _error(
    first: Sequence[Row | None],
    second: Sequence[Row | None],
    groups: Sequence[Sequence[int]],
    statistic: Statistic,
) -> float:
    """The standard error of the difference: of means of single samples, that of Student (1908).

    Of a product and of a ratio of sums, by its linear part at the means (the delta method); of units that hold several
    samples, or one side alone, by that of ratios of sums (Kish 1965, 6.3).
    """
    apart = [other - one for one, other in zip(statistic.parts(first), statistic.parts(second), strict=True)]
    sums = [fsum(apart[at] for at in group) for group in groups]
    if len(sums) < 2 or max(sums) - min(sums) < 1e-12:
        return 0.0
    return sqrt(fsum(each * each for each in sums) * len(sums) / (len(sums) - 1))


def _about_one_ratio(first: Sequence[Row], second: Sequence[Row]) -> tuple[Sequence[Row], Sequence[Row]]:
    """What each unit adds to the ratio of its side beyond what it would, were there one ratio on both: that of all.

    The sums of the sides differ by what their ratios do. Swapped whole, units would take what stands below the line to
    the other side, and of a side that has little there one error among five would be far from all that chance gives.
    """
    over, under = (fsum(row[at] for row in (*first, *second)) for at in (0, 1))
    wholes = [fsum(row[1] for row in side) for side in (first, second)]
    one, other = (
        [((row[0] - over / under * row[1]) / whole,) for row in side]
        for side, whole in zip((first, second), wholes, strict=True)
    )
    return one, other


def _permutation(first: Sequence[Row], second: Sequence[Row], seed: int, statistic: Statistic) -> float:
    """The two-sided p value of the difference, if it were a toss of a coin which of a unit's rows are the second's.

    Fisher's randomisation test (Pitman 1937), on sums and counts of each unit. Of passes and failures that both sides
    have it would be McNemar's exact one. Units that are alike on both sides cannot be swapped; where 13 others are left
    or fewer, all ways are tried, else so many at random, beside which the one that was seen counts as one more (Phipson
    and Smyth 2010). Twice the smaller tail, at most 1. A way that leaves a side without a score is none: as it leaves
    its mirror image without one too, the others are as likely as one another still.
    """
    import numpy

    before, after = numpy.array(first), numpy.array(second)
    apart = (after - before)[(before != after).any(axis=1)]
    if len(apart) < 2:
        return 1.0
    ones, others = before.sum(axis=0), after.sum(axis=0)
    swapped, unseen = _swapped(apart, seed)
    every = statistic.of_sums(others - swapped) - statistic.of_sums(ones + swapped)
    drawn = every[~numpy.isnan(every)]
    seen = statistic.of_sums(others) - statistic.of_sums(ones)
    near = _NEAR * numpy.abs(drawn).max()
    tails = ((drawn >= seen - near).sum(), (drawn <= seen + near).sum())
    return min(1.0, 2 * float(min(tails) + unseen) / (len(drawn) + unseen))


def _swapped(apart: Any, seed: int) -> tuple[Any, int]:
    """For each way of swapping units the sums of what the first side gains by it, and the other loses.

    With it, how many ways count that are not among them: that which was seen, where they are drawn at random. Units are
    taken by eights, the 256 ways of which are added up once: that is an eighth of the work, and takes little memory.
    """
    import numpy

    number, width = apart.shape
    ways = numpy.arange(2**number) if number <= _ALL_UP_TO else None
    draw = numpy.random.default_rng(seed)
    eights = numpy.zeros((-(-number // 8), 8, width))
    eights.reshape(-1, width)[:number] = apart
    bits = numpy.unpackbits(numpy.arange(256, dtype=numpy.uint8)[:, None], axis=1, bitorder="little").astype(float)
    sums = numpy.zeros((width, _PERMUTATIONS if ways is None else len(ways)))
    columns = [column for column in range(width) if apart[:, column].any()]
    for at, eight in enumerate(eights):
        chosen = draw.integers(256, size=_PERMUTATIONS, dtype=numpy.uint8) if ways is None else ways >> 8 * at & 255
        for column in columns:
            sums[column] += (bits @ eight[:, column]).take(chosen)
    return sums.T, int(ways is None)


def scipy_stats() -> ModuleType:
    """SciPy's statistics. CannotRun where it is not installed."""
    try:
        from scipy import stats
    except ImportError as error:
        raise CannotRun("scores are compared with SciPy, which is not installed", INSTALL) from error
    return stats
