"""What the scores of all cases come to: pooled, as bars are held to it; case by case; and by type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from gitops.extraction import tallies
from gitops.extraction.metrics import BY_NAME, TABLE, Metric
from gitops.extraction.model import VARIANTS, CaseScore, Counts, Scored, Variant
from gitops.extraction.tallies import Tally, atoms_by_type, pooled

Ratio = tuple[float, float]
"""What a case adds above the line of a metric, and below it; (0, 0) where it adds nothing."""
Numbers = Mapping[str, float | None]
"""By the names of metrics. Not measured is None, never 0. None is rounded."""


@dataclass(frozen=True, slots=True)
class Aggregate:
    """The numbers of all metrics, by the names in `metrics.NAMES`.

    `by_case` has each case's own numbers, by its id and the names of the metrics that are pooled. `samples` has what
    each case adds to every metric: the first ones summed, by the second ones summed, are `value`. Of `graph_errors` and
    `graph_warnings`, which are totals, the second is 1; of a mean it is 1 for each case that has the number.

    `by_type` has counts of `atoms` and of `edges` by their types, pooled over all cases, by canonical ids. An atom that
    was extracted as another type is missed in its own and spurious in the other, so those of atoms do not add up to the
    counts of `atom_f1`.
    """

    values: Numbers
    by_case: Mapping[str, Numbers]
    samples: Mapping[str, Mapping[str, Ratio]]
    by_type: Mapping[str, Mapping[str, Counts]]
    _tallies: Mapping[str, Tally] = field(repr=False)

    def value(self, name: str) -> float | None:
        """The number of a metric. KeyError for a name that no metric has."""
        return self.values[name]

    def n(self, name: str) -> int:
        """How many things a number rests on: what they are says `metrics.Metric.of`. KeyError likewise."""
        metric, tally = BY_NAME[name], self._tallies[name]
        return tallies.things(metric, tally) if metric.average == "micro" else tally["cases"]

    def counts(self, name: str) -> Tally:
        """What a number was counted from, by parts (`tp`, `fp`, `fn`, …); of a mean, `cases`. KeyError likewise."""
        return self._tallies[name]


def aggregate(scored: Scored) -> Aggregate:
    """Put the scores of all cases together. Their order changes nothing."""
    every = {each.case.id: _Case.of(each) for each in scored.cases}
    samples = {id: {metric.name: one.sample(metric) for metric in TABLE} for id, one in every.items()}
    found = {metric.name: _together(metric, list(every.values())) for metric in TABLE}
    return Aggregate(
        values={name: number for name, (number, _) in found.items()},
        by_case={id: {metric.name: one.number(metric) for metric in _POOLED} for id, one in every.items()},
        samples=samples,
        by_type={
            "atoms": _summed([atoms_by_type(each.matching["canonical"]) for each in scored.cases]),
            "edges": _summed([each.edges["canonical"].by_type for each in scored.cases]),
        },
        _tallies={name: tally for name, (_, tally) in found.items()},
    )


_POOLED = tuple(metric for metric in TABLE if metric.average == "micro")


@dataclass(frozen=True, slots=True)
class _Case:
    """What was counted of one case, by variant and by the base names of metrics."""

    counted: Mapping[Variant, Mapping[str, Tally]]

    @classmethod
    def of(cls, score: CaseScore) -> _Case:
        return cls({variant: tallies.counted(score, variant) for variant in VARIANTS})

    def tally(self, metric: Metric) -> Tally:
        return self.counted[metric.variant][metric.base]

    def number(self, metric: Metric) -> float | None:
        return tallies.value(metric, self.tally(metric))

    def sample(self, metric: Metric) -> Ratio:
        if metric.average == "micro":
            return tallies.above_and_below(metric, self.tally(metric))
        number = self.number(metric)
        return (0, 0) if number is None else (number, 1)


def _together(metric: Metric, cases: Sequence[_Case]) -> tuple[float | None, Tally]:
    """The number of a metric over all cases, and what it was counted from."""
    if metric.average == "macro":
        numbers = [number for each in cases if (number := each.number(metric)) is not None]
        return fmean(numbers) if numbers else None, {"cases": len(numbers)}
    none: Tally = dict.fromkeys((*metric.above, *metric.below, *metric.things), 0)
    tally = pooled([none, *(each.tally(metric) for each in cases)])
    return tallies.value(metric, tally), tally


def _summed(every: Sequence[Mapping[str, Counts]]) -> dict[str, Counts]:
    types = dict.fromkeys(name for each in every for name in each)
    return {name: sum((each.get(name, Counts()) for each in every), Counts()) for name in types}
