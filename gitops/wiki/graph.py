"""The link graph of a wiki, whoever stores it: who links to whom, who cites what, who can be reached.

Links are kept unresolved, with the key of the name they use: what a link resolves to depends on the set
of all paths, so it is answered at the moment it is asked and never stored.
"""

from __future__ import annotations

import posixpath
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Protocol

from gitops.wiki.layout import Layout
from gitops.wiki.links import Resolution, name_key, resolve
from gitops.wiki.model import Page

LinkRow = tuple[str, str, str]
"""(kind, target, key of the target's name)"""


class Graph(Protocol):
    """What is asked of the pages and links of one revision. Paths are the repository's."""

    def named(self, key: str) -> Sequence[str]:
        """The pages that are called by this name key."""
        ...

    def exists(self, path: str) -> bool:
        """Does a file or folder stand at this path of the repository?"""
        ...

    def links(self, path: str) -> Sequence[LinkRow]:
        """The links on a page, as written."""
        ...

    def linking(self, key: str) -> Sequence[tuple[str, LinkRow]]:
        """The pages, with their links, whose links use a name key."""
        ...

    def links_to(self, path: str, key: str) -> Sequence[LinkRow]:
        """Those links on one page that use a name key: what `links` and `linking` have in common."""
        ...

    def citing(self, source: str) -> Sequence[str]:
        """The pages that cite a source, by its `source_key`."""
        ...


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What the graph remembers of one page."""

    names: tuple[str, ...] = ()
    links: tuple[LinkRow, ...] = ()
    cites: tuple[str, ...] = ()


def source_key(path: str) -> str:
    """What a source is cited by: its repository path in NFC, in whatever form git has its name."""
    return unicodedata.normalize("NFC", path)


def facts(page: Page, path: str, layout: Layout) -> PageFacts:
    """What a parsed page contributes to the graph."""
    links = {(link.kind, link.target, name_key(link.target)) for link in page.links if link.target}
    cited = chain(page.cites, (cite for claim in page.claims for cite in claim.cites))
    cites = {source_key(layout.source(cite.path)) for cite in cited}
    return PageFacts((name_key(path),), tuple(sorted(links)), tuple(sorted(cites)))


@dataclass(frozen=True, slots=True)
class Overlay:
    """A graph with some pages replaced (their new facts) or gone (None): the head as a change of the base."""

    base: Graph
    changed: Mapping[str, PageFacts | None]
    exists_at: Callable[[str], bool]

    def named(self, key: str) -> Sequence[str]:
        """The pages called by this key, changed ones by their new names."""
        kept = [path for path in self.base.named(key) if path not in self.changed]
        return kept + [path for path, page in self.changed.items() if page is not None and key in page.names]

    def exists(self, path: str) -> bool:
        """Does a file or folder stand there at the head?"""
        return self.exists_at(path)

    def links(self, path: str) -> Sequence[LinkRow]:
        """The links on a page at the head."""
        if path not in self.changed:
            return self.base.links(path)
        page = self.changed[path]
        return page.links if page is not None else ()

    def linking(self, key: str) -> Sequence[tuple[str, LinkRow]]:
        """Who uses this name key at the head."""
        kept = [row for row in self.base.linking(key) if row[0] not in self.changed]
        return kept + [
            (path, link)
            for path, page in self.changed.items()
            if page is not None
            for link in page.links
            if link[2] == key
        ]

    def links_to(self, path: str, key: str) -> Sequence[LinkRow]:
        """The links on a page at the head that use this name key."""
        if path not in self.changed:
            return self.base.links_to(path, key)
        return [link for link in self.links(path) if link[2] == key]

    def citing(self, source: str) -> Sequence[str]:
        """Who cites this source at the head."""
        kept = [path for path in self.base.citing(source) if path not in self.changed]
        return kept + [path for path, page in self.changed.items() if page is not None and source in page.cites]


@dataclass(frozen=True, slots=True)
class MemoryGraph:
    """A graph held in dictionaries: a whole wiki read at once."""

    pages: Mapping[str, PageFacts]
    exists_at: Callable[[str], bool]
    _named: dict[str, list[str]] = field(default_factory=dict)
    _linking: dict[str, list[tuple[str, LinkRow]]] = field(default_factory=dict)
    _citing: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for path, page in self.pages.items():
            for key in page.names:
                self._named.setdefault(key, []).append(path)
            for link in page.links:
                self._linking.setdefault(link[2], []).append((path, link))
            for source in page.cites:
                self._citing.setdefault(source, []).append(path)

    def named(self, key: str) -> Sequence[str]:
        """The pages called by this key."""
        return self._named.get(key, ())

    def exists(self, path: str) -> bool:
        """Does a file or folder stand there?"""
        return self.exists_at(path)

    def links(self, path: str) -> Sequence[LinkRow]:
        """The links on a page."""
        page = self.pages.get(path)
        return page.links if page is not None else ()

    def linking(self, key: str) -> Sequence[tuple[str, LinkRow]]:
        """Who uses this name key."""
        return self._linking.get(key, ())

    def links_to(self, path: str, key: str) -> Sequence[LinkRow]:
        """The links on a page that use this name key."""
        return [link for link in self.links(path) if link[2] == key]

    def citing(self, source: str) -> Sequence[str]:
        """Who cites this source."""
        return self._citing.get(source, ())


def resolved(graph: Graph, layout: Layout, path: str, kind: str, target: str) -> Resolution:
    """What a link on the page at `path` points to in this graph."""
    return resolve(kind, target, path, graph, layout.wiki, layout.root)


def linked_from(graph: Graph, layout: Layout, path: str) -> set[str]:
    """The pages that the page at `path` links to. An ambiguous link counts for each page it may mean."""
    targets: set[str] = set()
    for kind, target, _ in graph.links(path):
        targets.update(found for found in resolved(graph, layout, path, kind, target).paths if layout.is_page(found))
    targets.discard(path)
    return targets


def linking_to(graph: Graph, layout: Layout, path: str) -> Iterator[str]:
    """The other pages that link to the page at `path`; found by its name, confirmed by resolving."""
    seen = {path}
    leads: dict[LinkRow, bool] = {}
    for other, (kind, target, _) in graph.linking(name_key(path)):
        if other in seen:
            continue
        # A link means the same on every page of a folder; to a folder's list page each of them links.
        here = (posixpath.dirname(other), kind, target)
        if here not in leads:
            leads[here] = path in resolved(graph, layout, other, kind, target).paths
        if leads[here]:
            seen.add(other)
            yield other


_HEAD_START = 1000
"""So many pages are walked backwards before the walk from the index begins: an index links to everything."""


def reachable(graph: Graph, layout: Layout, path: str) -> bool:
    """Can the page be reached from the index by links?

    Walks backwards from the page, where the index mostly is a hop or two away. From a large island it never
    comes, so after a while the walk goes forwards from the index too; whichever side is exhausted ends it.
    """
    if path == layout.index:
        return True
    if not graph.exists(layout.index):
        return False
    behind, ahead = _Walk({path}), _Walk({layout.index})
    while behind.edge and ahead.edge:
        backwards = len(behind.seen) < _HEAD_START or len(behind.edge) <= len(ahead.edge)
        if backwards:
            # Asked before who else links to a page: to the list page of a folder, all of the folder does.
            if any(_leads(graph, layout, layout.index, page) for page in behind.edge):
                return True
            behind.step(lambda page: linking_to(graph, layout, page))
        else:
            ahead.step(lambda page: linked_from(graph, layout, page))
        if not behind.seen.isdisjoint(ahead.seen):
            return True
    return False


def _leads(graph: Graph, layout: Layout, path: str, to: str) -> bool:
    """Does a link on one page lead to another?"""
    rows = graph.links_to(path, name_key(to))
    return any(to in resolved(graph, layout, path, kind, target).paths for kind, target, _ in rows)


class _Walk:
    """A breadth-first walk: what was seen, and the edge it goes on from."""

    def __init__(self, start: set[str]) -> None:
        self.seen, self.edge = set(start), set(start)

    def step(self, neighbours: Callable[[str], Iterable[str]]) -> None:
        self.edge = {other for page in self.edge for other in neighbours(page)} - self.seen
        self.seen |= self.edge
