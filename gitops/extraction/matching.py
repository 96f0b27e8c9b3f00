"""Which extracted atom stands for which of the gold: one to one, by id, else by type and title (dossier DEC-0009, 1).

As many as possible are matched by id, then as many as possible of the rest by type and normalised title. Where ids
leave a choice, as many pairs as possible are of one type, then as many as possible of one title, and then the order of
the paths decides. No other assignment is better by that; where others are as good, that is told as a tie.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from gitops.extraction.assignment import assigned
from gitops.extraction.model import Matching, Pair, Tie, Variant
from gitops.okf.canonical_id import canonical
from gitops.okf.model import Atom, Bundle
from gitops.okf.titles import normalised

_Named = list[tuple[Atom, tuple[str, ...]]]
"""Atoms, each with the names it may be found by."""
_ID, _TITLE = "id", "title"
_Place = tuple[str, ...]
"""Where atoms meet that may be matched: by what, and what has to be the same for that."""


def match(gold: Bundle, emitted: Bundle, variant: Variant) -> Matching:
    """Match what was extracted with the gold. The order in which files and keys are read changes nothing.

    `strict` ids are the same letter for letter. `canonical` ones are as soon as one of their spellings is: the id's own
    canonical one, and that without the atom's type before it.
    """
    wanted, found = named(gold, variant), named(emitted, variant)
    sure = dict(_sure(wanted, found))
    taken = set(sure.values())
    pairs = {at: Pair(wanted[at][0], found[other][0], "id") for at, other in sure.items()}
    wanted_left = [at for at in range(len(wanted)) if at not in sure]
    found_left = [at for at in range(len(found)) if at not in taken]
    ties: list[Tie] = []
    if wanted_left and found_left:
        places = _Places(min(len(wanted_left), len(found_left)))
        first = [places.of(*wanted[at]) for at in wanted_left]
        second = [places.of(*found[at]) for at in found_left]
        best = assigned(first, second, places.worth)
        for met in best.met:
            at, other = wanted_left[met.first], found_left[met.second]
            taken.add(other)
            pairs[at] = Pair(wanted[at][0], found[other][0], "id" if places.is_by_id(met.place) else "title")
        for one in best.open:
            of_gold = [wanted[wanted_left[at]][0] for at in one.first]
            ties.append(Tie(_called(of_gold), _called([found[found_left[at]][0] for at in one.second])))
    return Matching(
        pairs=tuple(pairs[at] for at in sorted(pairs)),
        missed=tuple(atom for at, (atom, _) in enumerate(wanted) if at not in pairs),
        spurious=tuple(atom for at, (atom, _) in enumerate(found) if at not in taken),
        ties=tuple(ties),
    )


def named(bundle: Bundle, variant: Variant) -> _Named:
    """The atoms of a bundle in the order of their paths, each with the names that its id may be found by."""
    return [(atom, names(atom, variant)) for atom in by_path(bundle)]


def by_path(bundle: Bundle) -> list[Atom]:
    """The atoms of a bundle in an order that is theirs alone."""
    return sorted(bundle.atoms, key=lambda atom: (atom.path, atom.id))


def names(atom: Atom, variant: Variant) -> tuple[str, ...]:
    """What an id may be found by."""
    if variant == "strict":
        return (atom.id,)
    whole, bare = canonical(atom.id), canonical(atom.id, atom.type)
    return (whole,) if whole == bare else (whole, bare)


def _sure(wanted: _Named, found: _Named) -> Iterator[tuple[int, int]]:
    """Pairs of atoms that have no other to go to by id: every assignment with as many matches by id has them."""
    first, second = _by_name(wanted), _by_name(found)
    for at, (_, own) in enumerate(wanted):
        others = {other for name in own for other in second.get(name, ())}
        if len(others) == 1:
            [other] = others
            if {each for name in found[other][1] for each in first.get(name, ())} == {at}:
                yield at, other


def _by_name(every: _Named) -> dict[str, list[int]]:
    """By name the first two atoms that have it: more than one is enough to know that nothing is sure."""
    known: dict[str, list[int]] = defaultdict(list)
    for at, (_, own) in enumerate(every):
        for name in own:
            if len(known[name]) < 2:
                known[name].append(at)
    return known


class _Places:
    """Where atoms meet, numbered, and what a pair that meets there is worth: each aim more than all lesser ones are."""

    def __init__(self, pairs: int) -> None:
        """`pairs` is how many there can be at most."""
        base = pairs + 1
        self._by_id, self._by_title, self._same_type, self._same_title = base**3, base**2, base, 1
        self._numbers: dict[_Place, int] = {}
        self.worth: list[int] = []
        self._kinds: list[str] = []

    def of(self, atom: Atom, names: Sequence[str]) -> list[int]:
        """The places of an atom."""
        kind, title = atom.type.casefold(), normalised(atom.title)
        found = [self._number((_TITLE, kind, title), self._by_title)] if title else []
        for name in names:
            found += [
                self._number((_ID, name), self._by_id),
                self._number((_ID, name, "of type", kind), self._by_id + self._same_type),
                self._number((_ID, name, "of title", title), self._by_id + self._same_title),
                self._number((_ID, name, kind, title, "both"), self._by_id + self._same_type + self._same_title),
            ]
        return found

    def is_by_id(self, place: int) -> bool:
        """Whether those that meet there have one id."""
        return self._kinds[place] == _ID

    def _number(self, place: _Place, worth: int) -> int:
        number = self._numbers.setdefault(place, len(self.worth))
        if number == len(self.worth):
            self.worth.append(worth)
            self._kinds.append(place[0])
        return number


def _called(atoms: Sequence[Atom]) -> tuple[str, ...]:
    """Their ids, or their paths where two have one id."""
    ids = [atom.id for atom in atoms]
    return tuple(ids if len(set(ids)) == len(ids) else [atom.path for atom in atoms])
