"""What a search found, in words: each place on a line as compilers name it, what stands there below it."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from gitops.report import text
from gitops.report.visible import inline
from gitops.runs.excerpts import Excerpt

_INDENT = 4
_MARKED = "bold red"


def words(found: Sequence[Excerpt]) -> RenderableType:
    """The places, best first."""
    return Group(*(part for one in found for part in _place(one)))


def _place(one: Excerpt) -> tuple[RenderableType, RenderableType]:
    page = f" (p. {one.hit.page})" if one.hit.page else ""
    above = one.hit.heading or one.hit.title
    where = Text.assemble((f"{inline(one.hit.path)}:{one.line}{page}", "bold"), (f"  {inline(above)}", "dim"))
    return where, text.indented(_marked(one), _INDENT)


def _marked(one: Excerpt) -> Text:
    """The words that were asked for stand out; text is made fit to print piece by piece, so that places still hold."""
    shown, done = Text(), 0
    for start, end in one.marks:
        shown.append(inline(one.text[done:start]))
        shown.append(inline(one.text[start:end]), style=_MARKED)
        done = end
    shown.append(inline(one.text[done:]))
    return shown
