"""What a comparison compares: variants, each measured once or several times, metric by metric."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, stdev
from typing import Any

from gitops.stats.rules import Direction, Seen
from gitops.stats.statistic import MEANS, Row, Statistic


@dataclass(frozen=True, slots=True)
class Series:
    """One metric as one measurement has it.

    `rows` has a row for each sample that the value was computed from, the value being their `statistic`; it is empty
    where the value was not computed so. `instrument` is flat: what must be equal for two values to be compared, by
    name; `subject` what may differ.
    """

    value: float | None
    direction: Direction = "higher"
    rows: Mapping[str, Row] = field(default_factory=dict)
    statuses: Mapping[str, str] = field(default_factory=dict)
    instrument: Mapping[str, Any] = field(default_factory=dict)
    subject: Mapping[str, Any] = field(default_factory=dict)
    clusters: Mapping[str, str] = field(default_factory=dict)
    """With which others a sample was drawn, where samples do not come one by one."""
    why: str = ""
    """Why there is no value, where there is none."""
    statistic: Statistic = MEANS


@dataclass(frozen=True, slots=True)
class Variant:
    """What was measured, by the name it is called in the comparison: for each metric the repeats of its measurement."""

    name: str
    metrics: Mapping[str, Sequence[Series]]


@dataclass(frozen=True, slots=True)
class Differing:
    """Something that one side has otherwise than the other; None where a side has it not at all."""

    name: str
    reference: Any
    other: Any


@dataclass(frozen=True, slots=True)
class Side:
    """A variant in one metric: its score over all repeats, and their standard deviation (None for fewer than two)."""

    name: str
    value: float | None
    spread: float | None = None
    repeats: int = 0
    samples: int = 0


@dataclass(frozen=True, slots=True)
class Averaged:
    """The repeats of one variant in one metric as one: means of values and rows, the commonest status of a sample."""

    name: str
    repeats: Sequence[Series]
    value: float | None
    rows: Mapping[str, Row]
    statuses: Mapping[str, str]
    clusters: Mapping[str, str]
    differing: tuple[Differing, ...]
    """What of the instrument is not the same in all repeats."""
    statistic: Statistic = MEANS

    @property
    def side(self) -> Side:
        """What is told of it."""
        values = [each.value for each in self.repeats if each.value is not None]
        spread = stdev(values) if len(values) > 1 else None
        return Side(self.name, self.value, spread, len(values), len(self.rows))

    @property
    def seen(self) -> Seen:
        """What rules judge."""
        return Seen(self.value, self.direction, self.statuses)

    @property
    def direction(self) -> Direction:
        """Which direction is good."""
        return self.repeats[0].direction if self.repeats else "higher"

    @property
    def why(self) -> str:
        """Why there is no value."""
        return next((each.why for each in self.repeats if each.why), "")

    def score(self, names: Sequence[str]) -> float | None:
        """The score of some of its samples alone; None where they have none."""
        rows = [self.rows[name] for name in names]
        return self.statistic.value(rows) if rows and self.statistic.is_defined(rows) else None


def averaged(variant: Variant, metric: str) -> Averaged:
    """The repeats of a metric as one; a sample that a repeat lacks counts by those that have it.

    The score of several repeats is that of the samples' means, so that what is tested is what is told: where a repeat
    lacks samples, or the score is a product or a ratio of sums, the mean of the scores is another number.
    """
    repeats = variant.metrics.get(metric, ())
    first = next(iter(repeats), Series(None))
    rows = _mean_rows([each.rows for each in repeats])
    return Averaged(
        variant.name,
        repeats,
        _value(repeats, rows),
        rows,
        _commonest([each.statuses for each in repeats]),
        {name: cluster for each in repeats for name, cluster in each.clusters.items()},
        tuple({one.name: one for each in repeats for one in differing(first.instrument, each.instrument)}.values()),
        first.statistic,
    )


def differing(reference: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[Differing]:
    """What two flat tables have otherwise, by name."""
    for name in sorted({*reference, *other}):
        one, two = reference.get(name), other.get(name)
        if one != two:
            yield Differing(name, one, two)


def _value(repeats: Sequence[Series], rows: Mapping[str, Row]) -> float | None:
    scored = [each for each in repeats if each.value is not None]
    if len(scored) > 1 and all(each.rows for each in scored):
        return scored[0].statistic.value(list(rows.values()))
    return fmean([each.value for each in scored if each.value is not None]) if scored else None


def _mean_rows(repeats: Sequence[Mapping[str, Row]]) -> Mapping[str, Row]:
    if len(repeats) == 1:
        return repeats[0]
    found: dict[str, list[Row]] = {}
    for rows in repeats:
        for name, row in rows.items():
            found.setdefault(name, []).append(row)
    return {name: tuple(map(fmean, zip(*rows, strict=True))) for name, rows in found.items()}


def _commonest(repeats: Sequence[Mapping[str, str]]) -> Mapping[str, str]:
    """The status that more than half of a sample's repeats have; where none has, it says neither yes nor no."""
    if len(repeats) == 1:
        return repeats[0]
    found: dict[str, Counter[str]] = {}
    for statuses in repeats:
        for name, status in statuses.items():
            found.setdefault(name, Counter())[status] += 1
    return {name: _over_half(seen) for name, seen in found.items()}


def _over_half(seen: Counter[str]) -> str:
    [(status, times)] = seen.most_common(1)
    return status if times * 2 > seen.total() else "skipped"
