"""What English words say of what is named: a manager is a role, a ledger system a system, a report an artifact."""

from __future__ import annotations

import re

from gitops.agents.extractors.words import DOINGS, HEADED, HEADS, NO_DOINGS, NOTHING, OF, PLURALS, SINGULAR
from gitops.agents.writers.english import LITTLE, POINTERS
from gitops.agents.writers.phrases import key, keys
from gitops.okf.model import AtomType

_HEADING = re.compile(r"^([A-Za-z]+(?: [a-z]+){0,2})(?: [#A-Z.-]{0,4}\d[\d.]*)?\s*(?:[:–—]|\s-\s)\s*(\S.*)$")
_HEADED = re.compile(r"^(SOP|Runbook|Playbook) ([A-Z].*)$")
_ARTICLE = re.compile(r"^(?:the|an?|our|its|their|each|every|this|any|one)\s+", re.IGNORECASE)
_AFTER = re.compile(
    r"^(?:each|every|in|on|at|by|for|from|since|until|after|before|with|during)\b.*?\bthe\s+", re.IGNORECASE
)
"""What stands before a subject that does not begin its sentence: `On 2 May the board …`."""
_EDGES = " \t.,;:!?'\"“”‘’*_`()[]"
_CUT = re.compile(r"\s+(?:that|which|who|whose|where|when|used|for|of|by|in|with|from|to|on|at|holding|listing)\b.*$")
_FROM_TO = re.compile(r"^([\w-]+) to ([\w-]+) ([\w-]+)$")
"""`order to delivery workflow` is a workflow, and `order to the shop` an order."""
LONGEST_NAME = 200
"""Characters of what is looked at as a name at all."""
_WORDS = 7
"""Words of a name; what is longer is a clause."""
_CLAUSAL = "is are was were has have must will can should may not and or if we you they it"
_NAMELESS = re.compile(rf"\b(?:{'|'.join(f'{word}|{word.capitalize()}' for word in _CLAUSAL.split())})\b")
"""With these it is no name; in capitals throughout they may be of one: IT Manager."""
_NO_NAME = re.compile(r"[<>{}|=]|\.\.|^/")
"""Marks of code, tables and paths."""
_BRAND = re.compile(r"(?!(?:Mc|Mac|De|La|Le|Di|Van|O['’])[A-Z])[A-Z][a-z]+(?:[A-Z][A-Za-z0-9]*|[0-9]+)(?: [A-Z][\w]*)?")
_VERBAL = re.compile(r"^[a-z]+s (?:the|an?|its|their|our|all|every|each)\b")


def named(text: str) -> str:
    """A name as it can be a title: no article, no marks around it; '' where it is a clause or nothing."""
    if len(text) > LONGEST_NAME:
        return ""
    bare = _AFTER.sub("", " ".join(text.split()).strip(_EDGES))
    while (cut := _ARTICLE.sub("", bare, count=1)) != bare:
        bare = cut.strip(_EDGES)
    words = bare.split()
    if _NO_NAME.search(bare) is not None:
        return ""
    is_clause = len(words) > _WORDS or _NAMELESS.search(bare) is not None or bare.casefold() in NOTHING
    return "" if is_clause or not any(map(str.isalpha, bare)) else bare[:1].upper() + bare[1:]


def kind_of(name: str) -> AtomType | None:
    """What a name is the name of, by its head: the last word, or the first of `Head of Finance`."""
    words = keys(name)
    if not words:
        return None
    if len(words) > 2 and words[1] == "of" and words[0] in OF:
        return "role"
    last = keys(_CUT.sub("", _FROM_TO.sub(r"\1-\2 \3", name)))[-1:] or words[-1:]
    return HEADS.get(last[0])


def is_doing(name: str, *, loosely: bool = False) -> bool:
    """Is this something that is done again and again, such as an approval or a check?

    `loosely` any work in -ing is: where something says that somebody owns it, or that it is a step.
    """
    last = (keys(name)[-1:] or ("",))[0]
    return last in DOINGS or (loosely and len(last) > 5 and last.endswith("ing") and last not in NO_DOINGS)


def is_brand(name: str) -> bool:
    """Is this written as products are, as `LedgerPro` is? What work is done in and is written so is a system."""
    return _BRAND.fullmatch(name) is not None


def head_of(predicate: str) -> str:
    """The key of the word that says what something is, in what follows `X is a`; '' for none."""
    words = keys(_CUT.sub("", re.split(r"[,;:(.]", predicate, maxsplit=1)[0]))
    return words[-1] if words else ""


def kind_of_predicate(predicate: str) -> AtomType | None:
    """What `X is a …` says that X is."""
    head = head_of(predicate)
    return "role" if head in ("person", "people", "role", "job", "position") else HEADS.get(head)


def kind_of_heading(heading: str) -> AtomType | None:
    """What a heading names by its last word; one that says a doing, or stands for many, names nothing."""
    words = named(heading).split()
    if not words or words[0].casefold() in (*POINTERS, *LITTLE) or not set(":,;").isdisjoint(heading):
        return None
    if words[0].endswith("ing") and len(words) > 2 and words[1].casefold() in LITTLE:
        return None
    is_one_of = len(words) > 2 and words[1] == "of" and key(words[0]) in OF
    if is_one_of or not is_singular(words[-1]):
        return "role" if is_one_of else None
    return kind_of(words[-1]) or ("process" if len(words) > 1 and is_doing(words[-1]) else None)


def is_singular(name: str) -> bool:
    """Does it name one, and not many? Of `Head of Claims` the first word says so, else the last."""
    last = name.partition(" of ")[0].rpartition(" ")[2].casefold()
    return key(last) == last


def is_proper(name: str) -> bool:
    """Is this written as a name is: `LedgerPro`, `SAP`, `Head of Finance`? `Roasting` may just begin a sentence."""
    words = [word for word in name.split() if word.casefold() not in LITTLE]
    if len(words) == 1:
        return any(char.isupper() or char.isdigit() for char in words[0][1:])
    return len(words) > 1 and all(not word[0].islower() for word in words)


def kind_of_group(heading: str) -> AtomType | None:
    """What stands below a heading such as `Roles`, or `Systems and owners`."""
    words = " ".join(heading.casefold().split())
    return PLURALS.get(words) or PLURALS.get(re.sub(r" and (?:their )?owners$", "", words))


def typed_heading(heading: str) -> tuple[AtomType, str] | None:
    """The type and name in a heading such as `Process: Invoice approval`."""
    found = _HEADING.match(heading) or _HEADED.match(heading)
    label = found[1].casefold() if found else ""
    kind = SINGULAR.get(label) or HEADED.get(label)
    return (kind, found[2]) if found and kind else None


def kind_of_column(head: str) -> AtomType | None:
    """What the first column of a table lists, by its head: in the singular or the plural."""
    words = " ".join(head.casefold().split())
    return SINGULAR.get(words) or PLURALS.get(words)


def parts(text: str) -> list[str]:
    """The members of an enumeration: `A, B and C`, `A -> B`; what goes on with another verb is none."""
    split = re.split(r"\s*(?:[,;]|→|->|⇒|>|\band then\b|\bthen\b|\band\b|&(?=\s))\s*", text.strip(" ."))
    return [one for one in split if one and _VERBAL.match(one) is None]
