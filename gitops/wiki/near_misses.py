"""The passage of a source that comes nearest to a quotation that does not stand there, if it is in its language."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from gitops.wiki.boundaries import whole_words
from gitops.wiki.folding import Folded, fold
from gitops.wiki.noise import quiet
from gitops.wiki.quoted import WORD, parts, retold, spots
from gitops.wiki.source_text import SourceText
from gitops.wiki.tongue import language

if TYPE_CHECKING:
    from gitops.wiki.alignment import Segment

OWN_WORDS = 0.2
"""The share of a quotation's words that are common in a source of its language; of English sentences some 0.4 are."""
_COMMON = 150
_LONGER = 4
_SHORT_SOURCE = 2_000
_SAMPLE = 20_000


@dataclass(frozen=True, slots=True)
class Near:
    """The passage nearest to a part of a quotation: `told` is how one would quote it, `similarity` 0 to 1."""

    part: str
    start: int
    end: int
    told: str
    similarity: float
    difference: tuple[Segment, ...]

    @property
    def shares_half(self) -> bool:
        """Whether half of the part's longer words stand in the passage: without that, it may be another phrase."""
        told = Counter(WORD.findall(self.told.lower()))
        longer = [word for word in WORD.findall(self.part.lower()) if len(word) >= _LONGER or not word.isascii()]
        kept = sum((Counter(longer) & told).values())
        return kept * 2 >= len(longer)


def nearest(quotation: str, source: SourceText) -> Near | None:
    """The passage that comes nearest to the longest part of a quotation that does not stand in the source."""
    from gitops.wiki.alignment import closest, difference

    lacking = [part.text for part in parts(quotation) if not spots(part.text, source)]
    if not lacking:
        return None
    part = max(lacking, key=len)
    hushed = SourceText(quiet(source.text).text)
    folded = _spaced(hushed.text)
    wanted = fold(part).text
    lowered = folded.text.lower()
    passage = closest(wanted, folded.text, lowered if len(lowered) == len(folded.text) else folded.text)
    if passage is None:
        return None
    start, end = whole_words(source.text, *folded.span(passage.start, passage.end))
    told = retold(hushed.text, start, end)
    return Near(part, start, end, told, passage.similarity, difference(part, told))


def may_be_translated(quotation: str, source: SourceText) -> bool:
    """Whether so few of its words are among the source's commonest that it may be in another language.

    In one language those are the articles, prepositions and the like, which no sentence does without. Where function
    words tell both languages, they decide; a short source, all of whose words are its commonest, decides nothing.
    """
    spoken_in, written_in = language(quotation), language(source.text[:_SAMPLE])
    if spoken_in and written_in:
        return spoken_in != written_in
    if len(source.text) < _SHORT_SOURCE and language(quotation, 1) in ("", language(source.text, 1)):
        return False
    known = (word for word in WORD.findall(quotation.lower()) if not word.isdigit())
    spoken = [word for word in known if len(word) > 1 or not word.isascii()]
    common = _commonest(source.text)
    return sum(word in common for word in spoken) < len(spoken) * OWN_WORDS


@lru_cache(maxsize=16)
def _commonest(text: str) -> frozenset[str]:
    return frozenset(word for word, _ in Counter(WORD.findall(text.lower())).most_common(_COMMON))


@lru_cache(maxsize=16)
def _spaced(text: str) -> Folded:
    return fold(text)
