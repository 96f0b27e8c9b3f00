"""Two claims on one topic as numbers: how much they speak of the same, and where they cannot both be true."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from gitops.verify.judging.claiming import Parsed
from gitops.verify.judging.comparing import covered
from gitops.verify.judging.lexicon import listed
from gitops.verify.judging.quantities import Quantity
from gitops.verify.judging.words import Token, family, opposites, tokens

AGAINST = ("opposite", "negated")
ADDING = frozenset(listed("also another additionally other others addition furthermore moreover too besides both"))
"""Words by which a claim says itself that it is one of several things that are true."""
SINGLE = frozenset(
    listed(
        """
    born died founded established located situated directed written released published based headquartered created
    married graduated premiered debuted started began ended capital held won earned defeated succeeded population age
    """
    )
)
"""Words of what is mostly true but once: another year, place or person in such a claim contradicts it."""


def features(a: Parsed, b: Parsed) -> dict[str, float]:
    """All the features by name; the same whichever claim is the first."""
    ours, theirs = _content(a), _content(b)
    shared, names = len(ours & theirs), _names_of_their_own(a, b)
    return {
        "alike": shared / (len(ours | theirs) or 1),
        "smaller": shared / (min(len(ours), len(theirs)) or 1),
        "opening": _opening(a.words, b.words),
        "replaced": _replaced(a.words, b.words),
        "numbers_differ": float(bool(numbers_differ(a, b))),
        "names_differ": float(names == 2),
        "names_added": float(names == 1),
        "opposite": bool(opposed(a, b)) * shared / (min(len(ours), len(theirs)) or 1),
        "negated": bool(denied(a, b)) * shared / (min(len(ours), len(theirs)) or 1),
        "added": (_has(a, ADDING) + _has(b, ADDING)) / 2,
        "single": (_has(a, SINGLE) + _has(b, SINGLE)) / 2,
        "shorter": math.log1p(min(len(a.words), len(b.words))),
    }


def shared_besides(a: Parsed, b: Parsed, topic: str) -> float:
    """The share of the shorter claim's content that the other has as well, without the words of their topic, of which
    both speak anyway.
    """
    known = frozenset(family(word.stem) for word in tokens(topic))
    ours, theirs = _content(a) - known, _content(b) - known
    return len(ours & theirs) / (min(len(ours), len(theirs)) or 1)


def both_say_more(a: Parsed, b: Parsed, but: str) -> bool:
    """Whether each of two claims has content words that the other has not, those of a text left out."""
    left_out = frozenset(family(word.stem) for word in tokens(but))
    ours, theirs = _content(a) - left_out, _content(b) - left_out
    return bool(ours - theirs) and bool(theirs - ours)


def _has(claim: Parsed, words: frozenset[str]) -> bool:
    return any(word.folded in words for word in claim.words)


def _content(claim: Parsed) -> frozenset[str]:
    return frozenset(family(word.stem) for word in claim.words if word.is_content)


def _opening(one: Sequence[Token], other: Sequence[Token]) -> float:
    """The share of the shorter claim that both begin with, word by word."""
    same = 0
    for mine, yours in zip(one, other, strict=False):
        if mine.stem != yours.stem:
            break
        same += 1
    return same / (min(len(one), len(other)) or 1)


def _replaced(one: Sequence[Token], other: Sequence[Token]) -> float:
    """The share of words that stand where the other claim has other words, between words that both have."""
    from rapidfuzz.distance import LCSseq

    mine, yours = [word.stem for word in one], [word.stem for word in other]
    found = LCSseq.opcodes(mine, yours)
    steps = [(step.tag, step.src_start, step.src_end, step.dest_start, step.dest_end) for step in found]
    count = 0
    for before, after in pairwise(steps):
        if {before[0], after[0]} == {"insert", "delete"}:
            left = [word for step in (before, after) for word in one[step[1] : step[2]] if word.is_content]
            right = [word for step in (before, after) for word in other[step[3] : step[4]] if word.is_content]
            count += 2 * min(len(left), len(right))
    return count / (len(one) + len(other) or 1)


def numbers_differ(a: Parsed, b: Parsed) -> list[tuple[Quantity, Quantity]]:
    """Numbers of one kind, and of the same thing where both say of what, that are in one claim each."""
    ours = [number for number in a.numbers if not covered(number, b.numbers)]
    theirs = [number for number in b.numbers if not covered(number, a.numbers)]
    return [(one, other) for one in ours for other in theirs if one.kind == other.kind and _one_thing(one, other)]


def _one_thing(one: Quantity, other: Quantity) -> bool:
    return one.kind not in ("plain", "ordinal") or not (one.unit and other.unit) or one.unit == other.unit


def _names_of_their_own(a: Parsed, b: Parsed) -> int:
    """How many of the two claims have names that the other has not."""
    ours, theirs = ({claim.words[at].stem for at in claim.names} for claim in (a, b))
    one, other = ours - {word.stem for word in b.words}, theirs - {word.stem for word in a.words}
    return bool(one) + bool(other)


def opposed(a: Parsed, b: Parsed) -> list[tuple[Token, Token]]:
    """Words of the one claim with their opposites in the other, where neither claim has both."""
    ours, theirs = ({word.stem for word in claim.words} for claim in (a, b))
    return [
        (one, other)
        for one in a.words
        for other in b.words
        if other.stem in opposites().get(one.stem, ()) and other.stem not in ours and one.stem not in theirs
    ]


def denied(a: Parsed, b: Parsed) -> list[str]:
    """Stems that the one claim denies and the other affirms."""
    ours, theirs = ({word.stem for word in claim.words if word.is_content} for claim in (a, b))
    return sorted((a.turns.denied & (theirs - b.turns.denied)) | (b.turns.denied & (ours - a.turns.denied)))
