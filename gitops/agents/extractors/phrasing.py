"""Atoms and edges out of sentences of a few plain shapes: who owns, uses or produces what, and what something is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gitops.agents.extractors import given as reading_of
from gitops.agents.extractors.finds import Finds, Sketch
from gitops.agents.extractors.given import Given
from gitops.agents.extractors.kinds import head_of, is_proper, kind_of, kind_of_predicate, named, parts
from gitops.agents.writers.document import Sentence
from gitops.agents.writers.english import POINTERS
from gitops.agents.writers.phrases import keys, mentions
from gitops.okf.model import AtomType, EdgeType

_OPENING = r"^(?:(?:After|Before|When|Once|If|On|At|In|Every|Each|For|During)\b[^,]{2,60}, )?"
_NAME = r"[\w/&'’().+ -]{2,60}?"
_DEFINES = re.compile(rf"^(?P<x>{_NAME}),? (?:is|are) (?P<is>(?:an?|the|our|one of the) .+)$")
_TELLING = frozenset(keys("system database platform software process procedure workflow person role"))
"""Words that say what something is even where its name does not look like one."""
_MANY = re.compile(r"^(?:every|each|any|all|some|most|many|both)\b", re.IGNORECASE)
_ROLE_DOES = re.compile(
    rf"{_OPENING}(?P<x>{_NAME}) (?:(?:is|are) (?:responsible|accountable) for|(?:is|are) in charge of|owns?|approves?"
    r"|signs? off|reviews?|oversees?|is the owner of|are the owners of)\b"
)
_ARTICLE = re.compile(r"^(?:an?|the|our|one of the) ")
_END = re.compile(
    r"\s*(?:[;:(]|\b(?:because|so that|in order to|before|after|when|if|until|unless|which|that|who|within|every|each"
    r"|and then|but|whenever|while|to (?!the\b))\b).*$",
    re.IGNORECASE,
)
_DOING = re.compile(r"^(?:\w+ing|the \w+ing of)\s+", re.IGNORECASE)
_IT = frozenset(("it", "this", "they", "this process", "the process", "this workflow", "the workflow", "the system"))


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape of sentence: `x verb y`. With `turned` the edge leads from y to x."""

    rel: EdgeType
    verb: str
    from_kinds: tuple[AtomType, ...]
    to_kinds: tuple[AtomType, ...]
    turned: bool = False

    @property
    def pattern(self) -> re.Pattern[str]:
        """The sentence as a regular expression; what `re` compiles it keeps."""
        return re.compile(rf"{_OPENING}(?P<x>{_NAME}) (?:{self.verb}) (?P<y>.+)$")


_WORK: tuple[AtomType, ...] = ("process", "workflow")
_OWNED: tuple[AtomType, ...] = (*_WORK, "system", "artifact")
SHAPES: Sequence[Shape] = (
    Shape(
        "owner",
        "owns?|(?:is|are) (?:responsible|accountable) for|(?:is|are) in charge of|oversees?|(?:is|are) the owners? of"
        "|answers? for|looks? after|takes? care of|runs?|leads?|maintains?|manages?",
        _OWNED,
        ("role",),
        turned=True,
    ),
    Shape(
        "owner",
        "(?:is|are) (?:owned|run|led|managed|maintained|overseen|looked after) by|(?:lies|rests) with|belongs? to"
        "|(?:is|are) the responsibility of|(?:is|are) in the hands of",
        _OWNED,
        ("role",),
    ),
    Shape(
        "uses",
        "uses?|relies on|rely on|runs? (?:on|in)|depends? on"
        "|(?:is|are) (?:recorded|logged|tracked|handled|done|run|stored|kept|entered|filed|booked|planned|carried out)"
        " (?:in|into|on|with|through|via)",
        _WORK,
        ("system",),
    ),
    Shape(
        "produces",
        "produces?|creates?|generates?|issues?|yields?|outputs?|delivers?|results? in|ends? with",
        ("process",),
        ("artifact",),
    ),
    Shape(
        "governed_by",
        "(?:is|are) (?:governed|regulated|bound) by|(?:is|are) (?:laid down|set out) in|(?:is|are) subject to"
        "|must (?:follow|comply with)|follows?|complies with",
        _WORK,
        ("artifact", "decision"),
    ),
    Shape("decided_by", "(?:was|were) (?:decided|approved|made|taken) by", ("decision",), ("role",)),
)
_MENTIONED = re.compile(r"\b(?:in|into|on|via|using|with|through|uses?)\s+(?:the\s+)?(?P<y>[^,;:]+)", re.IGNORECASE)


