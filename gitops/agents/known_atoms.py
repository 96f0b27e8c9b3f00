"""Atoms that are there already: which of them a draft is, what is added to them, and which are somebody else's.

A file that this tool wrote is read back as the draft it was written from, and written anew with what is added. One that
would not be written so, as somebody has worked on it, is left as it is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from gitops.agents.extractors.merging import added, merged
from gitops.okf import writing
from gitops.okf.canonical_id import canonical
from gitops.okf.draft import Draft, Passage, Said
from gitops.okf.model import ATOM_TYPES, Atom, AtomType, Bundle, Relationship, Sentence
from gitops.okf.targets import resolve
from gitops.okf.titles import normalised
from gitops.wiki import citation

_DEFINED = re.compile(r"^\[\^([^\]\s]+)\]:[ \t]*(.+)$", re.MULTILINE)
_REFERRED = re.compile(r"\[\^([^\]\s]+)\]")
_MADE = re.compile(rb'^generated: \{by: [^\n]*?, at: "([^"\n]*)"\}$', re.MULTILINE)
_BODY = re.compile(r"^# .*$", re.MULTILINE)
_HEADING = re.compile(r"^(?:#{1,6} |\[\^[^\]\s]+\]:)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Joined:
    """Drafts as they are to be written beside what is there, under the ids that this has.

    `kept` are the paths of files that somebody else has worked on, and of which there was something to say.
    """

    drafts: tuple[Draft, ...]
    kept: tuple[str, ...] = ()


def stubs(known: Bundle) -> list[Draft]:
    """The atoms of a bundle by type, id and title, with what leads to others: what an extractor has to know of them."""
    resolver = resolve(known)
    found = []
    for one in known.atoms:
        ends = [(edge.rel, resolver.atom(one, edge.target)) for edge in one.edges]
        edges = tuple(Relationship(rel, end.id) for rel, end in ends if end is not None)
        found += [Draft(kind, one.id, one.title, None, edges) for kind in ATOM_TYPES if kind == one.type]
    return found


def one_producer(drafts: Iterable[Draft], known: Bundle, replaced: Collection[str] = ()) -> list[Draft]:
    """Drafts without a second producer of an artifact that an atom of the bundle brings forth already.

    What atoms that are `replaced`, by their ids, said of it counts no more.
    """
    made_by = {
        edge.target: one.id
        for one in stubs(known)
        for edge in one.relationships
        if edge.rel == "produces" and one.id not in replaced
    }
    return [
        replace(
            one,
            relationships=tuple(
                edge
                for edge in one.relationships
                if edge.rel != "produces" or made_by.get(edge.target, one.id) == one.id
            ),
        )
        for one in drafts
    ]


def under_known_ids(drafts: Iterable[Draft], known: Bundle) -> list[Draft]:
    """Drafts under the ids of the atoms that they are: by id in its canonical form, else by type and title."""
    by_id = {canonical(atom.id, atom.type): atom.id for atom in reversed(known.atoms)}
    by_title = {(atom.type.casefold(), normalised(atom.title)): atom.id for atom in reversed(known.atoms)}
    every = list(drafts)
    renamed = {
        one.id: by_id.get(canonical(one.id, one.type)) or by_title.get((one.type, normalised(one.title))) or one.id
        for one in every
    }
    return merged(_renamed(one, renamed) for one in every)


def joined(drafts: Sequence[Draft], known: Bundle, files: Mapping[str, bytes], place: str | None) -> Joined:
    """Drafts with what their atoms say already, by the files of the bundle; less those that add nothing."""
    there = {atom.id: atom for atom in known.atoms}
    entries = {atom.id: writing.Entry(atom.type, atom.title, atom.path) for atom in known.atoms}
    found, kept = list[Draft](), list[str]()
    for one in under_known_ids(drafts, known):
        atom = there.get(one.id)
        before = read_back(atom, files[atom.path], entries, place) if atom is not None else None
        if atom is None:
            found.append(one)
        elif before is None:
            kept.append(atom.path)
        elif (more := added(before, _by_sentence(one))) != before:
            found.append(more)
    return Joined(tuple(found), tuple(kept))


def is_same(one: bytes, other: bytes) -> bool:
    """Are these the same file, but for when it was made?"""
    return _MADE.sub(b"generated", one) == _MADE.sub(b"generated", other)


def read_back(atom: Atom, data: bytes, entries: Mapping[str, writing.Entry], place: str | None) -> Draft | None:
    """The draft that an atom's file was written from; None where it would not be written so now."""
    kind = next((kind for kind in ATOM_TYPES if kind == atom.type), None)
    made = _MADE.search(data)
    if kind is None or made is None:
        return None
    try:
        draft = _draft(atom, kind, data.decode())
        at = datetime.fromisoformat(made[1].decode())
        again = writing.text(draft, entries, at, place=place)
    except ValueError:
        return None
    return draft if is_same(again.encode(), data) else None


def _draft(atom: Atom, kind: AtomType, text: str) -> Draft:
    passages = _passages(text)
    by_line = {text.count("\n", 0, found.start()) + 1: found[1] for found in _DEFINED.finditer(text)}
    description = None
    if atom.description:
        description = Said(atom.description, tuple(passages[label] for label in _labels(text) if label in passages))
    edges = tuple(Relationship(edge.rel, edge.target) for edge in atom.edges)
    rationale = tuple(_said(sentence, by_line, passages) for sentence in atom.rationale)
    return Draft(kind, atom.id, atom.title, description, edges, rationale)


def _passages(text: str) -> dict[str, Passage]:
    """What each footnote cites."""
    found = {}
    for one in _DEFINED.finditer(text):
        cites = citation.parse(one[2])
        if not isinstance(cites, citation.Fault) and len(cites) == 1:
            found[one[1]] = Passage(cites[0].path, cites[0].quote or "", cites[0].offset)
    return found


def _labels(text: str) -> list[str]:
    """What the sentences below the title refer to: those of the description."""
    title = _BODY.search(text)
    if title is None:
        return []
    ends = _HEADING.search(text, title.end())
    return list(dict.fromkeys(_REFERRED.findall(text[title.end() : ends.start() if ends else len(text)])))


def _said(sentence: Sentence, by_line: Mapping[int, str], passages: Mapping[str, Passage]) -> Said:
    labels = [by_line.get(backing.line, "") for backing in sentence.backings]
    return Said(sentence.text, tuple(passages[label] for label in labels if label in passages))


def _by_sentence(one: Draft) -> Draft:
    """A draft whose reasons are sentences, as they are read back from a file."""
    return replace(one, rationale=tuple(each for said in one.rationale for each in writing.sentences(said)))


def _renamed(one: Draft, ids: Mapping[str, str]) -> Draft:
    edges = tuple(replace(edge, target=ids.get(edge.target, edge.target)) for edge in one.relationships)
    own = ids[one.id]
    return replace(one, id=own, relationships=tuple(edge for edge in edges if edge.target != own))
