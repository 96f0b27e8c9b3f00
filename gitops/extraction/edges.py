"""Typed edges scored: which of the gold's were extracted, which were made up, and how far stages are in order.

All types but `stages` are sets of (source, type, target): an edge that is written twice counts once. The stages of a
workflow are one sequence, and what is right of it is its longest common subsequence with the gold's. An edge of
another type than the seven is none; it makes its file invalid.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Protocol

from gitops.extraction.matching import by_path
from gitops.extraction.model import Counts, EdgeScore, Link, Matching, Stages, Variant
from gitops.extraction.sequences import common
from gitops.okf.canonical_id import canonical
from gitops.okf.model import EDGE_TYPES, ORDERED, Atom, Bundle
from gitops.okf.targets import Resolver, resolve

_Ids = tuple[str, ...]
_Path = tuple[Link, ...]


def score(gold: Bundle, emitted: Bundle, matching: Matching, variant: Variant) -> EdgeScore:
    """Score the edges of what was extracted.

    `canonical`: an atom that was matched is the gold's atom that it was matched with, whatever its id, and so are
    others of that id. One that was not is none of the gold's. A target that no extracted atom is called means the
    gold's atom of that name, if there is one. `strict`: atoms are their ids, letter for letter, matched or not.
    """
    matched = {pair.emitted.path: at for at, pair in enumerate(matching.pairs)}
    expected = _collected(by_path(gold), _Written(gold, variant))
    found = _collected(
        sorted(by_path(emitted), key=lambda atom: matched.get(atom.path, len(matched))),
        _Written(emitted, variant) if variant == "strict" else _Mapped(gold, emitted, matching),
    )
    missed = [link for edge, link in expected.sets.items() if edge not in found.sets]
    spurious = [link for edge, link in found.sets.items() if edge not in expected.sets]
    counts: dict[str, Counts] = {rel: _counts(rel, expected.sets, found.sets) for rel in EDGE_TYPES}
    stages = []
    for workflow in dict.fromkeys((*expected.stages, *found.stages)):
        sides = (side.stages.get(workflow, {}).values() for side in (expected, found))
        for one, other in zip_longest(*sides, fillvalue=()):
            places = common(_targets(one), _targets(other))
            stages.append(Stages(workflow, _targets(one), _targets(other), len(places)))
            missed += _without(one, {place for place, _ in places})
            spurious += _without(other, {place for _, place in places})
            counts[ORDERED] += Counts(len(places), len(other) - len(places), len(one) - len(places))
    return EdgeScore(counts, _in_order(missed), _in_order(spurious), tuple(stages))


class _Ends(Protocol):
    """Says which atoms an edge runs between, by ids that both bundles have in common."""

    def source(self, atom: Atom) -> str: ...

    def target(self, atom: Atom, written: str) -> str: ...


class _Written:
    """Atoms are what they are called in their own bundle; a target that is nothing there is what is written."""

    def __init__(self, bundle: Bundle, variant: Variant) -> None:
        resolver = _resolver(bundle)
        self._find = resolver.exactly if variant == "strict" else resolver.atom

    def source(self, atom: Atom) -> str:
        return atom.id

    def target(self, atom: Atom, written: str) -> str:
        end = self._find(atom, written)
        return end.id if end is not None else written


class _Mapped:
    """Extracted atoms are the gold's that they were matched with."""

    def __init__(self, gold: Bundle, emitted: Bundle, matching: Matching) -> None:
        self._gold, self._emitted = _resolver(gold), _resolver(emitted)
        self._ids = {atom.id for atom in gold.atoms}
        self._by_path = {pair.emitted.path: pair.gold.id for pair in matching.pairs}
        backwards = matching.pairs[::-1]  # of two that have one id the first counts
        self._by_id = {pair.emitted.id: pair.gold.id for pair in backwards}
        self._by_spelling = {canonical(pair.emitted.id): pair.gold.id for pair in backwards}

    def source(self, atom: Atom) -> str:
        for known, name in ((self._by_path, atom.path), (self._by_id, atom.id)):
            if name in known:
                return known[name]
        return self._by_spelling.get(canonical(atom.id)) or self._apart(atom.id)

    def target(self, atom: Atom, written: str) -> str:
        end = self._emitted.atom(atom, written)
        if end is not None:
            return self.source(end)
        meant = self._gold.atom(atom, written)
        return meant.id if meant is not None else self._apart(written)

    def _apart(self, id: str) -> str:
        """An id that the gold has not: no id of the gold holds white space."""
        return f"{id} (extracted)" if id in self._ids else id


@dataclass(frozen=True, slots=True)
class _Edges:
    """The edges of a bundle: the sets, and by workflow its sequences, of which files of one id may have several."""

    sets: dict[tuple[str, str, str], Link] = field(default_factory=dict)
    stages: dict[str, dict[_Ids, _Path]] = field(default_factory=dict)


def _collected(atoms: Iterable[Atom], ends: _Ends) -> _Edges:
    found = _Edges()
    for atom in atoms:
        source, path = ends.source(atom), []
        for edge in atom.edges:
            if edge.rel in EDGE_TYPES:
                link = Link(source, edge.rel, ends.target(atom, edge.target), atom.path, edge.line)
                if edge.rel == ORDERED:
                    path.append(link)
                else:
                    found.sets.setdefault((link.source, link.rel, link.target), link)
        if path:
            found.stages.setdefault(source, {}).setdefault(_targets(path), tuple(path))
    return found


def _resolver(bundle: Bundle) -> Resolver:
    return resolve(Bundle(bundle.name, tuple(by_path(bundle))))


def _counts(
    rel: str, expected: Mapping[tuple[str, str, str], Link], found: Mapping[tuple[str, str, str], Link]
) -> Counts:
    one, other = ({edge for edge in side if edge[1] == rel} for side in (expected, found))
    return Counts(len(one & other), len(other - one), len(one - other))


def _targets(path: Sequence[Link]) -> _Ids:
    return tuple(link.target for link in path)


def _without(path: Sequence[Link], places: set[int]) -> list[Link]:
    return [link for place, link in enumerate(path) if place not in places]


def _in_order(links: Iterable[Link]) -> tuple[Link, ...]:
    return tuple(sorted(links, key=lambda link: (link.path, link.line, link.rel, link.source, link.target)))
