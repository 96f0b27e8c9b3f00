"""Words, and which of a source's words tell it apart: TF-IDF as scikit-learn computes it.

For a term t of a document, with n documents of which df(t) hold t (`TfidfVectorizer` with its defaults
`smooth_idf=True`, `norm="l2"`, `sublinear_tf=False`):

    idf(t) = ln((1 + n) / (1 + df(t))) + 1,   w(t) = tf(t) · idf(t),   weight(t) = w(t) / √Σ w²
"""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Protocol

from gitops.wiki.late import late

_WORD = late(r"[^\W_]{2,}|[^\W_]")
# Han (with its extensions and compatibility forms), Hiragana and Katakana: written without spaces.
_UNSPACED = late(
    "[\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+"
)

# Function words: articles, pronouns, prepositions, conjunctions, auxiliaries. They are left out by name because
# a smoothed idf never falls below 1: in a wiki of ten pages "the" would outweigh every rare word by its count.
_FUNCTION_WORDS = """
about above after again all also although always am among an and another any are around as at
be because been before being below between both but by
can cannot could did do does doing done down during
each either else etc even ever every few for from further
had has have having he her here hers herself him himself his how however
if in into is it its itself just least less many may me might more most much must my myself
near neither never no nor not now of off often on once one only onto or other others our ours out over own
per perhaps quite rather same shall she should since so some such
than that the their theirs them themselves then there therefore these they this those though through thus to too
toward towards under until up upon us very via
was we were what when where whether which while who whom whose why will with within without would
yet you your yours yourself
"""
STOP_WORDS = frozenset(_FUNCTION_WORDS.split())
"""English function words."""
_CONTRACTED = """
ain aren couldn didn doesn don hadn hasn haven isn ll mustn needn re shouldn ve wasn weren wouldn
"""
UNTELLING = STOP_WORDS.union(_CONTRACTED.split())
"""Left out of `top_terms` unless told otherwise: these, and what is left of contractions, which are two words here."""


class Corpus(Protocol):
    """How many documents there are, and in how many of them a term stands."""

    @property
    def documents(self) -> int:
        """The number of documents."""
        ...

    def frequency(self, terms: Iterable[str]) -> Mapping[str, int]:
        """For each term the number of documents that hold it; terms that stand nowhere may be missing."""
        ...


class MemoryCorpus:
    """Document frequencies counted from lists of tokens."""

    def __init__(self, documents: Iterable[Iterable[str]]) -> None:
        self.documents = 0
        self._frequency: Counter[str] = Counter()
        for document in documents:
            self.documents += 1
            self._frequency.update(set(document))

    def frequency(self, terms: Iterable[str]) -> Mapping[str, int]:
        """For each term the number of documents that hold it."""
        return {term: self._frequency[term] for term in terms}


def tokens(text: str) -> list[str]:
    """The words of a text: NFC, case folded, two letters or more, not digits alone.

    Runs of Han and Kana have no spaces to go by and become overlapping pairs (東京都: 東京, 京都); a single
    such character stands for itself. Hangul is written in words and stays so.
    """
    folded = unicodedata.normalize("NFC", text).casefold()
    words: list[str] = []
    plain = folded.isascii() or not _UNSPACED.search(folded)
    for word in _WORD.findall(folded):
        if plain or not _UNSPACED.search(word):
            if len(word) > 1 and not word.isdigit():
                words.append(word)
        else:
            words.extend(_mixed(word))
    return words


def _mixed(word: str) -> Iterable[str]:
    place = 0
    for run in _UNSPACED.finditer(word):
        yield from _spaced(word[place : run.start()])
        yield from (run[0][i : i + 2] for i in range(max(1, len(run[0]) - 1)))
        place = run.end()
    yield from _spaced(word[place:])


def _spaced(word: str) -> Iterable[str]:
    return (word,) if len(word) > 1 and not word.isdigit() else ()


def top_terms(
    source: Iterable[str],
    document_frequency: Callable[[Iterable[str]], Mapping[str, int]],
    documents: int,
    n: int = 20,
    stopwords: Collection[str] = UNTELLING,
) -> list[tuple[str, float]]:
    """The n heaviest terms of a source's tokens with their TF-IDF weights, heaviest first, ties by term."""
    counts = Counter(token for token in source if token not in stopwords)
    frequency = document_frequency(list(counts))
    raw = {term: count * _idf(frequency.get(term, 0), documents) for term, count in counts.items()}
    length = math.sqrt(math.fsum(weight * weight for weight in raw.values()))
    weights = ((term, weight / length) for term, weight in raw.items())
    return sorted(weights, key=lambda pair: (-pair[1], pair[0]))[:n]


def _idf(frequency: int, documents: int) -> float:
    return math.log((1 + documents) / (1 + frequency)) + 1


def mentions(term: str, words: Collection[str]) -> bool:
    """Whether a term is among a text's tokens, as a whole word; give a set when asking more than once."""
    return term in words
