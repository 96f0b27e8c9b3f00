"""The gates of alexandria 14 in one place: which status of which metric holds up what, and what mends it.

Where signatures are demanded (`Authority`), what opens a gate counts only when signed: an acknowledgement, and a
measurement that takes the place of one that is broken. What closes one counts whoever wrote it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from gitops.config import RunType
from gitops.errors import Blocked
from gitops.runs import attesting_records, feedback, latest, measurements, names
from gitops.runs.authority import Authority
from gitops.runs.context import Context
from gitops.runs.feedback import Ack
from gitops.runs.latest import Latest, Told
from gitops.runs.measurements import Measurement, Metric
from gitops.verify.verdict import Followed

Operation = Literal["ingest", "cascade", "synthesis"]
"""What a gate may hold up. `synthesis` is the scheduled one, `synthesize --due`; asked for by hand, it is free."""

BLOCKS: Mapping[tuple[str, str], tuple[Operation, ...]] = {
    ("M1", "broken"): ("synthesis",),
    ("M2", "broken"): ("ingest", "cascade", "synthesis"),
    ("M3", "broken"): ("synthesis",),
    ("M5", "broken"): ("ingest", "cascade"),
}
"""What a status blocks, by metric and status; what is not named here blocks nothing."""
MENDS: Mapping[tuple[str, str], str] = {
    ("M2", "degraded"): "git assay lint --cascade-backfill",
    ("M2", "broken"): "git assay lint --cascade-backfill",
    ("M3", "degraded"): "git assay eval gold list",
    ("M5", "degraded"): "git assay eval report --details M5",
    ("M5", "broken"): "git assay lint --resolve-contradictions",
}
"""The command that mends or shows what a status says, where there is one."""
FROZEN = ("M1", "M2")
"""The freeze clause: scheduled synthesis stays off until each of these has been healthy once."""


@dataclass(frozen=True, slots=True)
class Gate:
    """How one metric stands.

    `newest` is the last measurement of all, `counted` the last one with a number: the gate follows it, since what could
    not be measured leaves a gate as it was. `ack` is the acknowledgement of `counted`, if there is one. `blocks` is
    what is held up now: nothing where it is acknowledged.
    """

    metric: str
    newest: Measurement
    counted: Measurement | None
    ack: Ack | None
    was_healthy: bool

    @property
    def status(self) -> str:
        """The status that the gate follows."""
        return self.number.status

    @property
    def number(self) -> Metric:
        """The number that the gate follows, or the newest one that is none."""
        return (self.counted or self.newest).metrics[self.metric]

    @property
    def would_block(self) -> tuple[Operation, ...]:
        """What the status blocks where nobody has acknowledged it."""
        return BLOCKS.get((self.metric, self.status), ())

    @property
    def blocks(self) -> tuple[Operation, ...]:
        """What is held up now."""
        return () if self.ack is not None else self.would_block

    @property
    def mend(self) -> str:
        """The command that mends or shows it; '' where there is nothing to mend."""
        return MENDS.get((self.metric, self.status), "")


def gates(context: Context, workspace: str) -> dict[str, Gate]:
    """How every metric of a workspace stands that was ever measured, by its id."""
    mine = (one for one in measurements.everything(context) if one.workspace == workspace)
    return standing(Authority(context, workspace), mine, feedback.all_acks(context))


def standing(authority: Authority, measured: Iterable[Measurement], acks: Sequence[Ack]) -> dict[str, Gate]:
    """The gates that all measurements of a workspace and some acks come to, by what counts by an authority."""
    if not authority.is_strict:
        return of(measured, acks)
    found = latest.latest(authority.context, authority.workspace).values()
    return of(measured, acks, [believed(authority, each) for each in found], lambda ack: feedback.holds(authority, ack))


def of(
    measured: Iterable[Measurement],
    acks: Sequence[Ack],
    found: Iterable[Latest] | None = None,
    holds: Callable[[Ack], bool] = lambda ack: True,
) -> dict[str, Gate]:
    """The gates that some measurements of one workspace and some acks come to; past commits open and close none.

    `found` is what decides among them, where that is known; `holds` says of an ack whether it counts.
    """
    known = {one.id: one for one in measured}
    lasts = latest.folded(known.values()) if found is None else found
    return {each.metric: _gate(each, known, acks, holds) for each in lasts if each.newest.id in known}


def _gate(each: Latest, known: Mapping[str, Measurement], acks: Sequence[Ack], holds: Callable[[Ack], bool]) -> Gate:
    counted = known.get(each.counted.id) if each.counted is not None else None
    return Gate(each.metric, known[each.newest.id], counted, _newest(acks, each.decides, holds), each.was_healthy)


def _newest(acks: Sequence[Ack], told: Told, holds: Callable[[Ack], bool]) -> Ack | None:
    return next((ack for ack in reversed(acks) if ack.measurement == told.id and holds(ack)), None)


def ack_of(context: Context, told: Told, authority: Authority) -> Ack | None:
    """The newest acknowledgement of a measurement that counts by an authority, if there is one."""
    return _newest(feedback.acks_on(context, told.commit), told, lambda ack: feedback.holds(authority, ack))


def believed(authority: Authority, each: Latest, *, and_once: bool = True) -> Latest:
    """What the gate of a metric follows, as far as it counts; `and_once`: and whether it was healthy once."""
    is_doubted = each.closed not in (None, each.counted) or (and_once and each.was_healthy)
    if not is_doubted or not authority.is_strict:
        return each

    def holds(told: Told) -> bool:
        what = f"{each.metric} of {told.commit[:10]} ({told.status}, {told.at})"
        return attesting_records.counts(authority, names.EVALS, told.commit, told.id, what)

    found = latest.believed(each, holds)
    return replace(found, was_healthy=latest.was_healthy(each, holds)) if and_once else found


def demand_open_for(context: Context, workspace: str, run_type: RunType, base: str = "") -> tuple[Followed, ...]:
    """The same for a run of some type: ingests and cascades are held up, what people synthesize by hand is not."""
    if run_type == "ingest" or run_type == "cascade":
        return demand_open(context, workspace, run_type, base)
    return ()


def demand_open(context: Context, workspace: str, operation: Operation, base: str = "") -> tuple[Followed, ...]:
    """What the gates of an operation follow. Blocked, with the command that shows why, where one of them holds it up.

    Scheduled synthesis is held up too until M1 and M2 have each been healthy once (the freeze clause). `base` is the
    commit whose policy says what counts: by default the tip of the branch that is landed on.
    """
    authority = Authority(context, workspace, base)
    found = latest.latest(context, workspace)
    followed = []
    for metric in sorted(found.keys() & {name for (name, _), held in BLOCKS.items() if operation in held}):
        told = believed(authority, found[metric], and_once=False).decides
        if operation in BLOCKS.get((metric, told.status), ()) and ack_of(context, told, authority) is None:
            raise _blocked(metric, told, operation)
        followed += [Followed(commit=told.commit, id=told.id, metric=metric)] if told.value is not None else []
    if operation == "synthesis":
        for metric in FROZEN:
            _demand_once_healthy(authority, metric, found.get(metric))
    return tuple(followed)


def _blocked(metric: str, told: Told, operation: Operation) -> Blocked:
    score = "" if told.value is None else f" ({told.value:.2f})"
    why = f"{metric} is broken{score}, and {_NAMED[operation]} waits until it is mended"
    mend = MENDS.get((metric, told.status), "")
    shown = f"git assay eval report --details {metric} shows why"
    mended = f"{mend} mends it; " if mend and mend not in shown else ""
    return Blocked(why, f'{shown}; {mended}git assay eval ack {metric} --reason "…" lets it pass')


def _demand_once_healthy(authority: Authority, metric: str, last: Latest | None) -> None:
    if last is None:
        told = f"scheduled synthesis stays off until {metric} is healthy, and it was never measured"
        raise Blocked(told, f"git assay eval run --metric {metric}")
    said, last = last, believed(authority, last)
    if last.was_healthy or ack_of(authority.context, last.decides, authority) is not None:
        return
    if said.was_healthy:
        told = f"scheduled synthesis stays off until {metric} is healthy, and nobody who may has signed that it is"
        raise Blocked(told, f"git assay eval run --metric {metric}, with a key that may sign: see docs/trust.md")
    told = f"scheduled synthesis stays off until {metric} is healthy; it is {last.decides.status.replace('_', ' ')}"
    raise Blocked(told, f'git assay eval report --details {metric}; git assay eval ack {metric} --reason "…"')


_NAMED: Mapping[Operation, str] = {
    "ingest": "every ingest",
    "cascade": "every cascade",
    "synthesis": "scheduled synthesis",
}
