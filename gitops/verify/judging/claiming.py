"""A claim as the judge takes it apart: content words with weights, names, numbers, turns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gitops.verify.judging import naming, quantities, turns
from gitops.verify.judging.words import Token, common, tokens
from gitops.wiki.terms import Corpus

_RARE, _COMMON, _SHORT = 1.0, 0.4, 0.7


@dataclass(frozen=True)
class Parsed:
    """A claim's words and what they are."""

    text: str
    words: tuple[Token, ...]
    units: tuple[int, ...]
    """Places of its content words that are no part of a number."""
    weights: tuple[float, ...]
    """How much each of `units` says, about 1 for a word that is not common."""
    names: tuple[int, ...]
    numbers: tuple[quantities.Quantity, ...]
    turns: turns.Turns
    lead: int = 0
    """How many of its first words were put in a pronoun's place."""

    @property
    def hard_numbers(self) -> tuple[quantities.Quantity, ...]:
        """Those that prove something: `first` to `third` are said of too many things."""
        return tuple(number for number in self.numbers if number.kind != "ordinal" or number.value > 3)

    def unit(self, number: int) -> Token:
        """The word of a unit."""
        return self.words[self.units[number]]


def parse(text: str, corpus: Corpus | None = None, subject: str = "") -> Parsed:
    """Take a claim apart; where a corpus is given, its words weigh by their rarity in it.

    `subject` takes the place of the claim's first word, a pronoun.
    """
    words = tuple(tokens(text))
    lead = len(tokens(subject)) if words else 0
    if lead:
        text = f"{text[: words[0].start]}{subject}{text[words[0].end :]}"
        words = tuple(tokens(text))
    numbers = tuple(quantities.quantities(words))
    counted = {at for number in numbers if number.kind != "ordinal" for at in range(number.first, number.last)}
    units = tuple(at for at, word in enumerate(words) if word.is_content and at not in counted)
    weights = (
        tuple(_weight(words[at]) for at in units) if corpus is None else _rarity([words[at] for at in units], corpus)
    )
    return Parsed(
        text, words, units, weights, tuple(naming.names(words, text)), numbers, turns.turns(words), lead
    )  # fmt: skip


def _weight(word: Token) -> float:
    if word.stem in common():
        return _COMMON
    return _SHORT if len(word.stem) <= 3 and word.folded.islower() and word.text.islower() else _RARE


def _rarity(words: Sequence[Token], corpus: Corpus) -> tuple[float, ...]:
    """`idf(t) = ln((1 + n) / (1 + df(t)))` over its greatest, mixed half and half with what needs no corpus."""
    frequency = corpus.frequency([word.folded for word in words])
    most = math.log(1 + corpus.documents) or 1.0
    return tuple(
        (_weight(word) + math.log((1 + corpus.documents) / (1 + frequency.get(word.folded, 0))) / most) / 2
        for word in words
    )
