"""What was measured just now, in words: a line for each metric, and what its status means for work."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from gitops.evals.due import Due
from gitops.evals.metric import Metric
from gitops.evals.stating import shown
from gitops.report import text
from gitops.report.visible import inline
from gitops.runs.gates import BLOCKS, MENDS
from gitops.runs.measurements import Measurement

STYLES = {"healthy": "green", "degraded": "yellow", "broken": "bold red", "not_measured": "dim"}
_TITLES = {"ingest": "ingests", "cascade": "cascades", "synthesis": "scheduled synthesis"}


def words(
    found: Sequence[Measurement],
    metrics: Mapping[str, Metric],
    times: Mapping[str, Due] | None,
    *,
    is_kept: bool,
) -> RenderableType:
    """The table, what is blocked and what mends it, when what is next due, and where it is kept."""
    parts: list[RenderableType] = []
    if found:
        rows = [_row(one, metrics[one.suite]) for one in found]
        parts.append(text.table(("", "", "score", "95 %", "n", "status"), rows))
        parts += [Text(line, style="dim") for line in _reasons(found)]
        parts += list(_consequences(found))
    elif times is not None:
        parts.append(Text("nothing is due"))
    if times is not None:
        parts += [Text(line, style="dim") for line in _next(found, times)]
    if found:
        where = f"in the notes of {found[0].commit[:10]} (refs/notes/assay/evals)"
        parts.append(Text(f"kept {where}" if is_kept else "not kept (--no-keep)", style="dim"))
    return Group(*parts)


def _row(one: Measurement, metric: Metric) -> list[RenderableType]:
    number = one.metrics[one.suite]
    interval = f"{number.interval[0]:.2f}–{number.interval[1]:.2f}" if number.interval else "-"
    status = number.status.replace("_", " ") + (", uncertain" if number.uncertain else "")
    score = "-" if number.value is None else shown(metric, number.value)
    cells = (one.suite, metric.title, score, interval, str(number.n))
    return [*map(Text, cells), Text(status, style=STYLES.get(number.status, ""))]


def _reasons(found: Sequence[Measurement]) -> Iterator[str]:
    for one in found:
        uncertain = one.metrics[one.suite].uncertain
        if one.reason:
            yield f"{one.suite}: {inline(one.reason)}"
        if uncertain is not None:
            settled = f"; about {uncertain.settled_by:,} samples would tell" if uncertain.settled_by else ""
            yield f"{one.suite}: uncertain, for {uncertain.cut} lies within the interval{settled}"


def _consequences(found: Sequence[Measurement]) -> Iterator[Text]:
    for one in found:
        key = (one.suite, one.metrics[one.suite].status)
        if not one.is_past and (blocked := BLOCKS.get(key)):
            names = " and ".join(_TITLES[each] for each in blocked)
            yield Text(f"{one.suite} blocks {names}: git assay eval report --details {one.suite}", style="red")
        if not one.is_past and key in MENDS:
            yield Text(f"{one.suite} is {key[1]}: {MENDS[key]}")


def _next(found: Sequence[Measurement], times: Mapping[str, Due]) -> Iterator[str]:
    done = {one.suite for one in found}
    told = [f"{name} {due.next:%Y-%m-%d}" for name, due in times.items() if due.next is not None and name not in done]
    if told:
        yield f"next due: {', '.join(told)}"