def definition(given: Given, sentence: Sentence, finds: Finds) -> None:
    """`X is a …`: X, where the head of what it is says its type, and X is written as a name or the head is plain."""
    found = _DEFINES.match(sentence.text)
    if found is None or _points(found["x"]) or _MANY.match(found["x"]):
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
    if found is not None and not _points(found["x"]):
        finds.get_or_made(found["x"], ("role",), reading_of.said(given, sentence))


def edges(given: Given, sentence: Sentence, own: Sketch | None, finds: Finds) -> None:
    """What a sentence links. `own` is what its section is about, for sentences that begin with `It`."""
    for shape in SHAPES:
        if (found := shape.pattern.match(sentence.text)) is not None:
            _linked(given, sentence, shape, found, own, finds)
    if own is not None and own.type in _WORK:
        _mentioned(sentence, own, finds)


def _linked(
    given: Given, sentence: Sentence, shape: Shape, found: re.Match[str], own: Sketch | None, finds: Finds
) -> None:
    said = reading_of.said(given, sentence)
    first_kinds, then_kinds = (shape.to_kinds, shape.from_kinds) if shape.turned else (shape.from_kinds, shape.to_kinds)
    first = _subject(found["x"], first_kinds, own, finds, said)
    if first is None:
        return
    for name in parts(_END.sub("", found["y"])):
        other = finds.get_or_made(_DOING.sub("", name), then_kinds, said)
        if other is not None:
            (other if shape.turned else first).link(shape.rel, first if shape.turned else other)


def _subject(name: str, kinds: tuple[AtomType, ...], own: Sketch | None, finds: Finds, said: object) -> Sketch | None:
    from gitops.okf.draft import Said

    if name.casefold() in _IT:
        return own if own is not None and own.type in kinds else None
    if _points(name):
        return None
    return finds.get_or_made(name, kinds, said if isinstance(said, Said) else None)


def _mentioned(sentence: Sentence, own: Sketch, finds: Finds) -> None:
    """A system that is known, named behind `in`, `with` and the like in a section about a process, is used by it."""
    for found in _MENTIONED.finditer(sentence.text):
        for name, other in list(finds.names()):
            if other.type == "system" and len(name) > 2 and mentions(" ".join(found["y"].split()[:6]), name):
                own.link("uses", other)


def stages(given: Given, steps: Sequence[Sentence], own: Sketch, finds: Finds) -> None:
    """The numbered steps of a workflow as its stages, in order: each by its bold or short beginning."""
    names = [_step(one) for one in steps]
    if len(names) < 2 or not all(names):
        return  # half a path would be a wrong one
    for name, sentence in zip(names, steps, strict=True):
        stage = finds.get(name) or finds.add("process", name, reading_of.said(given, sentence))
        if stage is not None and stage.type in _WORK:
            own.link("stages", stage)


_TOLD = re.compile(
    rf"^(?P<x>{_NAME}) (?:has|consists of|is made up of|(?:runs|leads) from|(?:runs|goes|moves|passes) through)"
    r"(?: (?:the )?(?:\w+ )?(?:stages|steps|phases|processes))?(?: in (?:this )?order)?(?:\s*:\s*|\s+)(?P<y>.+)$",
    re.IGNORECASE,
)


_PATH = re.compile(r"\s+(?:through|via|over|to)\s+(?=[^,;]+)")


def told_stages(given: Given, sentence: Sentence, own: Sketch | None, finds: Finds) -> None:
    """Take `The order workflow goes through intake, picking and packing` for its stages."""
    found = _TOLD.match(sentence.text)
    if found is None:
        return
    said = reading_of.said(given, sentence)
    workflow = _subject(found["x"], ("workflow",), own, finds, said)
    names = [
        named(re.sub(r"^(?:first|next|finally|lastly)\b,?\s*", "", one, flags=re.I))
        for one in parts(_PATH.sub(", ", found["y"]))
    ]
    if workflow is None or len(names) < 2 or not all(names):
        return
    for name in names:
        stage = finds.get(name) or finds.add("process", name, said)
        if stage is not None and stage.type in _WORK:
            workflow.link("stages", stage)


_BOLD = re.compile(r"^(?:\*\*|__)(.{2,60}?)(?:\*\*|__)")
_LEAD = re.compile(r"^(.{2,60}?)\s*(?::|—|–|\s-)\s+\S")


def _step(sentence: Sentence) -> str:
    bold, lead = _BOLD.match(sentence.quote), _LEAD.match(sentence.text)
    name = bold[1] if bold else lead[1] if lead else sentence.text
    return named(name) if len(name.split()) <= 6 else ""


def _points(name: str) -> bool:
    """Does a subject name nothing by itself: it, this, what, both?"""
    words = name.casefold().split()
    return not words or words[0] in POINTERS or (kind_of(named(name)) is None and len(words) > 6)
