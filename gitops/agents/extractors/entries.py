"""Items that name one thing and say of it what links it: `Head of Ops — owns the yard, uses BerthApp`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import takewhile

from gitops.agents.extractors import given as reading_of
from gitops.agents.extractors.around import Around
from gitops.agents.extractors.finds import Finds, Sketch
from gitops.agents.extractors.given import Given, Section
from gitops.agents.extractors.kinds import is_brand, is_doing, is_singular, kind_of, kind_of_predicate, named
from gitops.agents.extractors.phrasing import predicate
from gitops.agents.extractors.shapes import SHAPES, Shape, matched, predicates
from gitops.agents.extractors.words import LABELS, WHY_LABELS
from gitops.agents.writers.document import Sentence
from gitops.okf.model import AtomType

_LEAD = re.compile(r"^(.{2,60}?)\s*(?::|—|–|\s-)\s+(\S.*)$")
_BOLD = re.compile(r"^(?:\*\*|__)(.{2,60}?)(?:\*\*|__)(\s*\([^()]{2,60}\))?")
_OWNER = re.compile(r"^(?:(?:System |Business |Process )?[Oo]wner|Owned by|Responsible)\s*:")
_WHAT = re.compile(r"^.{2,60}?\s*(?:—|–|\s-)\s+(?:an?|our|their|its)\s+(.+)$", re.IGNORECASE)
"""What an item explains behind a dash; behind a colon may stand a list."""
_WORK: tuple[AtomType, ...] = ("process", "workflow")
_EXPLAINED: tuple[AtomType, ...] = ("system", "role", *_WORK)
_LABELS = frozenset((*LABELS, *WHY_LABELS, "decision", "decided", "agreed", "action", "note", "date", "status"))
_ENOUGH = 2
"""Links that a name without a type has to have to be taken for a process."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An item: the name it begins with, and what it says of that, '' for nothing."""

    name: str
    says: str
    sentence: Sentence
    is_owned: bool = False
    """Whether a later sentence of the item says who owns it."""


def found(section: Section) -> Iterator[Entry]:
    """The items of a section that begin with a name: bold words, those before a colon or dash, else a short item."""
    prose = section.prose
    for at, sentence in enumerate(prose):
        if sentence.block == "item" and sentence.ordinal == 0:
            entry = _entry(sentence)
            rest = takewhile(lambda one: one.ordinal > 0, prose[at + 1 :])
            if entry.name and entry.name.casefold() not in _LABELS:
                yield replace(entry, is_owned=any(_OWNER.match(one.text) for one in rest))


def listed(given: Given, section: Section, kind: AtomType, finds: Finds) -> dict[int, Sketch]:
    """Take every item of a section for an atom of one type; which item, by where it begins, is about which."""
    made = {}
    for one in found(section):
        sketch = finds.add(kind, one.name, reading_of.said(given, one.sentence))
        if sketch is not None:
            made[one.sentence.start] = sketch
    return made


def told(given: Given, section: Section, finds: Finds) -> dict[int, Sketch]:
    """Take the items that say themselves of what type their atom is, by its name or by what links it."""
    made = {}
    for one in found(section):
        name, kind = _typed(one, finds)
        sketch = finds.add(kind, name, reading_of.said(given, one.sentence)) if kind is not None else None
        if sketch is not None:
            made[one.sentence.start] = sketch
    return made


def link(around: Around, own: Sketch) -> None:
    """Follow what an item says of its atom, by predicates that lack it."""
    for text in predicates(around.text):
        predicate(around, own, text)


def says_from(sentence: Sentence) -> int:
    """Where in an item that begins which it says of what it names; 0 where it names nothing first."""
    lead = _LEAD.match(sentence.text)
    return lead.start(2) if lead else 0


def _entry(sentence: Sentence) -> Entry:
    bold, lead = _BOLD.match(sentence.quote), _LEAD.match(sentence.text)
    says = lead[2] if lead else ""
    if bold:
        return Entry(bold[1].rstrip(":.") + (bold[2] or ""), says, sentence)
    if lead:
        return Entry(lead[1], says, sentence)
    is_short = len(sentence.text.split()) <= 5 and not sentence.text.endswith((".", ":", "?"))
    return Entry(sentence.text if is_short else "", "", sentence)


def _typed(one: Entry, finds: Finds) -> tuple[str, AtomType | None]:
    """The name of an item's atom and its type; None where nothing says it."""
    known = finds.get(one.name)
    if not one.says or known is not None or one.name.casefold() in LABELS:
        return one.name, known.type if known is not None and one.says else None
    shapes = [shape for text in predicates(one.says) for shape in SHAPES if matched(shape, text)]
    post = next((part.strip() for part in one.name.split(",") if kind_of(named(part)) == "role"), "")
    if post and is_singular(named(post)) and len(named(post).split()) > 1:
        return post, "role" if _is_of_role(shapes) or not shapes else None
    what = _WHAT.match(one.sentence.text)
    if what and (kind := kind_of_predicate(what[1])) in _EXPLAINED and one.name[:1].isupper():
        return one.name, kind
    kind = "system" if is_brand(named(one.name)) else kind_of(named(one.name))
    if kind in (*_WORK, "system", "artifact"):
        return one.name, kind if shapes or one.is_owned else None
    is_work = is_doing(named(one.name), loosely=True) or len(shapes) >= _ENOUGH
    is_told = one.is_owned or (shapes and not any(shape.turned for shape in shapes))
    return one.name, "process" if is_work and is_told else None


def _is_of_role(shapes: list[Shape]) -> bool:
    return any(shape.turned or shape.rel == "uses" for shape in shapes)
