"""Two scored extractions beside each other on a terminal: the differences, and what moved in which case."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from gitops.extraction.comparing import CompareReport
from gitops.report import extraction_compare_values as told
from gitops.report import extraction_values as values
from gitops.report import text
from gitops.report.benchmark import STYLES, differences
from gitops.report.benchmark_values import Told
from gitops.report.extraction_compare_values import Change
from gitops.report.visible import inline

_SHOWN = 10
"""So many cases, and so many of what moved, are shown."""
_INDENT = 11
_SIGNS: dict[Change, tuple[str, str]] = {"new": ("+", "red"), "gone": ("−", "green")}


def words(report: CompareReport) -> RenderableType:
    """What it came to, the runs, the table, the cases that moved, what moved in them, the remarks."""
    every = told.of_comparison(report)
    parts: list[RenderableType] = [*_head(every), Text()]
    if every.shown is not None:
        parts += differences(every.shown)
    parts += _cases(report)
    for change in _SIGNS:
        parts += _moved(report, change)
    parts += [Text(line, style="yellow") for line in every.remarks]
    parts += [Text(line, style="dim") for line in every.legend]
    return Group(*parts)


def _head(every: Told) -> Iterator[RenderableType]:
    first, *rest = every.sentences
    yield Text(f"{first[0].upper()}{first[1:]}", style=STYLES[every.tone])
    yield from map(Text, rest)
    yield Text()
    yield from (text.hanging(Text(role, style="dim"), Text(about), _INDENT) for role, about in every.facts)


def _cases(report: CompareReport) -> Iterator[RenderableType]:
    """A line for each case: its numbers that moved, and how much is newly and no longer wrong."""
    if not report.moves:
        return
    yield Text(f"{values.counted(len(report.moves), 'case')} moved", style="bold")
    for one in report.moves[:_SHOWN]:
        case, *cells = told.cells(one)
        named = zip(told.CASES[1:], cells, strict=True)
        moved = [f"{name} {cell}" for name, cell in named if "→" in cell or (cell and name in _SIGNS)]
        yield text.indented(Text.assemble((case, "cyan"), "  ", ", ".join(moved)), 2)
    yield from _left(len(report.moves))
    yield Text()


def _moved(report: CompareReport, change: Change) -> Iterator[RenderableType]:
    found = told.moved(report, change)
    if not found:
        return
    sign, style = _SIGNS[change]
    yield Text.assemble((f"{told.TITLES[change]} {len(found):,}", "bold"), (f"  {told.MEANING[change]}", "dim"))
    for one in found[:_SHOWN]:
        what = (told.kind(one), style), ": ", values.what(one)
        yield text.indented(Text.assemble((f"{sign} ", style), (inline(str(one["case"])), "cyan"), "  ", *what), 2)
        places = zip(("extracted", "gold", "source"), values.places(one), strict=True)
        if where := " · ".join(f"{name} {place}" for name, place in places if place):
            yield text.indented(Text(where, style="dim"), 6)
    yield from _left(len(found))
    yield Text()


def _left(count: int) -> Iterator[RenderableType]:
    if count > _SHOWN:
        yield Text(f"  and {count - _SHOWN:,} more: --json has them, --report FILE.md and --html FILE show them")
