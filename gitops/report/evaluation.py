"""How the metrics of a wiki stand, in words: the worked example of alexandria 14, and what it leaves unsaid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta

from rich.console import Group, RenderableType
from rich.text import Text

from gitops.evals.accuracy import PAGE
from gitops.evals.reporting import Judged, Report, Standing, moment
from gitops.report import charts, text
from gitops.report.visible import inline
from gitops.runs.feedback import Ack
from gitops.runs.gates import Gate, Operation
from gitops.runs.measurements import Metric

STYLES = {"healthy": "green", "degraded": "yellow", "broken": "bold red", "not_measured": "dim"}
NAMED: dict[Operation, str] = {"ingest": "ingests", "cascade": "cascades", "synthesis": "scheduled synthesis"}
UNSIGNED = "measurements and acks here are unsigned: tamper-evident at best"
_WORST_FIRST = ("broken", "degraded", "not_measured", "healthy")
_UNSURE = {"unverified": "from unverified runs", "overridden": "let in by an override", "unjudged": "without a vote"}
"""Counts of a measurement that say how far to trust it."""
_BARS = "▁▂▃▄▅▆▇█"
_MOMENT = 0.001
"""Of a day: about a minute and a half."""
_LOWEST, _HIGHEST = 0.5, 1.0
"""What the bars of a share span, unless one lies lower: the same for all, so that noise does not look like a fall."""


def words(told: Report) -> RenderableType:
    """Workspace, a line for each metric with its remarks, what follows from them, trends, and acks."""
    head = Text(f"Workspace: {inline(told.workspace)}")
    if told.is_empty:
        return Group(head, Text(), Text("No metric has been measured here yet: git assay eval run"))
    parts: list[RenderableType] = [head, Text(f"Eval runs {period(told)}:"), Text()]
    width = max(12, *(len(_status(one)) + 2 for one in told.standings))
    for one in told.standings:
        parts += _metric(one, width)
    parts += [Text(), *_standing(told)]
    if trends := list(_trends(told.standings)):
        parts += [Text(), Text("Trend (last 4 weeks):"), *trends]
    if told.acks:
        parts += [Text(), Text("Acknowledged:"), *(text.indented(_ack(told, each), 2) for each in told.acks)]
    if told.is_unsigned:
        parts += [Text(), Text(UNSIGNED, style="dim")]
    if told.floor:
        parts += [Text(), Text(inline(told.floor), style="yellow")]
    return Group(*parts)


def one(told: Report, standing: Standing) -> RenderableType:
    """One metric alone, with its remarks and its trend."""
    parts: list[RenderableType] = [*_metric(standing, max(12, len(_status(standing)) + 2)), *_trends((standing,))]
    return Group(Text(f"Workspace: {inline(told.workspace)}"), Text(), *parts)


def period(told: Report) -> str:
    """The time that is reported: `in the last 30 days`, or since a day."""
    passed = (told.at - told.since) / timedelta(days=1)
    days = round(passed)
    if days > 0 and abs(passed - days) < _MOMENT:  # the clock goes on between the question and the answer
        return f"in the last {days} day{'s' * (days > 1)}"
    return f"since {day(told.since)}"


def day(at: datetime | str) -> str:
    """A moment's day, in UTC."""
    return f"{moment(at) if isinstance(at, str) else at:%Y-%m-%d}"


def score(one: Standing) -> str:
    """The score of a metric as its unit has it; a dash where there is none."""
    number, shown = one.number, one.shown
    if number is not None and number.value is None and shown is not None and shown.details.get("estimated_week"):
        return f"week {shown.details['estimated_week']} (est.)"
    return valued(one, number.value if number is not None else None)


def valued(one: Standing, value: float | None) -> str:
    """A value of a metric, in its unit."""
    if value is None:
        return "–"
    unit = one.metric.unit if one.metric is not None else "share"
    return f"{value:.2f}" if unit in ("share", "product") else f"{unit} {value:g}"


def _metric(one: Standing, width: int) -> Iterator[RenderableType]:
    head = Text(f"{one.id:<4}{one.title:<24}")
    if one.metric is not None and one.metric.cuts is None and one.status != "not_measured":
        head.append(f"{score(one):<{width + 6}}", style="bold")
    else:
        head.append(f"{score(one):<6}", style="bold")
        head.append(f"{_status(one):<{width}}", style=STYLES.get(one.status, ""))
    head.append(when(one))
    yield head
    for line in remarks(one):
        yield text.indented(line, 4)


def _status(one: Standing) -> str:
    return f"({one.status.upper() if one.status == 'broken' else one.status.replace('_', ' ')})"


def when(one: Standing) -> str:
    """When it was measured last, and when it is to be measured next."""
    if one.shown is None:
        return "never run"
    what = "tried" if one.status == "not_measured" else "run" if one.metric is None or one.metric.cuts else "updated"
    told = f"last {what} {day(one.shown.completed_at)}"
    if one.due is None or one.due.next is None:
        return told
    return f"{told}, {'due now' if one.due.why else f'next {day(one.due.next)}'}"


def remarks(one: Standing) -> Iterator[Text]:
    """What is to be known beside a score: how sure it is, who judged, what it holds up, what mends it."""
    gate, number = one.gate, one.number
    if gate is None or number is None or one.shown is None:
        yield Text(f"run `git assay eval run --metric {one.id}`", style="dim")
        return
    yield from (Text(line, style="dim") for line in sureness(one, number))
    if one.signer is not None:
        yield Text(f"signed by {inline(one.signer)}" if one.signer else "not signed", style="dim")
    if number.value is None and number.status != "not_measured" and one.shown.reason:
        yield Text(inline(one.shown.reason))
    if (failed := one.failed) is not None:
        stays = f"; the number of {day(one.shown.completed_at)} stands" if one.shown is not failed else ""
        yield Text(f"not measured on {day(failed.completed_at)}: {inline(failed.reason) or 'no reason given'}{stays}")
    yield from (Text.assemble(("→ ", STYLES.get(one.status, "")), line) for line in _consequences(one.id, gate))


