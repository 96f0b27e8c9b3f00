"""A claim laid beside a sentence that says nearly the same, item by item, so that what differs stands face to face.

An item is a content word, a number, or a name of one or several words. Items that mean the same get one code, and so do
two that could stand for each other: numbers of one thing, names, a word and its opposite. The longest common
subsequence of codes then pairs them where what is around them runs alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from gitops.verify.judging import measures, naming
from gitops.verify.judging.comparing import agrees
from gitops.verify.judging.lexicon import FUNCTION
from gitops.verify.judging.quantities import Quantity, dimensions
from gitops.verify.judging.words import Token, common, family, opposites, synonyms

SAME_NUMBER, SAME_NAME, NUMBER, NAME, OPPOSITE = "=", "&", "#", "@", "~"
"""What the codes of paired items begin with, but for words, whose code is a stem."""
EXCHANGED = frozenset((NUMBER, NAME, OPPOSITE))
"""Those of items that differ."""
_COMMON = 0.4
"""What a common word weighs, beside 1 for any other item."""
_REACH = 4
"""Items on either side that are near one."""
_NEAR = 4
"""Items near one that must be there before their likeness says anything."""


@dataclass(frozen=True, slots=True)
class Item:
    """Something said at tokens `[first, last)`; `code` is what it is paired by, `weight` how much it says."""

    first: int
    last: int
    kind: Literal["word", "number", "name"]
    code: str
    weight: float
    number: Quantity | None = None


@dataclass(frozen=True)
class Said:
    """A stretch of text taken apart."""

    text: str
    words: Sequence[Token]
    numbers: Sequence[Quantity]
    names: Sequence[int]

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """Its items in order, numbers and names with codes that nothing else has."""
        found: dict[int, Item] = {}
        taken = set(dimensions(self.words, self.numbers))
        for number in self.numbers:
            if number.first not in taken and not (number.kind == "ordinal" and number.value <= 3):
                taken.update(range(number.first, number.last))
                found[number.first] = Item(number.first, number.last, "number", f"<{number.first}", 1.0, number)
        for run in naming.runs(self.words, [at for at in self.names if at not in taken]):
            taken.update(range(run[0], run[-1] + 1))
            found[run[0]] = Item(run[0], run[-1] + 1, "name", f"<{run[0]}", 1.0)
        for at, word in enumerate(self.words):
            if at not in taken and (word.is_content or word.stem in opposites()):
                found[at] = Item(at, at + 1, "word", word.stem, _COMMON if word.stem in common() else 1.0)
        return tuple(found[at] for at in sorted(found))

    def stems(self, item: Item) -> frozenset[str]:
        """The stems of an item's words, function words left out."""
        return frozenset(word.stem for word in self.words[item.first : item.last] if word.folded not in FUNCTION)


@dataclass(frozen=True)
class Likeness:
    """Two texts item by item. `pairs` are places of items that stand face to face, in order."""

    claim: Said
    line: Said
    ours: tuple[Item, ...]
    theirs: tuple[Item, ...]
    pairs: tuple[tuple[int, int], ...]

    def closeness(self, at: int) -> float:
        """How alike what is around an item of the claim runs: the weight of what both say, of the whole claim's or of
        that nearby, whichever is more; 0 to 1.
        """
        paired = {mine for mine, _ in self.pairs if self.ours[mine].code[:1] not in EXCHANGED}
        near = range(max(0, at - _REACH), min(len(self.ours), at + _REACH + 1))
        parts = [range(len(self.ours))] + ([near] if len(near) > _NEAR else [])
        return max(self._share(at, paired, within) for within in parts)

    def in_any_order(self, at: int) -> float:
        """The same for what the sentence has anywhere."""
        codes = {item.code for item in self.theirs if item.code[:1] not in EXCHANGED}
        held = {mine for mine, item in enumerate(self.ours) if item.code in codes}
        return max(self.closeness(at), self._share(at, held, range(len(self.ours))))

    def throughout(self, at: int) -> float:
        """The same for the whole claim, and for what the sentence has anywhere: 1 where nothing else differs."""
        codes = {item.code for item in self.theirs if item.code[:1] not in EXCHANGED}
        held = {mine for mine, _ in self.pairs if self.ours[mine].code[:1] not in EXCHANGED}
        held |= {mine for mine, item in enumerate(self.ours) if item.code in codes}
        return self._share(at, held, range(len(self.ours)))

    def _share(self, without: int, held: set[int], within: range) -> float:
        places = [at for at in within if at != without]
        whole = sum(self.ours[at].weight for at in places)
        return sum(self.ours[at].weight for at in places if at in held) / whole if whole else 0.0


