"""The passage of a text that comes nearest to a quote, when the quote itself does not stand there.

Words of the quote, and pairs of them, are sought in the text; where their hits agree on one place, that place is
aligned word by word. Every step has a bound, so a long quote in a huge text costs time in proportion to the text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from gitops.wiki.boundaries import UNSPACED

Segment = tuple[str, str, str]
"""`equal`, `replace`, `delete` or `insert`; the quote's part; the source's part."""

_WORD = re.compile(rf"[^\W_{UNSPACED}]+|[{UNSPACED}]")
_TOKEN = re.compile(rf"\d+(?:[.,]\d+)+|[^\W_{UNSPACED}]+|[{UNSPACED}]|\s+|.", re.DOTALL)
_PROBES = 24
_HITS = 40
_PLACES = 6
_MAX_MARGIN = 2000
_MAX_RADIUS = 12


@dataclass(frozen=True, slots=True)
class Passage:
    """Where the nearest passage stands, and how near it is, 0 to 1 (see `similarity`)."""

    start: int
    end: int
    similarity: float


@dataclass(frozen=True, slots=True)
class _Words:
    words: list[str]
    spans: list[tuple[int, int]]


def closest(quote: str, text: str, lowered: str, start: int = 0, end: int | None = None) -> Passage | None:
    """The passage within `[start, end)` nearest to the quote, from whole word to whole word; None without any hit.

    Quote and text have their white space folded; `lowered` is the text in lower case, code point by code point.
    """
    stop = len(text) if end is None else end
    wanted = _words(quote.lower(), 0)
    if not wanted.words:
        return None
    passages = (_aligned(wanted, lowered, place, start, stop) for place in _places(quote.lower(), lowered, start, stop))
    nearest = max(passages, key=lambda p: (p.similarity, -p.start) if p else (-1.0, 0), default=None)
    if nearest is None:
        return None
    first, last = _with_marks(quote, text, nearest.start, nearest.end)
    return Passage(first, last, nearest.similarity)


def similarity(ours: Sequence[str], theirs: Sequence[str]) -> float:
    """How near two runs of words are, 0 to 1: the mean of two Indel similarities, by words and by characters.

    Indel similarity is 2·LCS / (length + length). By words alone a misspelt word counts for nothing, by characters
    alone any two sentences of one language are half alike.
    """
    from rapidfuzz.distance import Indel

    by_words = Indel.normalized_similarity(ours, theirs)
    return (by_words + Indel.normalized_similarity(" ".join(ours), " ".join(theirs))) / 2


def difference(quote: str, exact: str) -> tuple[Segment, ...]:
    """The quote against the source's slice, word by word; the parts of each side join to the whole, spaces folded."""
    from rapidfuzz.distance import Levenshtein

    ours, theirs = _TOKEN.findall(" ".join(quote.split())), _TOKEN.findall(" ".join(exact.split()))
    return tuple(
        (code.tag, "".join(ours[code.src_start : code.src_end]), "".join(theirs[code.dest_start : code.dest_end]))
        for code in Levenshtein.opcodes(ours, theirs)
    )


def _words(text: str, offset: int) -> _Words:
    found = list(_WORD.finditer(text))
    return _Words([m[0] for m in found], [(m.start() + offset, m.end() + offset) for m in found])


def _places(quote: str, text: str, start: int, stop: int) -> list[int]:
    """Where in the text the quote would begin, by the agreement of rare hits; the likeliest first."""
    width = max(64, len(quote))
    weights: dict[tuple[int, int], float] = defaultdict(float)
    heaviest: dict[tuple[int, int], tuple[float, int]] = {}
    for place, probe in _probes(quote):
        hits = list(_hits(probe, text, start, stop))
        for hit in hits:
            shift, weight = hit - place, len(probe) / len(hits)
            for half in (0, 1):
                bucket = (half, (shift + half * width // 2) // width)
                weights[bucket] += weight
                heaviest[bucket] = max(heaviest.get(bucket, (0.0, 0)), (weight, shift))
    best = sorted(weights, key=lambda bucket: (-weights[bucket], bucket))[:_PLACES]
    return list(dict.fromkeys(heaviest[bucket][1] for bucket in best))


def _probes(quote: str) -> Iterator[tuple[int, str]]:
    """The longest words, and pairs of neighbours spread over the quote, with their places in it."""
    found = list(_WORD.finditer(quote))
    longest = sorted({m[0]: m for m in reversed(found)}.values(), key=lambda m: (-len(m[0]), m.start()))
    for word in longest[:_PROBES]:
        yield word.start(), word[0]
    pairs = list(pairwise(found))
    for first, second in pairs[:: max(1, -(-len(pairs) // _PROBES))]:
        yield first.start(), quote[first.start() : second.end()]


def _hits(probe: str, text: str, start: int, stop: int) -> Iterator[int]:
    place = start - 1
    for _ in range(_HITS):
        place = text.find(probe, place + 1, stop)
        if place < 0:
            return
        yield place


def _aligned(wanted: _Words, text: str, place: int, start: int, stop: int) -> Passage | None:
    length = wanted.spans[-1][1]
    margin = min(_MAX_MARGIN, max(48, length // 2))
    first = max(start, place - margin)
    window = _words(text[first : min(stop, place + length + margin)], first)
    if not window.words:
        return None
    begin, end = _best_run(wanted.words, window, place + wanted.spans[0][0])
    run = window.words[begin:end]
    return Passage(window.spans[begin][0], window.spans[end - 1][1], similarity(wanted.words, run))


def _best_run(wanted: list[str], window: _Words, place: int) -> tuple[int, int]:
    """The run of words that begins near `place` with the fewest edits to the wanted ones; of equals the likest."""
    words, radius = window.words, min(_MAX_RADIUS, max(3, len(wanted) // 3))
    begin = min(bisect_left(window.spans, (place, place)), len(words) - 1)
    end = min(len(words), begin + len(wanted))
    merit = lru_cache(maxsize=None)(lambda b, e: _merit(wanted, words[b:e]))
    for _ in range(3):
        begins = range(max(0, begin - radius), min(end, begin + radius + 1))
        begin = max(begins, key=lambda b: merit(b, end))
        ends = range(max(begin + 1, end - radius), min(len(words), end + radius) + 1)
        end = max(ends, key=lambda e: merit(begin, e))
    return begin, end


def _merit(wanted: list[str], run: list[str]) -> tuple[float, int]:
    from rapidfuzz.distance import Levenshtein

    return Levenshtein.normalized_similarity(wanted, run), -abs(len(run) - len(wanted))


def _with_marks(quote: str, text: str, start: int, end: int) -> tuple[int, int]:
    """The passage with the marks around it that the quote has around its own words."""
    words = list(_WORD.finditer(quote))
    before, after = quote[: words[0].start()], quote[words[-1].end() :]
    if before and text.endswith(before, 0, start):
        start -= len(before)
    if after and text.startswith(after, end):
        end += len(after)
    return start, end
