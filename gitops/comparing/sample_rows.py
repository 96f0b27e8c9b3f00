"""The samples of a measurement as numbers to be paired: their mean, product of means or ratio of sums is the score.

Samples that have a score by the metric's own name say what it is the mean of; those that have two numbers by it among
the `ratios` of their details (`{"atom_f1": [8, 10]}`), what it is a ratio of sums or a total of. Of others, how the
score comes from them is tried. None is trusted: a way that does not give the recorded score is none, and where no way
does (M6 keeps the lost ones alone, a percentile is no mean), the score is compared without its samples.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import isfinite
from typing import Any

from gitops.runs.measurements import ABLATION, BENCHMARK, Measurement, Sample
from gitops.runs.verifier_tests import CAUGHT, CONTROL, KIND, REFUSED
from gitops.stats.statistic import MEANS, RATIO, TOTAL, Row, Statistic

Rows = Mapping[str, Row]
RATIOS = "ratios"
"""Under what name a sample's details have, by metric, what it adds above the line of a ratio of sums and below it.

A sample that adds nothing says so (`[0, 0]`): what is left out is not paired. Of a total the part below the line is 1.
"""
_BY_TOPIC = frozenset(("M5",))
"""The metrics whose samples bear the topic they were drawn for as their first tag."""
OF_SUITES = (BENCHMARK, ABLATION)
"""The kinds of measurements whose samples are cases of a suite."""
_PASSES = "pass_rate"
_SIX_DIGITS = 2e-6
"""Scores that are counted from samples are recorded with six digits, here and there rounded twice."""
_FOUR_DIGITS = 5.1e-5
"""Those of retrieval are stored with four, and of each query with six."""


@dataclass(frozen=True, slots=True)
class Taken:
    """The samples of a metric as rows, and what of these the score is."""

    rows: Rows = field(default_factory=dict)
    statistic: Statistic = MEANS

    def gives(self, value: float, near: float) -> bool:
        """Whether the score of the rows is that value."""
        rows = list(self.rows.values())
        return self.statistic.is_defined(rows) and abs(self.statistic.value(rows) - value) <= near


def alike(measurements: Sequence[Measurement], name: str) -> list[Taken]:
    """The samples of a metric of each measurement, all taken the same way; none for each where none serves for all.

    Those that have no score say nothing of the way.
    """
    found = [readings(each, name) for each in measurements]
    scored = [ways for each, ways in zip(measurements, found, strict=True) if each.metrics[name].value is not None]
    way = next((way for ways in scored[:1] for way in ways if all(way in each for each in scored)), None)
    return [ways.get(way, Taken()) if way is not None else Taken() for ways in found]


def readings(measurement: Measurement, name: str) -> dict[str, Taken]:
    """Each way to take a score from its samples that does give it, the plainest first.

    Those by the metric's own name, where samples have something by it, are the only ones.
    """
    value = measurement.metrics[name].value
    if value is None:
        return {}
    pairs = _pairs(measurement, name)
    if pairs is not None:
        over = {each: row[:1] for each, row in pairs.items()}
        ways = {"ratio of sums": Taken(pairs, RATIO), "total": Taken(over, TOTAL)}
        return {way: taken for way, taken in ways.items() if taken.gives(value, _SIX_DIGITS)}
    if own := _own(measurement, name):
        return {name: Taken(own)} if Taken(own).gives(value, _FOUR_DIGITS) else {}
    tried = _planted if measurement.kind == KIND else _scored
    every = ((way, Taken(rows)) for way, rows in tried(measurement, name))
    return {way: taken for way, taken in every if taken.gives(value, _SIX_DIGITS)}


def statuses(measurement: Measurement, name: str) -> dict[str, str]:
    """What became of each sample that a metric is about; an error of which the verifier said nothing was missed, and of
    a benchmark's metrics one alone is about what passed.
    """
    if measurement.kind == KIND:
        mine = _of_kind(measurement.samples, name)
        return {
            each.id: "fail" if each.status == "abstained" and CONTROL not in each.tags else each.status for each in mine
        }
    if measurement.kind in OF_SUITES and name != _PASSES:
        return {}
    return {each.id: each.status for each in measurement.samples}


def clusters(measurement: Measurement, name: str) -> dict[str, str]:
    """With which others each sample was drawn, where samples do not come one by one: M5 draws topics, then pairs."""
    return {each.id: each.tags[0] for each in measurement.samples if each.tags} if name in _BY_TOPIC else {}


def _scored(measurement: Measurement, name: str) -> Iterator[tuple[str, Rows]]:
    samples, unit = measurement.samples, measurement.metrics[name].unit
    if unit == "product":
        for pair in combinations(_shares(samples), 2):
            yield (
                " × ".join(pair),
                {each.id: tuple(each.scores[one] for one in pair) for each in samples if each.scores},
            )
    if unit == "share":
        passed = {each.id: (float(each.status == "pass"),) for each in samples}
        yield "passed", {each.id: passed[each.id] for each in samples if each.status in ("pass", "fail")}
        yield "passed, unjudged as failed", passed


def _own(measurement: Measurement, name: str) -> Rows:
    """The scores that samples have by the metric's own name."""
    return {each.id: (each.scores[name],) for each in measurement.samples if each.scores and name in each.scores}


def _pairs(measurement: Measurement, name: str) -> Rows | None:
    """What samples add above and below the line: none where one says something else, None where no sample has any."""
    told = ((each.id, each.details.get(RATIOS)) for each in measurement.samples)
    found = {id: ratios[name] for id, ratios in told if isinstance(ratios, Mapping) and name in ratios}
    if not found:
        return None
    is_read = all(map(_is_pair, found.values()))
    return {id: (float(over), float(under)) for id, (over, under) in found.items()} if is_read else {}


def _is_pair(value: Any) -> bool:
    is_two = isinstance(value, list | tuple) and len(value) == 2
    return is_two and all(isinstance(each, int | float) and isfinite(each) and each >= 0 for each in value)


def _shares(samples: Sequence[Sample]) -> list[str]:
    """The names of scores that every scored sample has, and none beyond 0 and 1."""
    scored = [each.scores for each in samples if each.scores]
    names = sorted(set.intersection(*map(set, scored))) if scored else []
    return [name for name in names if all(0 <= scores[name] <= 1 for scores in scored)]


def _planted(measurement: Measurement, name: str) -> Iterator[tuple[str, Rows]]:
    """Of a test of the verifier a hit is a refusal: right of what was planted, wrong of what was left as it is."""
    mine = _of_kind(measurement.samples, name)
    yield "refused", {each.id: (float("refused_by" in each.details),) for each in mine}


def _of_kind(samples: Sequence[Sample], name: str) -> list[Sample]:
    if name == CAUGHT:
        return [each for each in samples if CONTROL not in each.tags]
    kind = CONTROL if name == REFUSED else name
    return [each for each in samples if kind in each.tags]