def sureness(one: Standing, number: Metric) -> Iterator[str]:
    """On how many samples a number rests, how far it may be off, and who judged."""
    if number.interval is not None:
        low, high = number.interval
        yield f"n {number.n:,}, 95 %: {low:.2f}–{high:.2f}"
    if number.uncertain is not None:
        cut, enough = number.uncertain.cut, number.uncertain.settled_by
        never = "no sample there is would settle it" if number.unit == "share" else "a larger sample may settle it"
        settled = f"a sample of about {enough:,} would settle it" if enough else never
        yield f"uncertain: the interval holds the cut at {cut:.2f}; {settled}"
    yield from map(_judged, one.judges)
    if special := [f"{number.counts[name]:,} {told}" for name, told in _UNSURE.items() if number.counts.get(name)]:
        yield f"{' and '.join(special)} are among the samples"


def _judged(judge: Judged) -> str:
    name = f"judged by {inline(judge.id)}/{inline(judge.version)}"
    if not judge.published:
        return f"{name}, which has not been measured on labelled cases"
    figures = ", ".join(f"{one.balanced_accuracy:.2f} on {one.set}" for one in judge.published)
    return f"{name}: balanced accuracy {figures} ({PAGE})"


def _consequences(name: str, gate: Gate) -> Iterator[str]:
    if gate.ack is not None:
        who = f"{inline(gate.ack.by.name)} on {day(gate.ack.at)}: {inline(gate.ack.reason) or 'no reason given'}"
        freed = listed(gate.would_block or ("synthesis",))
        yield f"acknowledged by {who}; {freed} may go on until the next measurement"
    if gate.blocks:
        yield f"{listed(gate.blocks)} {'is' if gate.blocks == ('synthesis',) else 'are'} BLOCKED"
    if gate.status == "broken":
        seen = "failing claims" if name == "M1" else "why"
        yield f"run `git assay eval report {name} --details` to see {seen}"
    if gate.mend:
        yield f"run `{gate.mend}`"
    if gate.blocks:
        yield f'override with `git assay eval ack {name} --reason "…"` if you know why'


def listed(operations: Sequence[Operation]) -> str:
    """What a gate holds up: `ingests, cascades and scheduled synthesis`."""
    said = [NAMED[each] for each in operations]
    return said[0] if len(said) == 1 else f"{', '.join(said[:-1])} and {said[-1]}"


def _standing(told: Report) -> Iterator[Text]:
    yield Text(f"{summary(told.standings)} {synthesis(told)}", style="bold")


def summary(standings: Iterable[Standing]) -> str:
    """How those metrics stand that have cuts, in a sentence for each status."""
    held = [one for one in standings if one.metric is None or one.metric.cuts is not None]
    if all(one.status == "healthy" for one in held):
        return "All metrics healthy." if held else "No metric that is held to anything."
    groups = {status: [_named(one) for one in held if one.status == status] for status in _WORST_FIRST}
    said = [f"{', '.join(names)} {status.replace('_', ' ')}" for status, names in groups.items() if names]
    return f"{'; '.join(said)}."


def _named(one: Standing) -> str:
    return f"{one.id} (acknowledged)" if one.gate is not None and one.gate.ack is not None else one.id


def synthesis(told: Report) -> str:
    """Whether scheduled synthesis may run, and if not, why."""
    if by := told.held.get("synthesis"):
        return f"Scheduled synthesis BLOCKED by {', '.join(by)}."
    if told.frozen_by:
        have = "have" if len(told.frozen_by) > 1 else "has"
        return f"Scheduled synthesis off until {' and '.join(told.frozen_by)} {have} been healthy once."
    return "Scheduled synthesis enabled."


def _trends(standings: Iterable[Standing]) -> Iterator[Text]:
    for one in standings:
        if sum(value is not None for value in one.weeks) < 2:
            continue
        said = " → ".join(valued(one, value) for value in one.weeks)
        bars = sparkline([number.value for _, number in one.numbers if number.value is not None])
        yield Text.assemble(f"  {one.id}: {said}   ", (bars, STYLES.get(one.status, "")))


def sparkline(values: Sequence[float], most: int = 24) -> str:
    """The last values as bars: those of shares from a half to one, others from the least to the most."""
    shown = [charts.within(value) for value in values[-most:]]
    if not shown:
        return ""
    low, high = min(shown), max(shown)
    if high <= _HIGHEST:
        low, high = min(low, _LOWEST), _HIGHEST
    step = (high - low) / (len(_BARS) - 1) or 1.0
    return "".join(_BARS[round((value - low) / step)] for value in shown)


def _ack(told: Report, ack: Ack) -> Text:
    who = f"{inline(ack.by.name)} <{inline(ack.by.email)}>"
    why = inline(ack.reason) or "no reason given"
    return Text(f"{day(ack.at)}  {inline(ack.metric)} of {ack.commit[:10]} by {who}: {why}{_signed(told, ack)}")


def _signed(told: Report, ack: Ack) -> str:
    if told.signers is None:
        return ""
    signer = told.signers.get(ack.id)
    return f" (signed by {inline(signer)})" if signer else " (not signed: it does not count)"
