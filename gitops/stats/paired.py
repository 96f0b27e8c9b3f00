"""What the same samples, measured twice, tell of a difference: how large it may be, and whether chance would make it.

How a score comes from the samples' rows is a `Statistic`: for a share or a mean a row is one number. Samples count as
independent of one another, unless it is said which were drawn together.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Literal

from gitops.stats.bootstrap import Interval
from gitops.stats.detectable import detectable_mean, detectable_share
from gitops.stats.holm import least_p
from gitops.stats.matched import matched, mcnemar, newcombe
from gitops.stats.randomized import Randomized, randomized
from gitops.stats.statistic import MEANS, Row, Statistic

Test = Literal["mcnemar", "permutation"]


@dataclass(frozen=True, slots=True)
class Paired:
    """The second score less the first over the samples that both have, with all that it takes to read it.

    `units` is how many there are that are independent of one another: samples, or the clusters they were drawn in;
    `moved` of them differ. `interval` is at 95 %, None where the samples tell nothing of it. `detectable` is the
    smallest difference that so many units of such a spread would have shown with 80 % power; None where they could not
    have shown any, or where their spread is unknown because no two of them differ by other amounts.
    """

    pairs: int
    units: int
    moved: int
    first: float
    second: float
    difference: float
    interval: Interval | None
    test: Test
    p: float
    detectable: float | None


def paired(
    first: Sequence[Row],
    second: Sequence[Row],
    alpha: float = 0.05,
    seed: int = 0,
    clusters: Sequence[Hashable] | None = None,
    statistic: Statistic = MEANS,
) -> Paired:
    """Compare two measurements of the same samples, given in the same order.

    Passes and failures by McNemar's exact test, scores and clusters by a permutation test. `clusters` says of each
    sample with which others it was drawn: pairs of statements about one topic fall together. ValueError where there is
    no score, or where rows have other lengths; CannotRun where a permutation is needed and SciPy is not there.
    """
    before, after = statistic.value(first), statistic.value(second)
    if len(first) != len(second):
        raise ValueError("the sides are not of the same samples")
    each = list(clusters) if clusters is not None else list(range(len(first)))
    is_single = statistic is MEANS and len(first[0]) == 1
    is_share = is_single and {value for row in (*first, *second) for value in row} <= {0.0, 1.0}
    if is_share and len(set(each)) == len(first):
        return _of_shares(first, second, alpha)
    told = randomized(first, second, each, seed, statistic)
    units, moved, shown = told.units, told.moved, detectable(told, alpha)
    return Paired(len(first), units, moved, before, after, told.difference, told.interval, "permutation", told.p, shown)


def detectable(told: Randomized, alpha: float) -> float | None:
    """The smallest difference that a permutation test of such units would have shown with 80 % power.

    None where nothing is known of their spread, and where they could not have shown any: too few for p to come to
    alpha, or the difference would have to be larger than scores between 0 and 1 can have.
    """
    shown = detectable_mean(told.units, told.error * sqrt(told.units), alpha) if least_p(told.units) <= alpha else None
    return None if shown is None or (told.is_bounded and shown > 1) else shown


def _of_shares(first: Sequence[Row], second: Sequence[Row], alpha: float) -> Paired:
    counts = matched([row[0] == 1 for row in first], [row[0] == 1 for row in second])
    before, after = (counts.both + counts.first) / counts.of, (counts.both + counts.second) / counts.of
    shown = detectable_share(counts.of, counts.moved / counts.of, alpha)
    interval, p = newcombe(counts), mcnemar(counts)
    of, moved = counts.of, counts.moved
    return Paired(of, of, moved, before, after, counts.difference, interval, "mcnemar", p, shown)
