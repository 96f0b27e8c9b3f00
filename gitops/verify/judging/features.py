"""A claim against its source as numbers: what is covered, in which order, and what speaks against it.

Each reads the same whatever the length of the source. `offline_weights.json` has a weight for each, and for those of
`BY_LENGTH` two: one for a passage of a sentence, one for a document, mixed by how many sentences there are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from gitops.verify.judging import comparing, evidence, naming, quantities, slots
from gitops.verify.judging.claiming import Parsed
from gitops.verify.judging.evidence import Evidence, held
from gitops.verify.judging.reading import Line, Reading
from gitops.verify.judging.turns import Turns
from gitops.verify.judging.words import Token, opposites

BY_LENGTH = ("facts_covered", "covered", "missing", "sequence", "speaker")
AGAINST = ("negated", "opposite", "quantified", "hedged", "numbers_against", "names_against")
SAMENESS = 2
"""The power of the share of words in the same order by which what differs counts: little but in near copies."""
DOCUMENT = 20
"""Sentences from which on a source is a document and no passage."""


@dataclass(frozen=True)
class Compared:
    """A claim, a source, and where the one is found in the other."""

    claim: Parsed
    source: Reading
    evidence: Evidence

    @cached_property
    def nearby(self) -> tuple[Line, ...]:
        """The sentences that the claim is held against word by word."""
        return tuple(self.source.lines[at] for at in sorted({*self.evidence.window, *self.evidence.chosen[:1]}))

    @cached_property
    def near_stems(self) -> frozenset[str]:
        """The stems of the content words of those sentences."""
        return frozenset(stem for line in self.nearby for stem in line.stems)

    @cached_property
    def names_missing(self) -> list[Token]:
        """Parts of the claim's names that stand nowhere in the source."""
        return naming.missing(self.claim.words, self.claim.names, self.source)

    @cached_property
    def numbers_away(self) -> list[quantities.Quantity]:
        """Numbers of the claim that the sentences nearby do not hold."""
        near = [number for line in self.nearby for number in line.numbers] if self.claim.hard_numbers else []
        return [number for number in self.claim.hard_numbers if not comparing.covered(number, near)]

    @cached_property
    def numbers_missing(self) -> list[quantities.Quantity]:
        """Numbers of the claim that stand nowhere in the source."""
        return [number for number in self.numbers_away if not self.source.says(number)]

    @cached_property
    def conflicts(self) -> list[tuple[quantities.Quantity, quantities.Quantity]]:
        """Numbers of the claim, each with one of the sentences nearby that counts the same and differs."""
        near = [number for line in self.nearby for number in line.numbers] if self.numbers_away else []
        pairs = ((number, comparing.conflicting(number, near)) for number in self.numbers_away)
        return [(number, other) for number, other in pairs if other is not None]

    @cached_property
    def renamed(self) -> list[tuple[Token, Token]]:
        """Names of the claim, each with the one that the sentence found has in its place."""
        if self.evidence.best < 0 or not self.claim.names:
            return []
        line = self.source.lines[self.evidence.best]
        found = slots.renamed(self.claim.words, self.claim.names, line.words, line.text)
        return [(one, other) for one, other in found if one.stem not in self.near_stems]


def compare(claim: Parsed, source: Reading) -> Compared:
    """Find the claim in the source."""
    return Compared(claim, source, evidence.find(claim, source))


def features(it: Compared) -> dict[str, float]:
    """All the features by name."""
    claim, found = it.claim, it.evidence
    whole = sum(claim.weights) or 1.0
    inside = held(claim.weights, *found.masks(found.chosen))
    sequence = _sequence(it)
    facts = not (it.names_missing or it.numbers_missing)
    return {
        "facts_covered": inside / whole if facts else 0.0,
        "covered": inside / whole,
        "missing": math.log1p(whole - inside),
        "sequence": sequence,
        "speaker": float(claim.turns.speaker > 0 and not any(line.turns.speaker for line in it.nearby)),
        **{name: value * sequence**SAMENESS for name, value in _against(it).items()},
    }


def length(source: Reading) -> float:
    """How far a source is a document: 0 for one sentence, 1 for 20 and more, by the logarithm between."""
    return min(1.0, math.log(max(1, len(source.lines))) / math.log(DOCUMENT))


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _sequence(it: Compared) -> float:
    """The share of the claim's words that stand in one sentence in the claim's order (longest common subsequence)."""
    from rapidfuzz.distance import LCSseq

    stems = [word.stem for word in it.claim.words]
    lines = ([word.stem for word in line.words] for line in it.nearby)
    return _share(max((int(LCSseq.similarity(stems, line)) for line in lines), default=0), len(stems))


def _against(it: Compared) -> dict[str, float]:
    """What differs where the rest is the same: it weighs by how far claim and sentence run alike."""
    claim = it.claim
    return {
        "negated": float(bool(denied(it))),
        "opposite": float(bool(opposed(it))),
        "quantified": _quantified(claim.turns, [line.turns for line in it.nearby]),
        "hedged": float(not claim.turns.hedges and any(line.turns.hedges for line in it.nearby)),
        "numbers_against": float(bool(it.conflicts)),
        "names_against": float(bool(it.renamed)),
    }


def _quantified(claim: Turns, near: Sequence[Turns]) -> float:
    """1 where the claim says all, most or none, and the source speaks of another part; 0.5 where it says none such."""
    strong = {each for each in claim.quantifiers if each in (0, 4, 5)}
    said = {each for line in near for each in line.quantifiers}
    if not strong or strong & said:
        return 0.0
    return 1.0 if said else 0.5


def denied(it: Compared) -> list[str]:
    """Stems that the claim denies and the sentence found affirms, or the other way round."""
    if it.evidence.best < 0:
        return []
    line, claim = it.source.lines[it.evidence.best], it.claim
    affirmed = {word.stem for word in claim.words if word.is_content} - claim.turns.denied
    mine = claim.turns.denied & (line.stems - line.turns.denied)
    return sorted(mine | (affirmed & line.turns.denied))


def opposed(it: Compared) -> list[Token]:
    """Words of the claim that the sentences found do not hold, while they hold the opposite."""
    near = it.near_stems.difference(*(line.dimensions for line in it.nearby))
    return [
        word
        for word in it.claim.words
        if word.stem not in it.near_stems and not near.isdisjoint(opposites().get(word.stem, ()))
    ]
