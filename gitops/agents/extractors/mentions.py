"""Atoms that a sentence names in passing: names in capitals that end as names of their kind do, and `the … process`."""

from __future__ import annotations

import re

from gitops.agents.extractors import given as reading_of
from gitops.agents.extractors.finds import Finds
from gitops.agents.extractors.given import Given
from gitops.agents.extractors.kinds import is_singular, kind_of, kind_of_predicate
from gitops.agents.writers.document import Sentence
from gitops.agents.writers.english import LITTLE
from gitops.okf.model import AtomType

_NAMED: tuple[AtomType, ...] = ("role", "system", "artifact")
_CAPITAL = r"[A-Z][\w'’-]*"
_ONE_OF = rf"{_CAPITAL} of {_CAPITAL}(?: (?:and )?{_CAPITAL})?"
_TITLED = re.compile(rf"(?<![\w-])(?:{_ONE_OF}|{_CAPITAL}(?: {_CAPITAL}){{1,3}})(?![\w-])")
_WORK = re.compile(
    r"\b[Tt]he ((?:[a-z][\w-]+ ){1,3}(?:process|procedure|workflow))\b(?! (?:that|which|of|by|in which|where)\b)"
)
_SHORT = re.compile(r" \((?:the )?[\"“]?([A-Z][\w&-]{1,12})[\"”]?\)")
"""The name by which what was just named goes from then on: `the Vendor Risk Tool (VRT)`."""
_ALSO = re.compile(
    r"\b(?:[Tt]he |[Oo]ur )?(?P<x>[\w'’/-]+(?: [\w'’/-]+){0,4}?),? \(?(?:also|sometimes) (?:called|known as|named"
    r"|referred to as) (?:the |our )?(?P<y>[\w'’/-]+(?: [\w'’/-]+){0,4}?)(?=[,.;)]| (?:is|are|was|has|and|owns|who)\b)"
)
_APPOSED = re.compile(
    rf"(?P<x>{_CAPITAL}(?: {_CAPITAL})*)(?:, | \()(?:our|the|an?) (?P<is>(?:[\w-]+ ){{0,4}}[\w-]+)"
    r"(?=[,.;)]| (?:that|which)\b)"
)
_LOWER_ROLE = re.compile(r"\b[Tt]he ((?:[a-z][\w-]+ ){1,2}[a-z]+)\b")
_VAGUE = frozenset(
    """
    above actual complete current different entire existing final first following full internal last main new next
    normal old only other overall own particular previous relevant right same simple single standard such that the
    these this those usual very whole wrong
    """.split()  # noqa: SIM905
)
"""With these a process is pointed at, and not named."""
_OPENERS = frozenset(
    "The A An Our Your Each Every This That In On At By For From When If As Once After Before".split()  # noqa: SIM905
)


def atoms(given: Given, sentence: Sentence, finds: Finds) -> None:
    """Take the atoms that a sentence of prose names, and the other names that it has for them."""
    if sentence.block == "quote" or _is_headline(sentence.text):
        return
    said = reading_of.said(given, sentence)
    if (also := _ALSO.search(sentence.text)) is not None:
        known = finds.get_or_made(also["x"], (*_NAMED, "process", "workflow"), said)
        if known is not None:
            finds.call(also["y"], known)
    for found in _TITLED.finditer(sentence.text):
        name = _without_opener(found[0])
        kind = kind_of(name)
        if kind is not None and kind in _NAMED and " " in name and is_singular(name) and not name.isupper():
            made = finds.add(kind, name, said)
            short = _SHORT.match(sentence.text, found.end())
            if made is not None and short is not None:
                finds.call(short[1], made)
    for found in _APPOSED.finditer(sentence.text):
        kind = kind_of_predicate(found["is"])
        if kind is not None and kind in ("system", "role") and not found["is"].startswith(tuple(_VAGUE)):
            finds.add(kind, _without_opener(found["x"]), said)
    for found in _LOWER_ROLE.finditer(sentence.text):
        name = _role_in(found[1])
        if name:
            finds.add("role", name, said)
    for found in _WORK.finditer(sentence.text):
        if not _VAGUE.intersection(found[1].split()) and not re.match(r"\w+(?:-step|-stage|ed) ", found[1]):
            finds.get_or_made(found[1], ("process", "workflow"), said)


def _role_in(words: str) -> str:
    """The role that words behind an article begin with: `purchasing manager` of `purchasing manager places`."""
    first, *rest = words.split()
    if first in _VAGUE or first.endswith("ed") or (first in ("head", "chief", "lead") and not rest):
        return ""
    for at in range(1, len(rest) + 1):
        name = " ".join([first, *rest[:at]])
        if (
            kind_of(name) == "role"
            and rest[at - 1] not in LITTLE
            and is_singular(name)
            and not _VAGUE.intersection(rest[:at])
        ):
            return name
    return ""


def _without_opener(name: str) -> str:
    """A name without the word that only begins the sentence."""
    first, _, rest = name.partition(" ")
    return rest if first in _OPENERS and rest else name


def _is_headline(text: str) -> bool:
    """Is every word in capitals, so that they say nothing? A headline has no full stop, nor a label before it."""
    words = [word for word in re.findall(r"[^\W\d_]+", text) if len(word) > 3]
    return not text.endswith((".", "!", "?")) and ":" not in text and all(word[0].isupper() for word in words)
