"""Every page can be found: reachable from the index, or at least linked from another page.

A page that only an unreachable page links to is an `island`: said, and no ground to refuse. The index and
the log are found by their names.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from gitops.verify.check import Check
from gitops.verify.finding import Level
from gitops.verify.view import Draft, PageAt
from gitops.wiki.graph import linking_to, reachable
from gitops.wiki.layout import Layout
from gitops.wiki.model import Place


def examine(at: PageAt) -> Iterator[Draft]:
    """Is the page an orphan, or an island?"""
    layout, graph = at.view.layout, at.view.graph
    if at.path in (layout.index, layout.log):
        return
    place = Place(0, 0, 1, 1, 1)
    if next(linking_to(graph, layout, at.path), None) is None:
        message = f"no page links to it, so nobody will find it from {layout.names.index}"
        repair = f"link to it from {layout.index}: {_link(layout, at.path)}"
        yield Draft("orphan", message, "", at.path, place, repair=repair)
    elif not reachable(graph, layout, at.path):
        message = f"pages link to it, but none of them can be reached from {layout.names.index}"
        yield Draft("island", message, "", at.path, place)


def _link(layout: Layout, path: str) -> str:
    """The link as the index has it, whose folder may be below the wiki's."""
    target = posixpath.relpath(path, posixpath.dirname(layout.index))
    name = path.rpartition("/")[2].rpartition(".")[0]
    return f"[{name}](<{target}>)" if re.search(r"[\s()]", target) else f"[{name}]({target})"


CHECK = Check(scope="page", version=1, results={"orphan": Level.ERROR, "island": Level.NOTE}, page=examine)
