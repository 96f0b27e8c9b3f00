"""Words that are denied, counted or hedged in the one of two sentences and not in the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from gitops.verify.judging.lexicon import listed
from gitops.verify.judging.likeness import Said
from gitops.verify.judging.turns import denies
from gitops.verify.judging.words import Token, stem

_REACH = 3
"""Words before another that may deny, count or hedge it."""
_NO_DENIAL = frozenset(listed("only just merely least necessarily until yet longer more less later fewer"))
"""Behind a negation these turn it into something else: `not only`, `no longer`, `no more than`."""
_BETWEEN = frozenset(
    listed("a an the any be been being have has had to so very on in at by for of its it their as also ever")
)
"""Words that may stand between a negation and what it denies."""
_CLAUSE = frozenset(",;:.()—–")
_AMOUNTS = {
    word: strength
    for strength, group in enumerate(
        (
            "no none never",
            "few rarely seldom hardly",
            "some several sometimes occasionally",
            "many often",
            "most mostly usually mainly generally largely",
            "all every each always",
        )
    )
    for word in listed(group)
}
"""How much of what is spoken of; a subset of `turns.QUANTIFIERS` that leaves out what has a second meaning."""
_EXTREMES = frozenset((0, 1, 5))
_MODALS = frozenset(listed("may might could possibly perhaps probably reportedly allegedly likely"))
_HEDGING = listed(
    """
    can could may might should would possibly perhaps probably likely reportedly allegedly if suggest seem appear think
    believe potential potentially risk associate consider estimate expect claim say often sometimes usually typically
    """
)


def is_denied(words: Sequence[Token], at: int) -> bool:
    """Whether a negation stands among the three words before one."""
    return any(_negates(words, before) for before in range(max(0, at - _REACH), at))


def _negates(words: Sequence[Token], at: int) -> bool:
    return denies(words[at].folded) and not (at + 1 < len(words) and words[at + 1].folded in _NO_DENIAL)


def turned(claim: Said, mine: int, line: Said, yours: int) -> Iterator[str]:
    """How a word that both have is turned: `negation`, `quantifier`, `hedge`."""
    if _denies_alone(claim, mine, line, yours) or _denies_alone(line, yours, claim, mine):
        yield "negation"
    one, other = _amount(claim.words, mine), _amount(line.words, yours)
    if one is not None and other is not None and one != other and _EXTREMES & {one, other}:
        yield "quantifier"
    if _is_hedged(line.words, yours) and not any(word.stem in _hedging() for word in claim.words):
        yield "hedge"


def _denies_alone(one: Said, at: int, other: Said, there: int) -> bool:
    """Whether a word is denied outright in the one, and nothing at all in the other."""
    negations = [before for before in range(max(0, at - _REACH), at) if _negates(one.words, before)]
    if not negations or is_denied(other.words, there) or any(denies(word.folded) for word in other.words):
        return False
    between = one.words[negations[-1] + 1 : at]
    gap = one.text[one.words[negations[-1]].end : one.words[at].start]
    return all(word.folded in _BETWEEN for word in between) and _CLAUSE.isdisjoint(gap)


def _amount(words: Sequence[Token], at: int) -> int | None:
    """The amount that a word is said of, by the nearest of the three words before it, no content word between."""
    for before in range(at - 1, max(-1, at - 1 - _REACH), -1):
        if words[before].folded in _AMOUNTS:
            return _AMOUNTS[words[before].folded]
        if words[before].is_content:
            return None
    return None


def _is_hedged(words: Sequence[Token], at: int) -> bool:
    modals = [before for before in range(max(0, at - _REACH), at) if words[before].folded in _MODALS]
    return bool(modals) and not any(word.is_content for word in words[modals[-1] + 1 : at])


@cache
def _hedging() -> frozenset[str]:
    return frozenset(map(stem, _HEDGING))
