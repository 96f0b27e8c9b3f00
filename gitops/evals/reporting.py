"""What `git assay eval report` tells, as values: how each metric stands, its history, what it holds up, who let it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from gitops.evals import metric as metrics
from gitops.evals.accuracy import Accuracy, published
from gitops.evals.due import Due, schedule
from gitops.evals.registry import registry
from gitops.runs import attesting_records, feedback, gates, measurements, names, store
from gitops.runs.authority import Authority
from gitops.runs.context import Context, epoch_of
from gitops.runs.feedback import Ack
from gitops.runs.gates import Gate, Operation
from gitops.runs.measurements import Measurement, Metric

WEEKS = 4
"""So many weeks back goes the trend."""
_WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Judged:
    """A judge that voted, and how right it is on labelled cases."""

    id: str
    version: str
    published: tuple[Accuracy, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """How one metric stands.

    `metric` is None for one that this version does not know, `gate` for one that was never measured. `series` are its
    measurements of the time that is reported, oldest first, `weeks` the last number of each of the last four weeks,
    None for a week without. `due` says when it is to be measured next, or why now.
    """

    id: str
    metric: metrics.Metric | None
    gate: Gate | None
    series: tuple[Measurement, ...]
    weeks: tuple[float | None, ...]
    due: Due | None
    judges: tuple[Judged, ...]
    signer: str | None = None
    """Who signed the measurement that speaks for it, '' for nobody; None where nobody has to."""

    @property
    def title(self) -> str:
        """What it is called."""
        return self.metric.title if self.metric is not None else "unknown to this version"

    @property
    def shown(self) -> Measurement | None:
        """The measurement that speaks for it: the newest, or where that gave nothing the last one with a number."""
        gate = self.gate
        if gate is None or gate.newest.metrics[self.id].status != "not_measured":
            return gate.newest if gate is not None else None
        return gate.counted or gate.newest

    @property
    def number(self) -> Metric | None:
        """Its number. What a measurement found may be that there is none: a cost that never crosses over."""
        return self.shown.metrics[self.id] if self.shown is not None else None

    @property
    def status(self) -> str:
        """The status of that number; `not_measured` where nothing was measured yet."""
        return self.number.status if self.number is not None else "not_measured"

    @property
    def failed(self) -> Measurement | None:
        """The last attempt, where nothing could be measured."""
        newest = self.gate.newest if self.gate is not None else None
        return newest if newest is not None and newest.metrics[self.id].status == "not_measured" else None

    @property
    def numbers(self) -> list[tuple[Measurement, Metric]]:
        """The measurements of the time that is reported that have a number."""
        return [(one, one.metrics[self.id]) for one in self.series if one.metrics[self.id].value is not None]


@dataclass(frozen=True, slots=True)
class Report:
    """How a workspace stands at a moment, and how it came to stand so since another."""

    workspace: str
    commit: str
    at: datetime
    since: datetime
    standings: tuple[Standing, ...]
    acks: tuple[Ack, ...]
    """Of the time that is reported, oldest first."""
    signers: Mapping[str, str] | None = None
    """Who signed which ack, by its id; None where nobody has to."""
    is_unsigned: bool = False
    """Whether nobody has to sign what is told, so that anybody may have written it."""
    floor: str = ""
    """What is to be told of the preset that writes, where it is at or below the capability floor, or nobody knows."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was ever measured here."""
        return all(one.gate is None for one in self.standings)

    @property
    def held(self) -> dict[Operation, list[str]]:
        """What is held up, and by which metrics."""
        found: dict[Operation, list[str]] = {}
        for one in self.standings:
            for operation in one.gate.blocks if one.gate is not None else ():
                found.setdefault(operation, []).append(one.id)
        return found

    @property
    def frozen_by(self) -> list[str]:
        """The metrics that keep scheduled synthesis off because they were never healthy: the freeze clause."""
        seen = {one.id: one.gate for one in self.standings}
        return [name for name in gates.FROZEN if not _was_freed(seen.get(name))]

    @property
    def has_synthesis(self) -> bool:
        """Whether scheduled synthesis may run."""
        return not self.frozen_by and "synthesis" not in self.held