def beside(claim: Said, line: Said) -> Likeness:
    """Lay a claim beside a sentence."""
    from rapidfuzz.distance import LCSseq

    ours = list(claim.items)
    theirs = [item if item.kind == "word" else replace(item, code=f">{item.first}") for item in line.items]
    _same_words(ours, theirs)
    _same_numbers(ours, theirs)
    _same_names(claim, line, ours, theirs)
    _exchangeable(ours, theirs)
    steps = LCSseq.opcodes([item.code for item in ours], [item.code for item in theirs])
    pairs = [
        (step.src_start + offset, step.dest_start + offset)
        for step in steps
        if step.tag == "equal"
        for offset in range(step.src_end - step.src_start)
    ]
    return Likeness(claim, line, tuple(ours), tuple(theirs), tuple(pairs))


def _same_words(ours: list[Item], theirs: list[Item]) -> None:
    """The sentence's words get the codes of the claim's that mean the same."""
    stems = sorted({item.code for item in ours if item.kind == "word"})
    by_family = {family(each): each for each in stems}
    by_synonym = {other: each for each in stems for other in sorted(synonyms().get(each, ()))}
    for at, item in enumerate(theirs):
        if item.kind == "word" and item.code not in stems:
            code = by_family.get(family(item.code)) or by_synonym.get(item.code)
            theirs[at] = replace(item, code=code) if code else item


def _same_numbers(ours: list[Item], theirs: list[Item]) -> None:
    for at, mine in enumerate(ours):
        for other, yours in enumerate(theirs):
            if mine.number and yours.number and _agree(mine.number, yours.number):
                ours[at] = replace(mine, code=f"{SAME_NUMBER}{other}")
                theirs[other] = replace(yours, code=f"{SAME_NUMBER}{other}")


def _agree(one: Quantity, other: Quantity) -> bool:
    return agrees(one, other) or agrees(other, one)


def _same_names(claim: Said, line: Said, ours: list[Item], theirs: list[Item]) -> None:
    """Names that share a word are one; a name whose word the sentence has elsewhere is not exchanged for another."""
    said = {word.stem for word in line.words}
    for at, mine in enumerate(ours):
        if mine.kind != "name":
            continue
        parts = claim.stems(mine)
        if not parts or parts & said:
            ours[at] = replace(mine, code="")
        for other, yours in enumerate(theirs):
            if parts & said and yours.kind != "number" and parts & line.stems(yours):
                ours[at] = replace(mine, code=f"{SAME_NAME}{other}")
                theirs[other] = replace(yours, code=f"{SAME_NAME}{other}")


def _exchangeable(ours: list[Item], theirs: list[Item]) -> None:
    """Items that only one side has get one code where they could stand for each other."""
    held, said = {item.code for item in theirs}, {item.code for item in ours}
    mine = [at for at, item in enumerate(ours) if item.code and item.code not in held]
    yours = [at for at, item in enumerate(theirs) if item.code not in said]
    for a in mine:
        contrary = opposites().get(ours[a].code, ())
        for b in yours if contrary else ():
            if theirs[b].kind == "word" and theirs[b].code in contrary:
                code = f"{OPPOSITE}{a}"
                ours[a], theirs[b] = replace(ours[a], code=code), replace(theirs[b], code=code)
    for items, places in ((ours, mine), (theirs, yours)):
        for at in places:
            if (number := items[at].number) is not None:
                items[at] = replace(items[at], code=f"{NUMBER}{_sort(number)}")
            elif items[at].kind == "name":
                items[at] = replace(items[at], code=NAME)


def _sort(number: Quantity) -> str:
    """What a number may be exchanged for: one of its kind, and of the same thing where it counts."""
    if number.kind in ("plain", "ordinal"):
        return measures.measured(number.unit) or number.unit
    return number.kind
