"""How a page stands among the others: reached from where readers come in, on an island, or linked by nobody.

Asked of one page, the graph is walked. Asked of every page, the links are walked once, as numbers, and a graph that
holds the answers gives them instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, Protocol, runtime_checkable

from gitops.wiki.graph import Graph
from gitops.wiki.layout import Layout
from gitops.wiki.walks import linking_to, reachable

Standing = Literal["reached", "island", "orphan"]
"""An island is linked from another page and cannot be reached; an orphan is not even linked."""


@runtime_checkable
class KnowsStandings(Protocol):
    """A graph in which every page's standing has been worked out."""

    def standing(self, path: str) -> Standing:
        """How the page stands among the others."""
        ...


def standing(graph: Graph, layout: Layout, path: str) -> Standing:
    """How the page at `path` stands among the others."""
    if isinstance(graph, KnowsStandings):
        return graph.standing(path)
    if next(linking_to(graph, layout, path), None) is None:
        return "orphan"
    return "reached" if reachable(graph, layout, path) else "island"


def standings(links: Sequence[Sequence[int]], starts: Iterable[int]) -> list[Standing]:
    """The standing of every page, by number. `links` has the pages that each page links to.

    As with `reachable`, every page can be reached where nothing is to start from.
    """
    edge = list(starts)
    is_linked = bytearray(len(links))
    is_reached = bytearray(len(links)) if edge else bytearray(b"\1") * len(links)
    for page, targets in enumerate(links):
        for target in targets:
            if target != page:
                is_linked[target] = 1
    for page in edge:
        is_reached[page] = 1
    while edge:
        found = []
        for page in edge:
            for target in links[page]:
                if not is_reached[target]:
                    is_reached[target] = 1
                    found.append(target)
        edge = found
    words: tuple[Standing, Standing] = ("island", "reached")
    return [words[is_reached[page]] if is_linked[page] else "orphan" for page in range(len(links))]
