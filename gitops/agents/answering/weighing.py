"""How well a sentence answers a question: the share of the question's weight that it holds, and whether it can."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from gitops.agents.answering import kinds
from gitops.agents.answering.question import Question, Term, stem_of, stems
from gitops.verify.judging import words as english
from gitops.verify.judging.naming import names
from gitops.verify.judging.quantities import Quantity, quantities
from gitops.verify.judging.words import Token
from gitops.wiki import searchwords

_NEAR = 4
"""What is counted stands at most so many words behind its number."""
SAID, ALIKE, ABOVE, BEFORE = 1.0, 0.75, 0.85, 0.6
"""What a term counts that stands in the sentence itself, there in another form, in the title or a heading, or in the
sentence before."""
_CLAUSES = frozenset(map(stem_of, ("century", "when", "after", "before", "once", "until", "during", "since", "upon")))
"""Words that say when without a date."""
_TIMES = frozenset(map(stem_of, ("once", "twice", "thrice", "double", "triple", "half")))
"""Words that say how many or how often without a number."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text as they are compared, and the families of those that have any."""

    stems: frozenset[str]
    families: frozenset[str]

    @classmethod
    def of(cls, text: str) -> Words:
        """Read a text."""
        found = frozenset(stems(text))
        return cls(found, frozenset(english.family(stem) for stem in found if stem.isalpha() and stem.isascii()))

    def holds(self, term: Term) -> float:
        """How well it holds a term, from 0 to 1."""
        if term.stem in self.stems:
            return SAID
        if not term.stem.isalpha() or searchwords.is_unspaced(term.word):
            return 0.0
        others = english.synonyms().get(term.stem, ())
        if any(other in self.stems for other in others):
            return ALIKE
        is_derived = english.family(term.stem) in self.families or term.stem in self.families
        return ALIKE if len(term.stem) > 3 and is_derived else 0.0


@dataclass(frozen=True, slots=True)
class Weighed:
    """A sentence weighed: the share of the question's weight it holds with what stands around it, and alone."""

    share: float
    alone: float
    joined: float = 0.0
    """The share of the question's neighbouring words that are neighbours in the sentence too."""
    titled: float = 0.0
    """The share of the question's weight that the page's title holds."""
    lacks: str = ""
    """What the question demands and the sentence has not: a name or number, or an answer of the kind."""


def weigh(question: Question, said: str, title: Words, above: Words, before: Words) -> Weighed:
    """Weigh a sentence under its title and headings, after the sentence before it."""
    here = Words.of(said)
    alone = [here.holds(term) for term in question.terms]
    best = [
        max(held, above.holds(term) * ABOVE, before.holds(term) * BEFORE)
        for held, term in zip(alone, question.terms, strict=True)
    ]
    titled = [float(term.stem in title.stems) for term in question.terms]
    share, by_itself, of_title = (_share(question, held) for held in (best, alone, titled))
    lacks = _missing_word(question, best) or _missing_kind(question, said, here.stems)
    return Weighed(share, by_itself, _joined(question, said), of_title, lacks)


def _share(question: Question, held: Sequence[float]) -> float:
    weighed = (one * term.weight for one, term in zip(held, question.terms, strict=True))
    return math.fsum(weighed) / (question.weight or 1.0)


def _missing_word(question: Question, held: Sequence[float]) -> str:
    """A name or number of the question that is not there; of a question about names, all that it asks of them."""
    pairs = list(zip(question.terms, held, strict=True))
    absent = next((term.word for term, best in pairs if term.is_required and not best), "")
    asks = [(term, best) for term, best in pairs if not (term.is_required or term.is_common)]
    is_named = any(term.is_required for term in question.terms)
    if absent or not is_named or not asks or any(best for _, best in asks):
        return absent
    return asks[0][0].word


def _joined(question: Question, said: str) -> float:
    """How many pairs of neighbouring words of the question are neighbours here."""
    here = list(stems(said))
    pairs = set(pairwise(term.stem for term in question.terms))
    there = {*pairwise(here), *zip(here, here[2:], strict=False)}
    return len(pairs & there) / len(pairs) if pairs else 0.0


def _missing_kind(question: Question, said: str, here: frozenset[str]) -> str:
    """The kind of answer that is wanted, where the sentence has none beyond what the question says itself."""
    for pattern, name in question.demands:
        if not pattern.search(said):
            return name
    if question.wanted == "anything":
        return ""
    tokens = english.tokens(said)
    if question.wanted == "person":
        new = [at for at in names(tokens, said) if tokens[at].stem not in question.stems]
        return "" if new or not tokens else "a name"  # of other scripts nobody here knows the names
    found = quantities(tokens)
    if question.wanted == "date":
        is_dated = any(one.kind in ("year", "decade", "month") for one in found)
        tells_when = not kinds.is_of_the_past(question.text) and not here.isdisjoint(_CLAUSES)
        return "" if is_dated or tells_when else "a date"
    return "" if _is_counted(question, tokens, found) or not here.isdisjoint(_TIMES) else "a number"


def _is_counted(question: Question, tokens: Sequence[Token], found: Sequence[Quantity]) -> bool:
    """Whether there is a number that the question does not say; of `how many` one that stands at what it counts."""
    asked = {one.value for one in quantities(english.tokens(question.text))}
    new = [one for one in found if one.kind not in ("year", "month", "ordinal") and one.value not in asked]
    if not question.counted:
        return bool(new)
    return any(
        stem_of(word.folded) in question.counted
        for one in new
        for word in tokens[max(0, one.first - 2) : one.last + _NEAR]
    )
