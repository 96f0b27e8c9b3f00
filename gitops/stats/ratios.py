"""How sure a ratio of sums over cases is: micro precision, recall, F1."""

from __future__ import annotations

from collections.abc import Sequence

from gitops.stats.bootstrap import RESAMPLES, Interval, bootstrap
from gitops.stats.intervals import wilson
from gitops.stats.statistic import RATIO, Row


def ratio_interval(pairs: Sequence[tuple[float, float]], seed: int = 0, resamples: int = RESAMPLES) -> Interval | None:
    """The 95 % interval of a ratio of sums, no more above the line than below it in any case; None of nothing.

    Cases are drawn whole (BCa), in an order that is theirs alone, so that it does not matter in which they are given;
    those that have nothing below the line say nothing of the ratio. Where all cases have one ratio there is nothing to
    draw from, and [1, 1] for ten perfect cases would be a lie: the interval then is what it can be if, by Wilson's
    bound, all but so few cases of the same size are like them, and nothing is known of those few. ValueError for more
    above the line than below it.
    """
    if not RATIO.is_bounded(pairs):
        raise ValueError("a ratio of sums is taken of parts and their wholes")
    ordered = sorted(pair for pair in pairs if pair[1] > 0)
    if not ordered:
        return None
    drawn = bootstrap(ordered, RATIO.value, seed, resamples)
    return drawn if drawn is not None else _of_alike(ordered)


def _of_alike(rows: Sequence[Row]) -> Interval:
    bounds = wilson(len(rows), len(rows))
    assert bounds is not None
    alike, ratio = bounds[0], RATIO.value(rows)
    return ratio * alike, 1 - (1 - ratio) * alike
