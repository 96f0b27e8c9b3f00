"""A sentence with what stands around it: which atoms its words name, there and in short."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gitops.agents.extractors import given as reading_of
from gitops.agents.extractors.finds import Finds, Sketch
from gitops.agents.extractors.given import Given
from gitops.agents.extractors.kinds import LONGEST_NAME, head_of, is_brand, kind_of, named, parts
from gitops.agents.extractors.shapes import Shape
from gitops.agents.writers.document import Sentence
from gitops.agents.writers.english import POINTERS
from gitops.agents.writers.phrases import keys, phrase
from gitops.okf.draft import Said
from gitops.okf.model import AtomType

END = re.compile(
    r"\s*(?:[;:(]|\b(?:because|so that|in order to|before|after|when|if|until|unless|which|that|who|within|every|each"
    r"|and then|but|whenever|while|to (?!the\b))\b).*$",
    re.IGNORECASE,
)
"""Where the object of a verb ends."""
_DOING = re.compile(r"^(?:\w+ing|the \w+ing of)\s+", re.IGNORECASE)
_IT = frozenset(("it", "this", "they")) | {
    f"{which} {what}"
    for which in ("the", "this")
    for what in (
        "process",
        "procedure",
        "workflow",
        "step",
        "system",
        "policy",
        "standard",
        "handbook",
        "manual",
        "decision",
    )
}
_LABEL = re.compile(r"^(?:Decision|Decided|Agreed|Note|Action)(?: \([^()]*\))?\s*[:—–]\s*")
BEHIND = re.compile(r"\s(?:on|at|in|from|with|as|for|to|during|since)\s")
TRACKED = re.compile(
    r"\b(?:uses|using|relies on|(?:track|log|record|enter|document|fil|open|rais|register|book|submitt)(?:e?s|e?d)"
    r"(?: it| them| (?:the|an?|each|every|all) \w+)? (?:in(?:to)?|through|via)) (?!(?:January|February"
    r"|March|April|May|June|July|August|September|October|November|December|[A-Z]\w+day|Q\d)\b)(?P<y>[A-Z]\w{2,})"
)
"""What a name in capitals stands behind that is a system's, and no place or month."""
_PHRASE = re.compile(r"^(?:an?|the|its) (?:[\w-]+ ){0,3}?[\w-]+(?: of [\w-]+)?$")
_ABSTRACT = frozenset(
    """
    benefit change cost delay effect error idea lot need number problem question result risk saving value work
    """.split()  # noqa: SIM905
)
_BEFORE = re.compile(r"^(?:The|Our|An?|This) ")
_LONGEST = 16
"""Words of a name that a sentence may begin with."""
_WORK: tuple[AtomType, ...] = ("process", "workflow")


@dataclass(frozen=True, slots=True)
class Around:
    """A sentence, with what its section, item or step is about."""

    given: Given
    sentence: Sentence
    own: Sketch | None
    finds: Finds
    begins_at: int = 0
    """Where in the sentence that begins which is to be read: behind the name of an item or step."""

    @property
    def text(self) -> str:
        """What is read of the sentence."""
        return _LABEL.sub("", self.sentence.text[self.begins_at :])

    @property
    def said(self) -> Said | None:
        """The sentence as an atom may quote it."""
        return reading_of.said(self.given, self.sentence)

    def opens_with(self) -> Sketch | None:
        """The atom, and no role, that the sentence begins with: what the next one means by `it`."""
        words = keys(_BEFORE.sub("", self.text[:LONGEST_NAME]))[:_LONGEST]
        runs = (" ".join(words[:length]) for length in range(len(words), 0, -1))
        found = next((one for run in runs if (one := self.finds.by_key(run)) is not None), None)
        return found if found is not None and found.type != "role" else None

    def subjects(self, name: str, kinds: tuple[AtomType, ...]) -> list[Sketch]:
        """The atoms that a subject names: one, or several that are known, of some of these types."""
        if (own := self._own(name)) is not None:
            return [own] if own.type in kinds else []
        if points(name):
            return []
        found = self.finds.known(name)
        if found is None:
            every = [self.finds.known(one) for one in parts(name)]
            known = [one for one in every if one is not None and one.type in kinds]
            if len(known) == len(every) > 1:
                return known
        is_headed = phrase(name) == phrase(self.sentence.section)
        one = found or self.finds.get_or_made(name, kinds, self.said, loosely=is_headed)
        return [one] if one is not None and one.type in kinds else []

    def objects(self, text: str, shape: Shape) -> Iterator[Sketch]:
        """The atoms that follow the verb of a shape."""
        kinds = shape.from_kinds if shape.turned else shape.to_kinds
        for name in parts(END.sub("", text)):
            bare = _DOING.sub("", name)
            cut = BEHIND.split(bare)[0]
            known = self._own(bare) or self.finds.known(bare) or self.finds.known(cut)
            found = known or self._made(cut, kinds) or self._made(bare, kinds)
            if found is None and shape.makes and _is_thing(name):
                found = self.finds.add("artifact", name, self.said)
            if found is not None and found.type in kinds:
                yield found

    def _own(self, name: str) -> Sketch | None:
        """What the section is about, where a name stands for that: `it`, or `the review` of a yearly review."""
        if self.own is None or self.finds.get(name) not in (None, self.own):
            return None
        if name.casefold() in _IT or self.own.type not in _WORK:
            return self.own if name.casefold() in _IT else None
        words, title = keys(named(name)), keys(self.own.title)
        is_short = name[:4].casefold() in ("the ", "this") and bool(words) and words[-1:] == title[-1:]
        is_meant = is_short and (_is_within(words, title) or _is_within(title, words))
        return self.own if is_meant else None

    def _made(self, name: str, kinds: tuple[AtomType, ...]) -> Sketch | None:
        if "system" in kinds and (is_brand(named(name)) or self._is_tracked(name)):
            return self.finds.add("system", name, self.said)
        return self.finds.get_or_made(name, kinds, self.said, loosely=kinds[0] != "role")

    def _is_tracked(self, name: str) -> bool:
        return any(found["y"] == name for found in TRACKED.finditer(self.sentence.text))


def points(name: str) -> bool:
    """Does a subject name nothing by itself: it, this, what, both?"""
    words = name.casefold().split()
    return not words or words[0] in POINTERS or (kind_of(named(name)) is None and len(words) > 6)


def _is_within(some: Sequence[str], words: Sequence[str]) -> bool:
    """Do some words stand among others, in their order?"""
    rest = iter(words)
    return all(word in rest for word in some)


def _is_thing(name: str) -> bool:
    """Is this a thing that work brings forth, by its words: `a proof of delivery`?"""
    return _PHRASE.match(name) is not None and head_of(name) not in _ABSTRACT
