"""The cheapest flow through a network whose arcs hold one unit each, and what of it could be otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush

SOURCE, SINK = 0, 1
_NONE = -1


class Network:
    """Nodes by number, of which the first two are source and sink; arcs with a cost, an integer of any size.

    Each arc is followed by its reverse: `arc ^ 1` is the other one of the two, and `room` says along which of them a
    unit can still go. `heights` are the dual values: along no arc with room they rise by more than it costs, which
    whoever builds the network sees to. Source and sink begin at 0 and at most 0.
    """

    def __init__(self, heights: Sequence[int]) -> None:
        self.heights = list(heights)
        self.leaving: list[list[int]] = [[] for _ in heights]
        self.heads: list[int] = []
        self.room: list[bool] = []
        self.costs: list[int] = []

    def arc(self, tail: int, head: int, cost: int = 0) -> int:
        """Add an arc that holds one unit; its number."""
        number = len(self.heads)
        self.leaving[tail].append(number)
        self.leaving[head].append(number + 1)
        self.heads += (head, tail)
        self.room += (True, False)
        self.costs += (cost, -cost)
        return number

    def fill(self) -> None:
        """Send units from source to sink as long as each makes the whole cheaper.

        Primal-dual (Ford and Fulkerson 1962): all ways of one cost are filled together, the cheapest first. In the end
        source and sink are at one height.
        """
        self._fill_tight()
        while self._raise():
            self._fill_tight()

    def loose(self) -> list[int]:
        """The arcs, of each pair the first, that other flows as cheap use where this one does not, or the reverse.

        Such an arc lies on a cycle of tight ones, over which a unit could go round, from the sink back to the source
        if need be: both its ends are in one strongly connected component.
        """
        within = self._components()
        return [
            arc
            for arc in range(0, len(self.heads), 2)
            if within[(head := self.heads[arc])] == within[(tail := self.heads[arc + 1])]
            and self.costs[arc] + self.heights[tail] == self.heights[head]
        ]

    def _tight(self, node: int) -> list[int]:
        """The arcs that leave a node and along which the heights rise by just what they cost, with room or without."""
        costs, heads, heights, height = self.costs, self.heads, self.heights, self.heights[node]
        return [arc for arc in self.leaving[node] if costs[arc] + height == heights[heads[arc]]]

    def _raise(self) -> bool:
        """Make the cheapest way left tight (Dijkstra 1959); False where none costs less than nothing."""
        limit = -self.heights[SINK]
        near, done, queue = {SOURCE: 0}, dict[int, int](), [(0, SOURCE)]
        while queue and SINK not in done:
            here, node = heappop(queue)
            if node in done or here >= limit:
                continue
            done[node] = here
            for arc in self.leaving[node]:
                if self.room[arc]:
                    head = self.heads[arc]
                    there = here + self.costs[arc] + self.heights[node] - self.heights[head]
                    if there < near.get(head, limit):
                        near[head] = there
                        heappush(queue, (there, head))
        rest = done.get(SINK, limit)
        self.heights = [height + done.get(node, rest) for node, height in enumerate(self.heights)]
        return SINK in done

    def _fill_tight(self) -> None:
        """Send units along tight arcs until none finds a way: all shortest ways, then all longer ones (Dinitz 1970)."""
        tight = [self._tight(node) for node in range(len(self.leaving))]
        while onward := self._onward(tight):
            path, node = list[int](), SOURCE
            while True:
                if node == SINK:
                    for arc in path:
                        self.room[arc], self.room[arc ^ 1] = False, True
                    path, node = [], SOURCE
                if arcs := onward.get(node):
                    path.append(arcs.pop())
                    node = self.heads[path[-1]]
                elif path:
                    node = self.heads[path.pop() ^ 1]
                else:
                    break

    def _onward(self, tight: Sequence[Sequence[int]]) -> dict[int, list[int]]:
        """For each node that is nearer to the source than the sink is, the arcs with room that lead one step farther,
        the last first. Nothing where the sink is not reached.
        """
        steps, layer = {SOURCE: 0}, [SOURCE]
        onward: dict[int, list[int]] = {}
        while layer:
            found: list[int] = []
            step = steps[layer[0]] + 1
            for node in layer:
                onward[node] = arcs = []
                for arc in reversed(tight[node]):
                    if not self.room[arc]:
                        continue
                    head = self.heads[arc]
                    if head not in steps:
                        steps[head] = step
                        found.append(head)
                    if steps[head] == step:
                        arcs.append(arc)
            if SINK in steps:
                return onward
            layer = found
        return {}

    def _components(self) -> list[int]:
        """For each node the number of its strongly connected component of tight arcs, source and sink taken as one.

        Tarjan (SIAM Journal on Computing 1 (1972), 146-160), without recursion: a way may be as long as the network.
        """
        count = len(self.leaving)
        order, low, within = [_NONE] * count, [0] * count, [_NONE] * count
        number = 0
        for root in range(count):
            if order[root] != _NONE:
                continue
            open_nodes, trail = list[int](), [(root, self._after(root))]
            order[root] = low[root] = number
            number += 1
            open_nodes.append(root)
            while trail:
                node, after = trail[-1]
                head = next(after, _NONE)
                if head == _NONE:
                    trail.pop()
                    if trail:
                        low[trail[-1][0]] = min(low[trail[-1][0]], low[node])
                    if low[node] == order[node]:
                        while within[node] == _NONE:
                            within[open_nodes.pop()] = node
                elif order[head] == _NONE:
                    order[head] = low[head] = number
                    number += 1
                    open_nodes.append(head)
                    trail.append((head, self._after(head)))
                elif within[head] == _NONE:
                    low[node] = min(low[node], order[head])
        return within

    def _after(self, node: int) -> Iterator[int]:
        yield from (self.heads[arc] for arc in self._tight(node) if self.room[arc])
        if node in (SOURCE, SINK):
            yield SINK + SOURCE - node
