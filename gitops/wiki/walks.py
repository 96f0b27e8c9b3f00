"""Walks through a link graph: who links to whom, and who can be reached from where readers come in."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from gitops.wiki.graph import Graph, LinkRow, entries, resolved
from gitops.wiki.layout import Layout, is_entry
from gitops.wiki.names import name_key, source_key


def linked_from(graph: Graph, layout: Layout, path: str) -> set[str]:
    """The pages that the page at `path` links to. An ambiguous link counts for each page it may mean."""
    targets: set[str] = set()
    for kind, target, _ in graph.links(path):
        targets.update(found for found in resolved(graph, layout, path, kind, target).paths if layout.is_page(found))
    targets.discard(path)
    return targets


def linking_to(graph: Graph, layout: Layout, path: str) -> Iterator[str]:
    """The other pages that link to the page at `path`; found by its names, confirmed by resolving."""
    seen = {path}
    leads: dict[LinkRow, bool] = {}
    for other, (kind, target, _) in chain.from_iterable(graph.linking(key) for key in _keys(graph, path)):
        if other in seen:
            continue
        # A link means the same on every page of a folder; to a folder's list page each of them links.
        here = (posixpath.dirname(other), kind, target)
        if here not in leads:
            leads[here] = path in resolved(graph, layout, other, kind, target).paths
        if leads[here]:
            seen.add(other)
            yield other


def _keys(graph: Graph, path: str) -> Iterator[str]:
    """The keys that links to a page may have; its folder's, and those of `..`, for where a reader comes in."""
    keys = dict.fromkeys((name_key(path), source_key(path), *map(name_key, graph.names(path))))
    if is_entry(path):
        keys |= dict.fromkeys(("", ".", ".."))
    return iter(keys)


_HEAD_START = 1000
"""So many pages are walked backwards before the walk from the index begins: an index links to everything."""


def reachable(graph: Graph, layout: Layout, path: str) -> bool:
    """Can the page be reached by links from where readers come in? Everything can where there is no such place.

    Walks backwards from the page, where the index mostly is a hop or two away. From a large island it never
    comes, so after a while the walk goes forwards from the index too; whichever side is exhausted ends it.
    """
    starts = entries(graph, layout)
    if not starts or path in starts:
        return True
    behind, ahead = _Walk({path}), _Walk(starts)
    while behind.edge and ahead.edge:
        backwards = len(behind.seen) < _HEAD_START or len(behind.edge) <= len(ahead.edge)
        if backwards:
            # Asked before who else links to a page: to the list page of a folder, all of the folder does.
            if layout.index in starts and any(_leads(graph, layout, layout.index, page) for page in behind.edge):
                return True
            behind.step(lambda page: linking_to(graph, layout, page))
        else:
            ahead.step(lambda page: linked_from(graph, layout, page))
        if not behind.seen.isdisjoint(ahead.seen):
            return True
    return False


def _leads(graph: Graph, layout: Layout, path: str, to: str) -> bool:
    """Does a link on one page lead to another?"""
    rows = chain.from_iterable(graph.links_to(path, key) for key in _keys(graph, to))
    return any(to in resolved(graph, layout, path, kind, target).paths for kind, target, _ in rows)


class _Walk:
    """A breadth-first walk: what was seen, and the edge it goes on from."""

    def __init__(self, start: set[str]) -> None:
        self.seen, self.edge = set(start), set(start)

    def step(self, neighbours: Callable[[str], Iterable[str]]) -> None:
        self.edge = {other for page in self.edge for other in neighbours(page)} - self.seen
        self.seen |= self.edge
