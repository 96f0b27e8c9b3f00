"""How well scores foretell what is kept back: values in, numbers with intervals out.

Rows that were drawn together are drawn together again, so that a proposal of forty candidates counts as one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, Literal

from gitops.errors import CannotRun
from gitops.eviction.features import Row, by_unit
from gitops.eviction.heuristic import Weights
from gitops.stats.bootstrap import Interval, bootstrap
from gitops.stats.clustered import of_few
from gitops.stats.randomized import INSTALL

if TYPE_CHECKING:
    from types import ModuleType

Name = Literal["auroc", "log_loss", "brier"]
NAMES: tuple[Name, ...] = ("auroc", "log_loss", "brier")
HIGHER = frozenset(("auroc",))
"""Which of them are better the higher they are."""
BANDS = 5
RESAMPLES = 1000
MOST_DRAWN = 300
"""More units than so many are put together: an interval hardly changes by it, and takes a bearable time."""
_LEAST = 1e-6
"""No score counts as more certain: one that is wrong would be infinitely bad."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One measure by the present weights and by new ones, and what the second is more by, each with its 95 % interval.

    None where it cannot be taken: AUROC where all were kept back, or none.
    """

    name: Name
    before: float | None
    after: float | None
    difference: float | None
    before_interval: Interval | None
    after_interval: Interval | None
    interval: Interval | None

    @property
    def reading(self) -> str:
        """`better`, `worse`, or `no_difference_shown`: by the interval of the difference."""
        if self.interval is None or self.interval[0] <= 0 <= self.interval[1]:
            return "no_difference_shown"
        return "better" if (self.interval[0] > 0) == (self.name in HIGHER) else "worse"


@dataclass(frozen=True, slots=True)
class Band:
    """Of the rows whose score lies in a fifth of them: the mean score, and the share that was kept back."""

    low: float
    high: float
    n: int
    predicted: float
    observed: float
    interval: Interval | None


def measured(rows: Sequence[Row], before: Weights, after: Weights, seed: int = 0) -> list[Measured]:
    """The measures of two sets of weights on the same rows. CannotRun where SciPy is not installed."""
    scipy_is_there()
    sides = [[row.predicted(weights) for row in rows] for weights in (before, after)]
    return [_measured(name, rows, sides, seed) for name in NAMES]


def auroc(scores: Any, labels: Any) -> float | None:
    """The chance that what was kept back scores higher than what was not, ties counted half (Mann and Whitney 1947).

    Arrays of numbers and of 0 and 1; None where all labels are one.
    """
    import numpy

    labels = numpy.asarray(labels, dtype=bool)
    kept, others = int(labels.sum()), int((~labels).sum())
    if not kept or not others:
        return None
    _, place, counts = numpy.unique(scores, return_inverse=True, return_counts=True)
    ranks = numpy.cumsum(counts) - (counts - 1) / 2  # equal scores share the mean of their ranks
    over = ranks[place][labels].sum() - kept * (kept + 1) / 2
    return float(over / (kept * others))


def log_loss(scores: Any, labels: Any) -> float:
    """The mean of -log of what chance was given to what came about."""
    import numpy

    chances = numpy.clip(scores, _LEAST, 1 - _LEAST)
    return float(-numpy.log(numpy.where(numpy.asarray(labels, dtype=bool), chances, 1 - chances)).mean())


def brier(scores: Any, labels: Any) -> float:
    """The mean square of score less label (Brier 1950)."""
    import numpy

    return float(((numpy.asarray(scores) - numpy.asarray(labels)) ** 2).mean())


_MEASURES: dict[Name, Callable[[Any, Any], float | None]] = {"auroc": auroc, "log_loss": log_loss, "brier": brier}


def bands(rows: Sequence[Row], weights: Weights, count: int = BANDS) -> list[Band]:
    """Rows by their score, in so many bands of about equal size, rows of one score never apart."""
    ordered = sorted(rows, key=lambda row: row.predicted(weights))
    scores = [row.predicted(weights) for row in ordered]
    ends = sorted({_after_ties(scores, round(len(scores) * at / count)) for at in range(1, count + 1)} - {0})
    starts = [0, *ends[:-1]]
    return [_band(ordered[start:end], scores[start:end]) for start, end in zip(starts, ends, strict=True)]


def _after_ties(scores: Sequence[float], end: int) -> int:
    while 0 < end < len(scores) and scores[end] == scores[end - 1]:
        end += 1
    return end


def _band(rows: Sequence[Row], scores: Sequence[float]) -> Band:
    kept = sum(row.is_excluded for row in rows)
    counts = [(sum(row.is_excluded for row in each), len(each)) for each in by_unit(rows).values()]
    return Band(scores[0], scores[-1], len(rows), sum(scores) / len(rows), kept / len(rows), of_few(counts))


def _measured(name: Name, rows: Sequence[Row], sides: Sequence[Sequence[float]], seed: int) -> Measured:
    import numpy

    measure = _MEASURES[name]
    drawn = [numpy.array(places) for places in _drawn(rows, seed)]
    labels = numpy.array([row.is_excluded for row in rows], dtype=float)
    before, after = (numpy.array(side, dtype=float) for side in sides)

    def of(side: Any, chosen: Sequence[Any]) -> float:
        at = numpy.concatenate(chosen)
        found = measure(side[at], labels[at])
        return 0.5 if found is None else found  # a draw of one label alone ranks nothing

    def interval(statistic: Callable[[Sequence[Any]], float]) -> Interval | None:
        return bootstrap(drawn, statistic, seed, RESAMPLES)

    first, second = measure(before, labels), measure(after, labels)
    if first is None or second is None:
        return Measured(name, None, None, None, None, None, None)
    return Measured(
        name,
        first,
        second,
        second - first,
        interval(lambda chosen: of(before, chosen)),
        interval(lambda chosen: of(after, chosen)),
        interval(lambda chosen: of(after, chosen) - of(before, chosen)),
    )


def _drawn(rows: Sequence[Row], seed: int) -> list[list[int]]:
    """The places of the rows that are drawn together: of a unit, or of several by lot where there are very many."""
    found: dict[str, list[int]] = {}
    for at, row in enumerate(rows):
        found.setdefault(row.unit, []).append(at)
    units = list(found.values())
    if len(units) <= MOST_DRAWN:
        return units
    Random(seed).shuffle(units)
    return [[at for unit in units[start::MOST_DRAWN] for at in unit] for start in range(MOST_DRAWN)]


def scipy_is_there() -> ModuleType:
    """SciPy, which fits and ranks. CannotRun where it is not installed."""
    try:
        import scipy
    except ImportError as error:
        raise CannotRun("weights are fitted with SciPy, which is not installed", INSTALL) from error
    return scipy
