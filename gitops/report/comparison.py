"""A comparison of measurements in words: a table of differences, what they rest on, and what could not be compared."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from gitops.comparing.measured import Comparison
from gitops.report.deltas import Deltas, deltas, legend, table


def words(comparison: Comparison) -> RenderableType:
    """A table for each side beside the reference; below it what was left out, what flipped, what is not compared."""
    every = deltas(comparison)
    parts: list[RenderableType] = [Text.assemble("reference  ", (every[0].reference, "bold"))]
    for shown in every:
        parts += [Text.assemble("compared   ", (shown.compared, "bold")), Text(), *_side(shown)]
    parts += [Text(line, style="dim") for line in legend(comparison)]
    return Group(*parts)


def _side(shown: Deltas) -> Iterator[RenderableType]:
    if shown.rows:
        yield table(shown)
        yield Text()
    yield from map(Text, shown.remarks)
    if shown.subjects:
        yield Text(f"what was measured differs in {shown.subjects}", style="dim")
    yield from (Text(line, style="yellow") for line in shown.not_compared)
    yield Text()
