"""A run of a benchmark suite, or two beside each other, as Markdown: what names and reasons hold does nothing there."""

from __future__ import annotations

from collections.abc import Iterator

from gitops.report import deltas
from gitops.report import markdown as md
from gitops.report.benchmark_values import Told


def markdown(told: Told) -> str:
    """The whole as one file."""
    return "\n".join(part if part.endswith("\n") else f"{part}\n" for part in _parts(told))


def _parts(told: Told) -> Iterator[str]:
    yield f"# {told.kind.capitalize()}: {md.escaped(told.title)}"
    yield f"**{md.escaped('; '.join(told.sentences))}**"
    yield md.table(("", ""), [(md.escaped(name), md.escaped(value)) for name, value in told.facts])
    if told.shown is not None:
        yield "## Metrics"
        yield from _shown(told)
    for each in told.sections:
        yield f"## {md.escaped(each.title)}"
        yield md.table(each.columns, [tuple(map(md.escaped, row)) for row in each.rows], numbers=each.numbers)
        if each.more:
            yield md.escaped(each.more)
    if told.remarks:
        yield "## Remarks"
        yield md.listed(told.remarks)


def _shown(told: Told) -> Iterator[str]:
    if told.shown is None:
        return
    if told.shown.rows:
        yield deltas.markdown(told.shown)
    if told.shown.subjects:
        yield f"What was measured differs in {md.escaped(told.shown.subjects)}."
    if lines := [*told.shown.remarks, *told.shown.not_compared, *told.legend]:
        yield md.listed(lines)
