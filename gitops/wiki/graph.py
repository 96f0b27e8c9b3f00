"""The link graph of a wiki, whoever stores it: who links to whom, who cites what, who can be reached.

Links are kept unresolved, with the key of the name they use: what a link resolves to depends on the set
of all paths, so it is answered at the moment it is asked and never stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Protocol
from urllib.parse import unquote

from gitops.wiki.cited import cited
from gitops.wiki.layout import ENTRY_NAMES, Layout, is_entry
from gitops.wiki.links import Names, Resolution, resolve
from gitops.wiki.model import Cite, Page
from gitops.wiki.names import Files, called, name_key, source_key

LinkRow = tuple[str, str, str]
"""(kind, target, key of the target's name)"""
CITE = "cite"
"""The kind of a row that is no link, but leads to what the page cites."""


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
        """The pages that cite a file by this `source_key`; some of them may mean another of that name."""
        ...

    def names(self, path: str) -> Sequence[str]:
        """Every name of a page (`names.called`)."""
        ...

    def files(self, key: str) -> Sequence[str]:
        """The files of the repository with this `source_key`."""
        ...


class Follows:
    """A graph that keeps where links lead, for a whole wiki asks each of them more than once."""

    MOST = 10_000

    def __init__(self) -> None:
        self.followed: dict[tuple[str, str, str], Resolution] = {}

    def follow(self, key: tuple[str, str, str], found: Resolution) -> None:
        """Keep where a link of some kind and target leads from the pages of a folder; not too many of them."""
        if len(self.followed) >= self.MOST:
            self.followed.clear()
        self.followed[key] = found


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What the graph remembers of one page."""

    names: tuple[str, ...] = ()
    links: tuple[LinkRow, ...] = ()
    cites: tuple[str, ...] = ()


def facts(page: Page, path: str, layout: Layout) -> PageFacts:
    """What a parsed page contributes to the graph."""
    links = {(kind, target, name_key(target)) for kind, target in leads(page)}
    cites = {source_key(unquote(cite.path)) for cite in _cites(page)}
    return PageFacts(called(page, path, layout.index), tuple(sorted(links)), tuple(sorted(cites)))


def leads(page: Page) -> set[tuple[str, str]]:
    """Kind and target of whatever leads from a page to others: its links, and what it cites by path or name (`cite`).

    Citations that are links are among the links; canonical ones cite no page.
    """
    links = {(link.kind, link.target) for link in page.links if link.target}
    return links | {(CITE, cite.path) for cite in _cites(page) if cite.how not in ("exact", "link")}


def _cites(page: Page) -> Iterator[Cite]:
    return chain(page.cites, (cite for claim in page.claims for cite in claim.cites))


@dataclass(frozen=True, slots=True)
class Overlay:
    """A graph with some pages replaced (their new facts) or gone (None): the head as a change of the base."""

    base: Graph
    changed: Mapping[str, PageFacts | None]
    exists_at: Callable[[str], bool]
    held: Files = field(default_factory=Files)

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

    def names(self, path: str) -> Sequence[str]:
        """What the page is called at the head."""
        if path not in self.changed:
            return self.base.names(path)
        page = self.changed[path]
        return page.names if page is not None else ()

    def files(self, key: str) -> Sequence[str]:
        """The files of the head with this key."""
        return self.held.named(key)


@dataclass(frozen=True, slots=True)
class MemoryGraph:
    """A graph held in dictionaries: a whole wiki read at once."""

    pages: Mapping[str, PageFacts]
    exists_at: Callable[[str], bool]
    held: Files = field(default_factory=Files)
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

    def names(self, path: str) -> Sequence[str]:
        """What the page is called."""
        page = self.pages.get(path)
        return page.names if page is not None else ()

    def files(self, key: str) -> Sequence[str]:
        """The files with this key."""
        return self.held.named(key)


def resolved(graph: Names, layout: Layout, path: str, kind: str, target: str) -> Resolution:
    """What a link or citation on the page at `path` points to in this graph."""
    if kind == CITE:
        return cited("loose", target, path, graph, layout)
    if not isinstance(graph, Follows):
        return resolve(kind, target, path, graph, layout.wiki, layout.root)
    # A link means the same on every page of a folder.
    key = (path.rpartition("/")[0], kind, target)
    if (known := graph.followed.get(key)) is None:
        known = resolve(kind, target, path, graph, layout.wiki, layout.root)
        if target:
            graph.follow(key, known)
    return known


def entries(graph: Graph, layout: Layout) -> set[str]:
    """Where readers come in: the index, and the index page of every folder. Empty where there is none."""
    named = (path for stem in ENTRY_NAMES for path in graph.named(name_key(stem)))
    found = {path for path in named if layout.is_page(path) and is_entry(path)}
    return found | {layout.index} if graph.exists(layout.index) else found
