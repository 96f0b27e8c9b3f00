"""Every page can be found: reachable from the index, or at least linked from another page.

A page that only an unreachable page links to is an `island`: said, and no ground to refuse. Readers come in at the
index and at the index page of any folder, which nobody has to link to, nor to what is about the wiki itself: its log,
its rules for agents, its templates. Where there is no such page, or the index is made by a query, nobody can say that
a page cannot be found: what nothing links to is then a warning.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from gitops.errors import Absent
from gitops.verify.check import Check
from gitops.verify.finding import Level
from gitops.verify.view import Draft, PageAt, View
from gitops.wiki.layout import Layout, is_about_wiki, is_entry
from gitops.wiki.model import Place
from gitops.wiki.reach import standing

_QUERY = re.compile(r"^[ >]*(?:```+|~~~+)[ \t]*(?:dataview|dataviewjs|base)\b|!\[\[[^\]|#]+\.base\b", re.MULTILINE)


def examine(at: PageAt) -> Iterator[Draft]:
    """Is the page an orphan, or an island?"""
    layout = at.view.layout
    if at.path in (layout.index, layout.log) or is_entry(at.path) or is_about_wiki(layout.inside(at.path)):
        return
    place, found = Place(0, 0, 1, 1, 1), standing(at.view.graph, layout, at.path)
    if found == "orphan":
        message = f"no page links to it, so nobody will find it from {layout.names.index}"
        repair = f"link to it from {layout.index}: {_link(layout, at.path)}"
        yield Draft("orphan", message, "", at.path, place, repair=repair, level=_level(at.view))
    elif found == "island":
        message = f"pages link to it, but none of them can be reached from {layout.names.index}"
        yield Draft("island", message, "", at.path, place)


def _level(view: View) -> Level | None:
    """A warning where the index is not there, or is made by a query: `dataview` or `base` of Obsidian."""
    layout = view.layout
    try:
        text = view.page(layout.index).text if view.snapshot.blob(layout.index) is not None else None
    except Absent:
        text = None
    return Level.WARNING if text is None or _QUERY.search(text) else None


def _link(layout: Layout, path: str) -> str:
    """The link as the index has it, whose folder may be below the wiki's."""
    target = posixpath.relpath(path, posixpath.dirname(layout.index))
    name = path.rpartition("/")[2].rpartition(".")[0]
    return f"[{name}](<{target}>)" if re.search(r"[\s()]", target) else f"[{name}]({target})"


CHECK = Check(
    scope="page", version=2, results={"orphan": Level.ERROR, "island": Level.NOTE}, page=examine, of_links=True
)
