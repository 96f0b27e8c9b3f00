"""The shapes of sentences that link two names: `x verb y`, and what a sentence says with each of its verbs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from gitops.okf.model import AtomType, EdgeType

OPENING = r"^(?:(?:After|Before|When|Once|If|On|At|In|Every|Each|For|During)\b[^,]{2,60}, )?"
NAME = r"[\w/&'’().+ -]{2,60}?"
_BE = r"(?:is|are|will be|must be)(?: (?:also|always|then|still|now|currently|jointly|usually|again))? "


@dataclass(frozen=True)
class Shape:
    """A shape of sentence: `x verb y`. With `turned` the edge leads from y to x.

    `makes` says that what follows is an artifact by the verb alone, where it has an article.
    """

    rel: EdgeType
    verb: str
    from_kinds: tuple[AtomType, ...]
    to_kinds: tuple[AtomType, ...]
    turned: bool = False
    makes: bool = False

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The sentence as a regular expression."""
        return re.compile(rf"{OPENING}(?P<x>{NAME}) (?:{self.verb}) (?P<y>.+)$")

    @cached_property
    def predicate(self) -> re.Pattern[str]:
        """The sentence from its verb on; of a passive one the `is` may lack."""
        return re.compile(rf"^(?:{self.verb}) (?P<y>.+)$", re.IGNORECASE)


_WORK: tuple[AtomType, ...] = ("process", "workflow")
_OWNED: tuple[AtomType, ...] = (*_WORK, "system", "artifact")
SHAPES: Sequence[Shape] = (
    Shape(
        "owner",
        rf"owns?|{_BE}(?:responsible|accountable) for|{_BE}in charge of|oversees?|{_BE}the owners? of"
        "|answers? for|looks? after|takes? (?:care of|over)|runs?|leads?|maintains?|manages?",
        _OWNED,
        ("role",),
        turned=True,
    ),
    Shape(
        "owner",
        rf"{_BE}(?:owned|run|led|managed|maintained|overseen|operated|looked after|taken over) by|(?:lies|rests) with"
        rf"|belongs? to|{_BE}the (?:responsibility|job|task|duty) of|{_BE}in the hands of",
        _OWNED,
        ("role",),
    ),
    Shape(
        "uses",
        r"uses?|relies on|rely on|runs? (?:on|in)|depends? on"
        rf"|{_BE}(?:recorded|logged|tracked|handled|done|run|stored|kept|entered|filed|booked|planned|carried out"
        "|managed|made|documented)"
        " (?:in|into|on|with|through|via)",
        (*_WORK, "role"),
        ("system", "artifact"),
    ),
    Shape(
        "produces",
        "produces?|creates?|generates?|issues?|outputs?|delivers?|results? in|ends? with",
        ("process",),
        ("artifact",),
        makes=True,
    ),
    Shape("uses", rf"{_BE}used (?:by|for|in|during)", (*_WORK, "role"), ("system", "artifact"), turned=True),
    Shape(
        "produces",
        rf"{_BE}(?:produced|created|generated|issued|brought forth) (?:by|in|during)",
        ("process",),
        ("artifact",),
        turned=True,
    ),
    Shape("governed_by", "governs?|regulates?|applies to", _WORK, ("artifact", "decision"), turned=True),
    Shape(
        "governed_by",
        rf"{_BE}(?:governed|regulated|bound) by|{_BE}(?:laid down|set out) in|{_BE}subject to"
        "|must (?:follow|comply with)|follows?|complies with",
        _WORK,
        ("artifact", "decision"),
    ),
    Shape(
        "decided_by", "(?:was|were|is|are) (?:decided|approved|made|taken|agreed|accepted) by", ("decision",), ("role",)
    ),
)
_EVERY = "|".join(shape.verb for shape in SHAPES)
_NEXT = re.compile(
    rf"(?:,? (?:and|but)(?: then| also| it)?|,) (?=(?:{_EVERY.replace('s?', 's')}) (?:the|an?|its|our|their|all|[A-Z]))"
)
"""Where a sentence goes on with another verb of the same subject."""
_FIRST = re.compile(rf"{OPENING}(?P<x>{NAME}) (?:{_EVERY}) ")
_WHO = re.compile(
    r"(?:^|[Tt]he |by |with |to )(?P<x>[A-Z][\w-]*(?: (?:of |and |in )?[A-Z][\w-]*){0,4}),? who (?:also )?(?P<y>[^,;]+)"
)
"""What a sentence says by the way of somebody: `the Treasurer, who owns the pay run, …`."""
_AS_PLAIN: Sequence[tuple[re.Pattern[str], str]] = (
    (
        re.compile(r"^(?:The )?(?:responsibility|accountability) for (.{2,60}?) (?:lies|rests|is) with ", re.I),
        r"\1 lies with ",
    ),
    (
        re.compile(r"^(?:The )?(?:[\w-]+ )?(?:owner|ownership) of (.{2,60}?) (?:is|lies with|rests with) ", re.I),
        r"\1 lies with ",
    ),
    (re.compile(r"^We use (.{2,60}?) (?:for|in|during) "), r"\1 is used for "),
)
"""What is said another way round, and how it is said plainly."""
_PASSIVE = re.compile(
    r"^(?:responsible|accountable|in charge|[a-z]+(?:ed|en|un|led|done|kept|made|run)) ", re.IGNORECASE
)
_SPLIT = re.compile(rf"(?:[;,.]| and|, and) (?=(?:{_EVERY}|[a-z]+ by|done in|responsible for|accountable for) )", re.I)


@dataclass(frozen=True, slots=True)
class Clause:
    """What a sentence says by one of its verbs; from the verb on where the subject of that is not plain."""

    text: str
    has_subject: bool = True


def clauses(text: str) -> Iterator[Clause]:
    """What a sentence says by each of its verbs."""
    if (aside := _WHO.search(text)) is not None:
        yield Clause(f"{aside['x']} {aside['y']}")
    first, *others = _NEXT.split(text)
    yield Clause(first)
    if others:
        found = _FIRST.match(first)
        for other in others:
            yield Clause(f"{found['x']} {other}") if found else Clause(other, False)


def plainly(text: str) -> str:
    """A sentence as `x verb y` where it says that another way round."""
    for pattern, said in _AS_PLAIN:
        text = pattern.sub(said, text)
    return text


def predicates(text: str) -> Iterator[str]:
    """What follows the name in `Head of Ops — owns the yard, responsible for the gate`, verb by verb."""
    for one in _SPLIT.split(text):
        yield one.strip(" .")


def matched(shape: Shape, text: str) -> re.Match[str] | None:
    """A predicate of a shape; `owned by` stands for `is owned by`."""
    return shape.predicate.match(text) or (shape.predicate.match(f"is {text}") if _PASSIVE.match(text) else None)
