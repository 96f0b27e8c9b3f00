"""What an extractor has found so far: atoms by their names, and what leads from one to another."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from gitops.agents.extractors.kinds import LONGEST_NAME, is_doing, kind_of, named
from gitops.agents.extractors.words import HEADS, TRADES
from gitops.agents.writers.phrases import keys, phrase, slug
from gitops.okf.draft import Draft, Said
from gitops.okf.edge_ends import ENDS
from gitops.okf.model import AtomType, EdgeType, Relationship

_ALIAS = re.compile(r"^(.+?)\s*\((?:also |or |aka |a\.k\.a\. |known as |called |the )*([^()]{2,40})\)\s*$", re.I)
_SHORT = re.compile(r"^(?:the|our) ([a-z][\w-]+(?: [a-z][\w-]+)?)$", re.IGNORECASE)
_LONGEST_CLAUSE = 16
_TYPE_WORDS = frozenset(keys("process procedure workflow system role decision"))


@dataclass(eq=False, slots=True)
class Sketch:
    """An atom on its way: its edges as pairs of type and atom, in order, each once."""

    type: AtomType
    title: str
    description: Said | None = None
    edges: list[tuple[EdgeType, Sketch]] = field(default_factory=list)
    rationale: list[Said] = field(default_factory=list)
    known_id: str = ""
    """The id of an atom that was there before; it is told only where something comes to it."""

    def link(self, rel: EdgeType, target: Sketch) -> None:
        """Add an edge, once, if it joins such atoms by custom: none to itself, and no stages in a circle."""
        first, then = ENDS[rel]
        fits = self.type in first and target.type in then and not (rel == "stages" and target.passes(self))
        if fits and target is not self and (rel, target) not in self.edges:
            self.edges.append((rel, target))

    def passes(self, other: Sketch) -> bool:
        """Is another among the stages of this workflow, or among theirs?"""
        ahead, seen = [self], {self}
        while ahead:
            stages = {target for rel, target in ahead.pop().edges if rel == "stages"} - seen
            seen |= stages
            ahead += stages
        return other is not self and other in seen

    def reason(self, said: Said | None) -> None:
        """Add a sentence that says why, once."""
        if said is not None and said not in self.rationale:
            self.rationale.append(said)


class Finds:
    """Atoms by name. One name is one atom: whoever names it first says of what type it is."""

    def __init__(self, known: Iterable[Draft] = ()) -> None:
        self._by_name: dict[str, Sketch] = {}
        self._found: list[Sketch] = []
        self.here: dict[Sketch, None] = {}
        """What the source that is read now names: what a shortened name may stand for."""
        for draft in known:
            sketch = Sketch(draft.type, draft.title, known_id=draft.id)
            self._found.append(sketch)
            self.call(draft.title, sketch)

    def add(self, kind: AtomType, name: str, said: Said | None) -> Sketch | None:
        """The atom of a name, made where it is not known; None for what is no name."""
        title, alias = _with_alias(name)
        title = _clause(name) if kind == "decision" else named(title)
        if not title:
            return None
        known = self.get(title) or (self.get(alias) if alias else None)
        if known is None:
            known = Sketch(kind, title)
            self._found.append(known)
        self.here[known] = None
        for each in (title, alias):
            self.call(each, known)
        if known.known_id:
            return known
        if known.description is None or (said is not None and _is_mere_name(known)):
            known.description = said
        return known

    def call(self, name: str, sketch: Sketch) -> None:
        """Let an atom be known by another name, too, unless another has it."""
        for key in _keys_of(name):
            self._by_name.setdefault(key, sketch)

    def get(self, name: str) -> Sketch | None:
        """The atom that is called so."""
        title = named(_with_alias(name)[0])
        found = next((self._by_name[key] for key in _keys_of(title) if key in self._by_name), None)
        is_other = found is not None and found.type == "process" and kind_of(title) == "workflow"
        return None if is_other and phrase(title) not in self._by_name else found

    def known(self, name: str) -> Sketch | None:
        """The atom that is called so, or so in short: `the board`, where one board alone is named in this source."""
        found = self.get(name)
        if found is None and (short := _SHORT.match(name.strip())) is not None:
            tail = f" {phrase(short[1])}"
            meant = [one for one in self.here if one.type != "decision" and phrase(one.title).endswith(tail)]
            return meant[0] if len(meant) == 1 else None
        return found

    def get_or_made(
        self, name: str, kinds: tuple[AtomType, ...], said: Said | None, *, loosely: bool = False
    ) -> Sketch | None:
        """The atom of a name, if it is of one of these types; made where the name itself says its type.

        `loosely` a name is a process's, too, if it is any work in -ing.
        """
        found = self.known(name)
        if found is not None:
            return found if found.type in kinds else None
        bare = named(_with_alias(name)[0])
        if " " not in bare and name[:4].casefold() in ("the ", "this"):
            loosely, kinds = False, tuple(kind for kind in kinds if kind != "process" or not is_doing(bare))
        kind = kind_of(bare) or ("process" if "process" in kinds and is_doing(bare, loosely=loosely) else None)
        return self.add(kind, name, said) if kind is not None and kind in kinds and _is_own(name) else None

    def by_key(self, key: str) -> Sketch | None:
        """The atom by the key of a name of it, as `names` has them."""
        return self._by_name.get(key)

    def names(self) -> Iterator[tuple[str, Sketch]]:
        """Every name by which an atom is known, as the key of its words."""
        yield from self._by_name.items()

    def drafts(self) -> list[Draft]:
        """The atoms as drafts, in the order in which they were found, each with an id of its own."""
        ids = {one: one.known_id for one in self._found if one.known_id}
        for one in self._found:
            ids[one] = one.known_id or _free(slug(one.title), set(ids.values()))
        made_by: dict[Sketch, Sketch] = {}
        for one in self._found:
            for rel, target in one.edges:
                if rel == "produces":
                    made_by.setdefault(target, one)  # an artifact has one process that produces it
        return [
            Draft(one.type, ids[one], one.title, one.description, _edges(one, ids, made_by), tuple(one.rationale))
            for one in self._found
            if not one.known_id or one.edges or one.rationale
        ]


def _clause(name: str) -> str:
    """The title of a decision, which may be a whole clause; '' where it is longer than a title."""
    bare = " ".join(name.split()).strip(" \t.:;,*_`")
    return bare[:1].upper() + bare[1:] if len(bare.split()) <= _LONGEST_CLAUSE else ""


def _edges(one: Sketch, ids: dict[Sketch, str], made_by: dict[Sketch, Sketch]) -> tuple[Relationship, ...]:
    kept = ((rel, to) for rel, to in one.edges if rel != "produces" or made_by[to] is one)
    return tuple(Relationship(rel, ids[to]) for rel, to in kept)


def _free(wanted: str, taken: set[str]) -> str:
    number, name = 2, wanted
    while name in taken:
        number, name = number + 1, f"{wanted}-{number}"
    return name


def _is_mere_name(one: Sketch) -> bool:
    """Is all that is said of it what it is called, as a heading or a cell has it?"""
    return one.description is not None and phrase(one.description.text) == phrase(one.title)


def _with_alias(name: str) -> tuple[str, str]:
    """A name, and the other one that stands behind it in parentheses."""
    found = _ALIAS.match(name.strip()) if len(name) <= LONGEST_NAME else None
    if found is None:
        return name, ""
    return found[1], found[2] if found[2][:1].isupper() else ""


def _keys_of(name: str) -> list[str]:
    """The keys of a name: whole, and without the word that says its type (`refund` of `refund process`)."""
    whole = phrase(name)
    words = whole.split()
    short = words[:-1] if len(words) > 1 and words[-1] in _TYPE_WORDS else []
    return [key for key in (whole, " ".join(short)) if key]


def _is_own(name: str) -> bool:
    """Does a name say more than its type? `The manager` may be any."""
    words = keys(named(_with_alias(name)[0]))
    return len(words) > 1 or (len(words) == 1 and (words[0] not in HEADS or words[0] in TRADES or name.isupper()))
