"""A run of a benchmark suite, or two beside each other, on a terminal; and which suites there are."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from gitops.report import deltas, text
from gitops.report.benchmark_values import Section, Told, Tone

STYLES: dict[Tone, str] = {"healthy": "green", "degraded": "yellow", "broken": "bold red", "not_measured": "dim"}
_INDENT = 12


def words(told: Told) -> RenderableType:
    """What it is, what it came to, the facts, the tables, the remarks."""
    parts: list[RenderableType] = [
        Text.assemble((told.title, "bold"), "  ", ("; ".join(told.sentences), STYLES[told.tone])),
        Text(),
        *(text.hanging(Text(name, style="dim"), Text(value), _width(told)) for name, value in told.facts),
        Text(),
    ]
    for each in told.sections:
        parts += [*_section(each), Text()]
    if told.shown is not None:
        parts += differences(told.shown)
    parts += [Text(line, style="yellow") for line in told.remarks]
    parts += [Text(line, style="dim") for line in told.legend]
    return Group(*parts)


def _width(told: Told) -> int:
    return max(_INDENT, *(len(name) + 2 for name, _ in told.facts)) if told.facts else _INDENT


def _section(each: Section) -> Iterator[RenderableType]:
    rows = [[Text(cell) for cell in row] for row in each.rows]
    for row in rows:
        for at, name in enumerate(each.columns):
            if name in each.numbers:
                row[at].justify = "right"
    yield Text(each.title, style="bold")
    yield text.table(each.columns, rows)
    if each.more:
        yield Text(each.more, style="dim")


def differences(shown: deltas.Deltas) -> Iterator[RenderableType]:
    """The table of what was compared, what is to be said of it, and what was not compared."""
    if shown.rows:
        yield deltas.table(shown)
        yield Text()
    yield from map(Text, shown.remarks)
    if shown.subjects:
        yield Text(f"what was measured differs in {shown.subjects}", style="dim")
    yield from (Text(line, style="yellow") for line in shown.not_compared)
    if shown.remarks or shown.subjects or shown.not_compared:
        yield Text()
