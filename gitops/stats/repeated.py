"""The mean of a score over repeats, how far they lie apart, and how sure the mean is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev

from gitops.stats.bootstrap import Interval
from gitops.stats.student import student


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean over so many repeats, their standard deviation, and the 95 % interval of the mean (Student 1908).

    The last two are None of one repeat, which says nothing of the others.
    """

    value: float
    repeats: int
    spread: float | None = None
    interval: Interval | None = None


def mean(values: Sequence[float]) -> Mean | None:
    """The mean of one score in each repeat; None of none."""
    if not values:
        return None
    value = fmean(values)
    if len(values) < 2:
        return Mean(value, len(values))
    spread = stdev(values)
    half = student(len(values) - 1) * spread / sqrt(len(values))
    return Mean(value, len(values), spread, (value - half, value + half))
