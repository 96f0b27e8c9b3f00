"""An ablation in words for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from gitops.report import ablation_values as values
from gitops.report import deltas, text
from gitops.report.deltas import Deltas
from gitops.report.visible import inline
from gitops.suites.concluding import Conclusion

_STYLES = {"no_harm": "green", "harm": "bold red", "cannot_tell": "yellow"}
_SPARED = ("reference", "compared", "pairs", "p", "detectable", "95 %")
"""What a narrow terminal does without: both sides stand in the table of the variants already."""
_TONES = {"healthy": "bold green", "degraded": "bold yellow", "broken": "bold red"}


def words(conclusion: Conclusion, notes: Sequence[str] = ()) -> RenderableType:
    """All of it for a terminal; `notes` are said at the end: what was kept, and where."""
    parts: list[RenderableType] = [
        Text(f"ablation {conclusion.ablation.id}", style="bold"),
        Text(values.sizes(conclusion)),
    ]
    parts += [Text(_line(*each)) for each in values.variants(conclusion)]
    columns, rows = values.overview(conclusion)
    parts += [Text(), text.table(columns, rows), Text()]
    for each in values.shown(conclusion):
        parts += [Text.assemble("beside the control  ", (each.compared, "bold")), Text(), *_beside(each)]
    parts += [Text(line, style="dim") for line in values.legend(conclusion)]
    parts += [Text(), *_held(conclusion), *(Text(line, style="yellow") for line in map(inline, conclusion.remarks))]
    parts += [Text(), *(Text(line) for line in notes)]
    return Group(*parts)


def _beside(each: Deltas) -> Iterator[RenderableType]:
    if each.rows:
        yield deltas.table(each, _SPARED)
        yield Text()
    yield from map(Text, each.remarks)
    yield from (Text(line, style="yellow") for line in each.not_compared)
    if each.remarks or each.not_compared:
        yield Text()


def _held(conclusion: Conclusion) -> Iterator[RenderableType]:
    tone, sentence = values.verdict(conclusion)
    rows = values.held(conclusion)
    yield text.table(
        (*values.HELD[:-1], ""),
        [[*map(Text, row.cells), Text(values.called(row), style=_STYLES[row.held])] for row in rows],
    )
    yield Text()
    for row in rows:
        if row.why:
            yield Text(f"{row.cells[0]}, {row.cells[1]}: {row.why}")
    yield Text(f"{sentence[0].upper()}{sentence[1:]}.", style=_TONES[tone])


def _line(name: str, commit: str, otherwise: str) -> str:
    return f"{name} ({commit})" + (f": {otherwise}" if otherwise else "")
