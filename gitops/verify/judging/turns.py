"""Small words that turn a meaning: negation, quantifiers, hedges, and who speaks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from gitops.verify.judging.lexicon import listed
from gitops.verify.judging.words import Token, stem

_REACH = 5
"""Words behind a negation that it may deny."""
NEGATIONS = frozenset(
    listed(
        """
    not no never none neither nor nobody nothing nowhere without cannot hardly scarcely barely lack lacks fails
    failed fail refused deny denied neither unable
    """
    )
)
QUANTIFIERS = {
    word: strength
    for strength, group in enumerate(
        (
            "no none zero nobody never neither",
            "few rarely seldom little hardly minority",
            "some several sometimes occasionally part certain",
            "many often various numerous frequently",
            "most mostly majority usually mainly generally largely primarily typically",
            "all every each always entire entirely only exclusively whole everyone everybody completely both",
        )
    )
    for word in listed(group)
}
"""How much of what is spoken of, from none (0) to all (5)."""
HEDGES = frozenset(
    listed(
        """
    may might could possibly perhaps probably likely suggest appear seem reportedly allegedly believe estimate
    potential potentially expect hope plan propose claim consider would if whether rumor unclear unlikely
    preliminary suspect presumably
    """
    )
)
SPEAKER = frozenset(
    listed(
        """
    i me my mine we our us you your i'm i've i'd i'll i'll you're myself im ive
    """
    )
)


@dataclass(frozen=True, slots=True)
class Turns:
    """What turns the meaning of a text: how many hedges, words of who speaks, which quantifiers, what is denied."""

    hedges: int
    speaker: int
    quantifiers: frozenset[int]
    denied: frozenset[str]
    """Stems of the content words that a negation reaches: two at most, close behind it."""


def turns(words: Sequence[Token]) -> Turns:
    """Read the turns off a text's tokens."""
    folded = [word.folded for word in words]
    return Turns(
        hedges=sum(word.stem in _hedges() for word in words),
        speaker=sum(each in SPEAKER for each in folded),
        quantifiers=frozenset(QUANTIFIERS[each] for each in folded if each in QUANTIFIERS),
        denied=frozenset(_denied(words)),
    )


def _denied(words: Sequence[Token]) -> Iterable[str]:
    for at, word in enumerate(words):
        if denies(word.folded):
            reached = [each.stem for each in words[at + 1 : at + 1 + _REACH] if each.is_content and each.stem.isalpha()]
            yield from reached[:2]


def denies(folded: str) -> bool:
    """Whether a word denies what follows it."""
    return folded in NEGATIONS or folded.endswith("n't")


@cache
def _hedges() -> frozenset[str]:
    return frozenset(map(stem, HEDGES))
