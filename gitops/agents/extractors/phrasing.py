"""Atoms and edges out of sentences of a few plain shapes: who owns, uses or produces what, and what something is."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gitops.agents.extractors import given as reading_of
from gitops.agents.extractors.around import BEHIND, END, TRACKED, Around, points
from gitops.agents.extractors.finds import Finds, Sketch
from gitops.agents.extractors.given import Given
from gitops.agents.extractors.kinds import head_of, is_brand, is_proper, kind_of, kind_of_predicate, named, parts
from gitops.agents.extractors.shapes import NAME, OPENING, SHAPES, Shape, clauses, matched, plainly
from gitops.agents.writers.document import Sentence
from gitops.agents.writers.phrases import keys, mentions
from gitops.okf.model import AtomType

_DEFINES = re.compile(rf"^(?P<x>{NAME}),? (?:is|are) (?P<is>(?:an?|the|our|one of the) .+)$")
_TELLING = frozenset(keys("system database platform software process procedure workflow person role"))
"""Words that say what something is even where its name does not look like one."""
_MANY = re.compile(r"^(?:every|each|any|all|some|most|many|both)\b", re.IGNORECASE)
_ROLE_DOES = re.compile(
    rf"{OPENING}(?P<x>{NAME}) (?:(?:is|are) (?:responsible|accountable) for|(?:is|are) in charge of|owns?|approves?"
    r"|signs? off|reviews?|oversees?|is the owner of|are the owners of)\b"
)
_ARTICLE = re.compile(r"^(?:an?|the|our|one of the) ")
_HEADLESS = re.compile(r"^(?:Owned|Run|Led|Managed|Maintained|Operated|Decided|Approved|Agreed|Accepted|Taken) by ")
_UNDER = re.compile(
    r"\b(?:according to|in line with|in accordance with|as required by|as laid down in|under) (?:the |our )?"
    r"(?P<y>[A-Z][\w-]*(?: (?:of |and |for )?[A-Z][\w-]*){0,4})"
)
_BRINGS = re.compile(r"\b(?:prepares|drafts|compiles|publishes|produces|issues|creates|generates) (?P<y>[^,;:.]+)")
_MENTIONED = re.compile(
    r"\b(?:in|into|on|via|using|with|through|from|uses?)\s+(?:the\s+)?(?P<y>[^,;:]+)", re.IGNORECASE
)
_WORK: tuple[AtomType, ...] = ("process", "workflow")


def definition(given: Given, sentence: Sentence, finds: Finds) -> None:
    """`X is a …`: X, where the head of what it is says its type, and X is written as a name or the head is plain."""
    found = _DEFINES.match(sentence.text)
    if found is None or points(found["x"]) or _MANY.match(found["x"]):
        return
    predicate = _ARTICLE.sub("", found["is"])
    kind, name = kind_of_predicate(predicate), named(found["x"])
    if kind is None or kind == "decision":
        return
    if kind_of(name) == kind or is_proper(name) or head_of(predicate) in _TELLING:
        finds.add(kind, found["x"], reading_of.said(given, sentence))


def role(given: Given, sentence: Sentence, finds: Finds) -> None:
    """`X is responsible for …`: X, where its name is a role's."""
    found = _ROLE_DOES.match(sentence.text)
    if found is not None and not points(found["x"]):
        finds.get_or_made(found["x"], ("role",), reading_of.said(given, sentence))


def edges(around: Around) -> None:
    """What a sentence links."""
    text, own = plainly(around.text), around.own
    meant = around.opens_with() or (own if text.startswith("It ") else None)
    for clause in clauses(text):
        if clause.has_subject:
            for shape in SHAPES:
                _linked(around, shape, clause.text)
        elif meant is not None:
            predicate(around, meant, clause.text)
    if own is not None and _HEADLESS.match(text):
        predicate(around, own, text)
    if own is not None and own.type in _WORK:
        _mentioned(around, own)


def predicate(around: Around, subject: Sketch, text: str) -> None:
    """What is said of an atom by a predicate that lacks it: `owned by the Dock Lead`."""
    for shape in SHAPES:
        first = shape.to_kinds if shape.turned else shape.from_kinds
        if subject.type in first and (found := matched(shape, text)) is not None:
            _link(shape, [subject], around.objects(found["y"], shape))


def _linked(around: Around, shape: Shape, clause: str) -> None:
    found = shape.pattern.match(clause)
    if found is not None:
        first = around.subjects(found["x"], shape.to_kinds if shape.turned else shape.from_kinds)
        if first:
            _link(shape, first, around.objects(found["y"], shape))


def _link(shape: Shape, first: list[Sketch], others: Iterator[Sketch]) -> None:
    for other in others:
        for one in first:
            (other if shape.turned else one).link(shape.rel, one if shape.turned else other)


def _mentioned(around: Around, own: Sketch) -> None:
    """What a sentence about a piece of work names in passing: the systems it is done in, and what it brings forth."""
    finds, text = around.finds, around.text
    for found in TRACKED.finditer(text):
        if finds.get(found["y"]) is None:
            finds.add("system", found["y"], around.said)
    for found in _MENTIONED.finditer(text):
        words = found["y"].split()[:6]
        if words and is_brand(words[0].strip(".")) and finds.get(words[0]) is None:
            finds.add("system", words[0].strip("."), around.said)
        for name, other in list(finds.names()):
            if other.type == "system" and len(name) > 2 and mentions(" ".join(words), name):
                own.link("uses", other)
    for found in _UNDER.finditer(text):
        rule = finds.get_or_made(found["y"], ("artifact", "decision"), around.said)
        if rule is not None and rule.type in ("artifact", "decision"):
            own.link("governed_by", rule)
    if own.type == "process":
        for found in _BRINGS.finditer(text):
            for name in parts(END.sub("", found["y"])):
                made = finds.known(name) or finds.get_or_made(BEHIND.split(name)[0], ("artifact",), around.said)
                if made is not None and made.type == "artifact":
                    own.link("produces", made)
