"""Gold queries in words: what is asked, and from which pages and sources it should be answered."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from gitops.report import text
from gitops.report.visible import inline
from gitops.runs.gold import GoldQuery

COLUMNS = ("query", "pages", "sources", "by", "id")


def listing(queries: Sequence[GoldQuery]) -> RenderableType:
    """One row for each, and how many there are."""
    rows = [_row(one) for one in queries]
    count = f"{len(queries)} {'query' if len(queries) == 1 else 'queries'}"
    return Group(text.table(COLUMNS, rows), Text(), Text(count, style="dim"))


def _row(one: GoldQuery) -> list[RenderableType]:
    cells = (one.query, ", ".join(one.topics) or "none", ", ".join(one.citations) or "none")
    by = f"{one.authored_by}, {one.authored_at[:10]}"
    return [*(Text(inline(cell)) for cell in cells), Text(by, style="dim"), Text(one.id, style="dim")]
