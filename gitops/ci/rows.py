"""What a comparison of base and head says, metric by metric, and which of it the check fails by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from gitops.ci.chosen import Chosen
from gitops.ci.findings import clipped
from gitops.ci.measuring import Side
from gitops.ci.result import MetricRow, MetricVerdict, Samples
from gitops.comparing.measured import Comparison, compared
from gitops.comparing.recalling import key
from gitops.evals.registry import registry
from gitops.runs.measurements import RETRIEVAL, Measurement, Metric
from gitops.stats.comparison import Compared, Reading

BASE, HEAD = "base", "head"
_BAD = frozenset(("broken", "fail"))
"""The statuses that a change may not bring."""
_VERDICTS: Mapping[Reading, MetricVerdict] = {
    "worse": "regressed",
    "better": "improved",
    "no_difference_shown": "within noise",
}


@dataclass(frozen=True, slots=True)
class Rows:
    """A row for each metric. `lost` are those that the base has a number of and the head has none: what cannot be
    measured any more passes no gate.
    """

    rows: tuple[MetricRow, ...] = ()
    samples: Samples = field(default_factory=Samples)
    lost: tuple[str, ...] = ()

    @property
    def gated(self) -> list[MetricRow]:
        """Those that the check fails by."""
        return [row for row in self.rows if row.gated]


def rows(wanted: Chosen, base: Side, head: Side, trends: Mapping[str, Sequence[float | None]]) -> Rows:
    """Compare, and read the rows off. CannotRun where scores have to be tested and SciPy is not installed."""
    sides = [base.recalled(BASE), head.recalled(HEAD)]
    comparison = compared(sides) if any(each.metrics for each in sides) else None
    every = list(comparison.compared) if comparison is not None else []
    made = [_row(comparison, one, trends.get(one.metric, ()), (base, head)) for one in every if comparison is not None]
    made += _missing(wanted, {one.metric for one in every}, head)
    lost = tuple(row.metric for row in made if row.base is not None and row.head is None)
    return Rows(tuple(made), _samples(every), lost)


def _row(comparison: Comparison, one: Compared, trend: Sequence[float | None], sides: tuple[Side, Side]) -> MetricRow:
    before, after = (comparison.newest(name, one.metric) for name in (BASE, HEAD))
    number, earlier = (each[1] if each is not None else None for each in (after, before))
    value, reference = (each.value if each is not None else None for each in (number, earlier))
    told = _verdict(one, reference, value)
    falls = _falls(earlier, number)
    return MetricRow(
        metric=one.metric,
        unit=(number or earlier or _NONE).unit,
        direction=one.direction,
        base=reference,
        head=value,
        delta=one.difference,
        interval=one.interval,
        p=one.adjusted_p,
        limit=_limit(one.metric),
        verdict="regressed" if falls else told,
        gated=told == "regressed" or falls,
        why=clipped(_why_no_number(one, sides) or _why(one, after, falls, told)),
        trend=tuple([*trend, value][-12:]),
    )


_NONE = Metric(value=None, n=0, direction="higher", unit="", status="not_measured")


def _verdict(one: Compared, base: float | None, head: float | None) -> MetricVerdict:
    if base is None or head is None:
        return "no data"
    if (told := _VERDICTS.get(one.reading)) is not None:
        return told
    # What is the same needs no test, and what has none is not called noise.
    return "within noise" if one.reading == "not_tested" and not one.difference else "not comparable"


def _falls(base: Metric | None, head: Metric | None) -> bool:
    """Is the metric broken by this change: bad at the head, and measured and not so at the base?"""
    if base is None or head is None or base.value is None or head.value is None:
        return False
    return head.status in _BAD and base.status not in _BAD


def _why_no_number(one: Compared, sides: tuple[Side, Side]) -> str:
    """Why the head has no number, or else the base; '' where both have one."""
    name = RETRIEVAL if one.metric.startswith(f"{RETRIEVAL}.") else one.metric
    for side, where, value in zip(sides[::-1], ("", "at the base: "), (one.other, one.reference), strict=True):
        if value.value is None and name in side.why_not:
            return where + side.why_not[name]
    return ""


def _why(one: Compared, after: tuple[Measurement, Metric] | None, falls: bool, told: MetricVerdict) -> str:
    if falls and after is not None:
        return f"{after[1].status} at the head, and it was not at the base"
    if told == "regressed":
        return "worse by more than chance"
    if told in ("no data", "not comparable"):
        differing = ", ".join(each.name for each in one.differing)
        why = f"not tested: {one.why}" if one.reading == "not_tested" else one.why
        return f"{why} ({differing})" if differing else why
    return ""


def _limit(metric: str) -> str:
    """What a metric is held to: the cut below which it is broken."""
    known = registry().get(metric)
    if known is None or known.cuts is None or not known.cuts.degraded:
        return ""
    return f">= {known.cuts.degraded:.2f}"


def _missing(wanted: Chosen, there: set[str], head: Side) -> Iterator[MetricRow]:
    """A row for what was to be measured and has no number on either side."""
    for name, metric in wanted.metrics.items():
        if name not in there:
            yield _empty(name, metric.unit, metric.direction, head.why_not.get(name, "not measured"))
    if wanted.retrieval and not any(name.startswith(f"{RETRIEVAL}.") for name in there):
        yield _empty(RETRIEVAL, "share", "higher", head.why_not.get(RETRIEVAL, "no query is judged"))


def _empty(name: str, unit: str, direction: str, why: str) -> MetricRow:
    is_lower = direction == "lower"
    return MetricRow(
        metric=name,
        unit=unit,
        direction="lower" if is_lower else "higher",
        base=None,
        head=None,
        verdict="no data",
        why=clipped(why),
    )


def _samples(every: Sequence[Compared]) -> Samples:
    """Over all metrics: how many samples stand on both sides, and how many on one."""
    return Samples(
        paired=sum(one.paired.pairs for one in every if one.paired is not None),
        added=sum(one.only_other.samples for one in every),
        removed=sum(one.only_reference.samples for one in every),
    )


def metric_of(one: Measurement) -> list[str]:
    """What the metrics of a measurement are called in rows."""
    return [key(one, name) for name in one.metrics]
