"""The best one-to-one assignment, where whom one may go to is told by the places that both belong to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from gitops.extraction.flow import SINK, SOURCE, Network

Places = Sequence[Sequence[int]]
"""For each of one side, by its number, the places that it belongs to."""
_FIRST, _SECOND, _PLACE = range(3)
_Stay = tuple[int, int]
"""One of a side, by its number, at a place."""
_Stays = dict[int, list[int]]


@dataclass(frozen=True, slots=True)
class Met:
    """One of the first side and one of the second that go to one another, and the place where they met."""

    first: int
    second: int
    place: int


@dataclass(frozen=True, slots=True)
class Open:
    """Those of either side among whom another assignment of the same worth decides otherwise."""

    first: tuple[int, ...]
    second: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Assignment:
    """Who goes to whom, by the numbers of the first side, and what of it was no more than a choice."""

    met: tuple[Met, ...]
    open: tuple[Open, ...]


def assigned(first: Places, second: Places, worth: Sequence[int]) -> Assignment:
    """The assignment of the greatest total worth.

    Two may go to one another if they share a place, and `worth` says what that is worth, by the place, more than 0. It
    is exact whatever the integers, so that one aim can outweigh any number of lesser ones. Of several as good it is
    always the same one, in which lower numbers are served first, and what could have been otherwise is told.

    A place stands for all pairs of those that belong to it: ten thousand that may go to any of ten thousand others are
    twenty thousand arcs, and not a hundred million.
    """
    network, coming, going = _built(first, second, worth)
    network.fill()
    came = _by_place(stay for arc, stay in coming.items() if not network.room[arc])
    went = _by_place(stay for arc, stay in going.items() if not network.room[arc])
    loose = network.loose()
    either = [
        *((_FIRST, *coming[arc]) for arc in loose if arc in coming),
        *((_SECOND, *going[arc]) for arc in loose if arc in going),
    ]
    met = (Met(one, other, place) for place in came for one, other in zip(came[place], went[place], strict=True))
    return Assignment(tuple(sorted(met, key=lambda each: each.first)), tuple(_open(came, went, either)))


def _built(first: Places, second: Places, worth: Sequence[int]) -> tuple[Network, dict[int, _Stay], dict[int, _Stay]]:
    """The network: source, the first side, places, the second side, sink; and the arcs that lead to places and away."""
    shared = sorted(set().union(*first) & set().union(*second))
    nodes = {place: 2 + at for at, place in enumerate(shared)}
    # A node begins as high as the cheapest way to it, in the order of the numbers.
    best = [-max((worth[place] for place in places if place in nodes), default=0) for places in second]
    heights = [0, min(best, default=0), *(-worth[place] for place in shared), *(0 for _ in first), *best]
    network = Network(heights)
    coming: dict[int, _Stay] = {}
    going: dict[int, _Stay] = {}
    for at, places in enumerate(first):
        node = 2 + len(shared) + at
        network.arc(SOURCE, node)
        coming |= {network.arc(node, nodes[to], -worth[to]): (at, to) for to in places if to in nodes}
    for at, places in enumerate(second):
        node = 2 + len(shared) + len(first) + at
        going |= {network.arc(nodes[by], node): (at, by) for by in places if by in nodes}
        network.arc(node, SINK)
    return network, coming, going


def _by_place(stays: Iterable[_Stay]) -> _Stays:
    """By place who of a side has met somebody there, in their order."""
    found: _Stays = defaultdict(list)
    for at, place in sorted(stays):
        found[place].append(at)
    return found


def _open(came: _Stays, went: _Stays, either: Iterable[tuple[int, int, int]]) -> Iterator[Open]:
    """Those that hang together by what is a choice: at a place where several met all of them, for any may go to any;
    and whoever may come to a place or stay away, with those that met there.
    """
    links = [((side, at), (_PLACE, place)) for side, at, place in either]
    chosen = {place for place, several in came.items() if len(several) > 1} | {place for _, _, place in either}
    for place in chosen:
        links += [((_FIRST, at), (_PLACE, place)) for at in came.get(place, ())]
        links += [((_SECOND, at), (_PLACE, place)) for at in went.get(place, ())]
    groups = (sorted(group) for group in _connected(links))
    found = (Open(*(tuple(at for kind, at in group if kind == side) for side in (_FIRST, _SECOND))) for group in groups)
    # Two that may meet at several places, and nowhere anybody else, are no choice.
    yield from sorted((one for one in found if len(one.first) + len(one.second) > 2), key=lambda one: one.first)


def _connected(links: Iterable[tuple[tuple[int, int], tuple[int, int]]]) -> Iterator[list[tuple[int, int]]]:
    """What hangs together by some links."""
    beside: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for one, other in links:
        beside[one].append(other)
        beside[other].append(one)
    seen: set[tuple[int, int]] = set()
    for start in beside:
        if start not in seen:
            seen.add(start)
            group = [start]
            for node in group:  # it grows while it is walked
                new = [other for other in dict.fromkeys(beside[node]) if other not in seen]
                seen.update(new)
                group += new
            yield group
