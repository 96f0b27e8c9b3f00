"""A question taken apart: the words that tell, how rare each is in the wiki, and what kind of answer is wanted."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from gitops.agents.answering import kinds
from gitops.agents.answering.kinds import Demand, Wanted
from gitops.verify.judging import words as english
from gitops.verify.judging.naming import names
from gitops.wiki import searchwords

_COMMON_COUNTS = 0.4
"""What a common word counts beside another that is as rare."""


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the question: as it is searched for, as it is compared, what it counts, whether it must be there."""

    word: str
    stem: str
    weight: float
    is_required: bool
    is_common: bool = False
    """Whether it is so frequent in English that finding it proves little (`use`, `first`)."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: its terms in order, the kind of answer, all its words as they are compared."""

    text: str
    terms: tuple[Term, ...]
    wanted: Wanted
    stems: frozenset[str]
    demands: tuple[Demand, ...] = ()
    counted: frozenset[str] = frozenset()
    """What is to be counted, as it is compared."""

    @property
    def weight(self) -> float:
        """What all terms count together."""
        return math.fsum(term.weight for term in self.terms)


def parse(text: str, rarity: Callable[[Iterable[str]], Mapping[str, float]]) -> Question:
    """Take a question apart. `rarity` tells for each word the share of the wiki's chunks that hold it."""
    asked = searchwords.asked(text)
    shares = rarity(asked)
    required = _named(text)
    terms = [_term(word, shares[word], required) for word in asked]
    return Question(
        text,
        tuple(terms),
        kinds.wanted(text),
        frozenset(stems(text)),
        kinds.demands(text),
        frozenset(stems(kinds.counted(text))),
    )


def stems(text: str) -> Sequence[str]:
    """The words of a text as they are compared: English without its endings, pairs of characters as they are."""
    return [stem_of(word) for word in searchwords.words(text)]


def stem_of(word: str) -> str:
    """A word as it is compared."""
    if searchwords.is_unspaced(word) or word[:1].isdigit():
        return word
    stem = english.shapes(word)[1]
    return stem[:-1] + "i" if len(stem) == 3 and stem.endswith("y") else stem  # `dries` is `dri`, so `dry` is too


def _term(word: str, share: float, required: frozenset[str]) -> Term:
    """The rarer, the more it counts; what stands nowhere counts as what stands in one chunk of a thousand."""
    rare = math.log(1 / max(share, 0.001)) + 0.5
    is_common = stem_of(word) in english.common()
    is_required = word in required or word[:1].isdigit()
    return Term(word, stem_of(word), rare * (_COMMON_COUNTS if is_common else 1.0), is_required, is_common)


def _named(text: str) -> frozenset[str]:
    """The words of names in the question, as they are searched for."""
    tokens = english.tokens(text)
    return frozenset(word for at in names(tokens, text) for word in searchwords.words(tokens[at].text))
