"""Hard evidence that two claims cannot both be true: they say the same but for one thing that cannot be both.

Stricter than what may refuse a claim (`refuting`), for nobody said that the two speak of the same: all else that either
says has to stand in the other, and one of the two may say more, but not both. A name in another's place is no evidence,
since both may be so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from gitops.verify.judging.claiming import Parsed
from gitops.verify.judging.likeness import Likeness, Said, beside
from gitops.verify.judging.pairing import both_say_more
from gitops.verify.judging.refuting import as_written, kinds

KINDS = ("number", "unit", "date", "negation", "opposite", "quantifier")
SAME = 0.8
"""The share of all else that each has to have of the other (`benchmarks/judge/pair_gates.py`)."""
PRECISION = 0.95
"""Of readers' pairs that are so, 12 of 13 contradict, and all planted ones (docs/judges.md)."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """The one thing in which two claims differ: what each says, and how much of all else is the same, 0 to 1."""

    kind: str
    said: str
    found: str
    same: float

    @property
    def told(self) -> str:
        """It in a sentence."""
        if self.kind == "negation":
            return f"They say the same, but one denies what the other says of '{self.said}'."
        if self.kind == "quantifier":
            return f"They say the same, but not of as much, or as many, of '{self.said}'."
        return f"They say the same but for '{self.said}' and '{self.found}'."


def exchange(a: Parsed, b: Parsed) -> Exchange | None:
    """What two claims that are else the same say differently; None where they differ in more, or in nothing that
    cannot be both.
    """
    ours, theirs = _said(a), _said(b)
    there = {(one.found, one.said): one.same for one in _exchanges(beside(theirs, ours))}
    found = {(one.said, one.found): one for one in _exchanges(beside(ours, theirs))}
    if len(found) != 1:
        return None
    ((pair, one),) = found.items()
    same = min(one.same, there.get(pair, 0.0))
    # 'The History of Tea' and 'Tea Cultivars' share a word and are two things.
    if one.kind not in KINDS or same < SAME or both_say_more(a, b, f"{one.said} {one.found}"):
        return None
    return Exchange(one.kind, one.said, one.found, same)


@lru_cache(maxsize=4_096)
def _said(claim: Parsed) -> Said:
    return Said(claim.text, claim.words, claim.numbers, claim.names)


def _exchanges(like: Likeness) -> Iterator[Exchange]:
    for mine, yours in like.pairs:
        said, found = as_written(like.claim, like.ours[mine]), as_written(like.line, like.theirs[yours])
        for kind in kinds(like, mine, yours):
            yield Exchange(kind, said, found, like.throughout(mine))