def _was_freed(gate: Gate | None) -> bool:
    return gate is not None and (gate.was_healthy or gate.ack is not None)


def report(context: Context, workspace: str, commit: str, since: datetime) -> Report:
    """How the metrics of a workspace stand: all that are known, and those that were ever measured."""
    every = measurements.everything(context)
    for one in every:
        if one.is_metric and one.workspace == workspace and not _is_name(one.suite):
            context.warn_once(f"a measurement on {one.commit[:10]}: '{one.suite}' can be no metric's name; skipped")
    coming = schedule(context, workspace, registry(), every, store.all_runs(context).values(), commit)
    authority, acks = Authority(context, workspace), feedback.all_acks(context)
    stands = gates.standing(authority, (one for one in every if _is_told(one, workspace)), acks)
    made = told(workspace, commit, (since, context.clock()), every, acks, coming, stands)
    return _with_signers(authority, made) if authority.is_strict else replace(made, is_unsigned=True)


def _with_signers(authority: Authority, made: Report) -> Report:
    def who(ref: str, commit: str, record_id: str) -> str:
        return attesting_records.attested(authority, ref, commit, record_id).signer

    standings = (
        replace(one, signer=who(names.EVALS, one.shown.commit, one.shown.id)) if one.shown is not None else one
        for one in made.standings
    )
    acks = {ack.id: who(names.FEEDBACK, ack.commit, ack.id) for ack in made.acks}
    return replace(made, standings=tuple(standings), signers=acks)


def told(
    workspace: str,
    commit: str,
    within: tuple[datetime, datetime],
    every: Iterable[Measurement],
    acks: Sequence[Ack],
    coming: Mapping[str, Due],
    stands: Mapping[str, Gate] | None = None,
) -> Report:
    """The report that some measurements, oldest first, and some acks come to; `within` is from when until now.

    `stands` are the gates, where not all of these count.
    """
    mine = [one for one in every if _is_told(one, workspace)]
    stands = gates.of(mine, acks) if stands is None else stands
    known = sorted({*registry(), *stands})
    standings = (_standing(name, stands.get(name), coming.get(name), mine, within) for name in known)
    recent = (ack for ack in acks if ack.workspace == workspace and moment(ack.at) >= within[0])
    return Report(workspace, commit, within[1], within[0], tuple(standings), tuple(recent))


def _is_told(one: Measurement, workspace: str) -> bool:
    """Whether a measurement is one of a metric of this workspace, as it stood when it was made."""
    return one.is_metric and one.workspace == workspace and _is_name(one.suite) and not one.is_past


def _is_name(suite: str) -> bool:
    """Whether a metric can be called so, as the file that it is found by (`M7`).

    Names stand in commands that people are told to run, and notes come from anywhere.
    """
    return suite.isascii() and suite.isidentifier()


def _standing(
    name: str, gate: Gate | None, due: Due | None, every: Sequence[Measurement], within: tuple[datetime, datetime]
) -> Standing:
    known = registry().get(name)
    mine = [one for one in every if one.suite == name]
    series = tuple(one for one in mine if within[0] <= moment(one.completed_at))
    return Standing(name, known, gate, series, _weeks(name, mine, within[1]), due, _judges(known, gate))


def _weeks(name: str, mine: Sequence[Measurement], now: datetime) -> tuple[float | None, ...]:
    found: list[float | None] = [None] * WEEKS
    for one in mine:
        ago = (now - moment(one.completed_at)) // _WEEK
        if 0 <= ago < WEEKS and (value := one.metrics[name].value) is not None:
            found[WEEKS - 1 - ago] = value
    return tuple(found)


def _judges(known: metrics.Metric | None, gate: Gate | None) -> tuple[Judged, ...]:
    if gate is None or known is None or not known.asks:
        return ()
    noted = (gate.counted or gate.newest).instrument.get("judges")
    said = noted if isinstance(noted, list | tuple) else ()
    pairs = [(str(each.get("id", "")), str(each.get("version", ""))) for each in said if isinstance(each, Mapping)]
    return tuple(Judged(judge, version, published(judge, version, known.asks)) for judge, version in pairs)


def moment(text: str) -> datetime:
    """A recorded moment."""
    return datetime.fromtimestamp(epoch_of(text), UTC)
