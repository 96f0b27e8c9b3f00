"""Which nodes of a graph lead to one another: its strongly connected components of more than one node."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence


def knots(edges: Mapping[str, Sequence[str]]) -> Iterator[frozenset[str]]:
    """The components, by Tarjan's algorithm (SIAM J. Comput. 1, 1972) without recursion; every end is a key too."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    open_nodes: dict[str, None] = {}
    for root in edges:
        if root in number:
            continue
        trail = [(root, iter(edges[root]))]
        number[root] = lowest[root] = len(number)
        open_nodes[root] = None
        while trail:
            node, rest = trail[-1]
            end = next(rest, None)
            if end is None:
                trail.pop()
                if trail:
                    above = trail[-1][0]
                    lowest[above] = min(lowest[above], lowest[node])
                if lowest[node] == number[node]:
                    component = _closed(node, open_nodes)
                    if len(component) > 1:
                        yield component
            elif end not in number:
                number[end] = lowest[end] = len(number)
                open_nodes[end] = None
                trail.append((end, iter(edges[end])))
            elif end in open_nodes:
                lowest[node] = min(lowest[node], number[end])


def _closed(root: str, open_nodes: dict[str, None]) -> frozenset[str]:
    """What was opened since the root, taken out."""
    component = set()
    while root in open_nodes:
        node, _ = open_nodes.popitem()
        component.add(node)
    return frozenset(component)
