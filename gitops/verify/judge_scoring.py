"""How right votes are where labels say what is right: balanced accuracy, AUROC, calibration, each with an interval."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

RESAMPLES = 1000
BINS = 10
_SEED = 20130613


@dataclass(frozen=True, slots=True)
class Scored:
    """One judged case: whether it is labelled of the sought side, whether it was voted so, and how probable it was."""

    label: bool
    vote: bool
    probability: float


@dataclass(frozen=True, slots=True)
class Figure:
    """A metric with its 95 % interval (percentile bootstrap over cases); None where it is not defined."""

    value: float | None
    interval: tuple[float, float] | None


Metric = Callable[[Sequence[Scored]], float | None]


def balanced_accuracy(cases: Sequence[Scored]) -> float | None:
    """The mean of the shares of each side that were voted so; None where a side is empty."""
    rates = []
    for side in (True, False):
        votes = [case.vote is side for case in cases if case.label is side]
        if not votes:
            return None
        rates.append(sum(votes) / len(votes))
    return sum(rates) / 2


def auroc(cases: Sequence[Scored]) -> float | None:
    """How often the sought side is given the higher probability, equals counted half (Mann and Whitney 1947)."""
    ordered = sorted(cases, key=lambda case: case.probability)
    positive = sum(case.label for case in ordered)
    negative = len(ordered) - positive
    if not (positive and negative):
        return None
    below, wins, at = 0, 0.0, 0
    while at < len(ordered):
        end = at
        while end < len(ordered) and ordered[end].probability == ordered[at].probability:
            end += 1
        hits = sum(case.label for case in ordered[at:end])
        misses = end - at - hits
        wins += hits * (below + misses / 2)
        below += misses
        at = end
    return wins / (positive * negative)


def calibration_error(cases: Sequence[Scored]) -> float | None:
    """The expected calibration error: over ten bins of equal width, |share of the side − mean probability|."""
    if not cases:
        return None
    bins: dict[int, list[Scored]] = {}
    for case in cases:
        bins.setdefault(min(BINS - 1, int(case.probability * BINS)), []).append(case)
    gaps = (abs(sum(case.label - case.probability for case in found)) for found in bins.values())
    return sum(gaps) / len(cases)


METRICS: dict[str, Metric] = {"balanced_accuracy": balanced_accuracy, "auroc": auroc, "ece": calibration_error}
"""What is told of a set of votes, by name."""


def figures(cases: Sequence[Scored], resamples: int = RESAMPLES) -> dict[str, Figure]:
    """Every metric over some cases, with intervals from one set of resamples."""
    drawn = _resampled(cases, resamples)
    return {name: Figure(metric(cases), _interval(metric, drawn)) for name, metric in METRICS.items()}


def _resampled(cases: Sequence[Scored], resamples: int) -> list[list[Scored]]:
    generator = random.Random(_SEED)
    return [generator.choices(cases, k=len(cases)) for _ in range(resamples)] if cases else []


def _interval(metric: Metric, drawn: Sequence[Sequence[Scored]]) -> tuple[float, float] | None:
    values = sorted(value for sample in drawn if (value := metric(sample)) is not None)
    if not values:
        return None
    return values[int(0.025 * (len(values) - 1))], values[round(0.975 * (len(values) - 1))]
