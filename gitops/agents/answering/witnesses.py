"""The words of a source that a sentence of a page rests on: the citation's quotation, else the nearest there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gitops.agents.answering.question import stems
from gitops.verify.judging import words as english
from gitops.verify.resolution import resolve
from gitops.verify.view import View
from gitops.wiki import chunks, searchwords
from gitops.wiki.anchors import locate
from gitops.wiki.model import Cite
from gitops.wiki.passages import Passage
from gitops.wiki.places_in_source import stretch
from gitops.wiki.source_text import SourceText, page_of
from gitops.wiki.terms import STOP_WORDS

NEAR = 0.35
"""The share of a sentence's telling words that the source's words must hold."""
MORE = 0.25
"""What a second stretch must add to be quoted as well."""
_SENTENCES, _LENGTH = 4, 600
"""So many sentences in a row, and code points, may one quotation take."""
_A_SENTENCE_COSTS = 0.04
_NUMBER_COUNTS = 3.0
_EMPHASIS = "*_~`"


@dataclass(frozen=True, slots=True)
class Witness:
    """Words of a source: as a page cites it, the pages of a PDF, the quotation and where it begins."""

    cited: str
    first_page: int | None
    last_page: int | None
    quote: str
    offset: int


def witnesses(view: View, path: str, text: str, cites: Sequence[Cite]) -> tuple[Witness, ...]:
    """What the sources that are cited for a sentence of a page say of it, in the order in which they are cited."""
    found: list[Witness] = []
    for cite in cites:
        resolved = resolve(view, path, cite)
        for source_path in resolved.paths if resolved.status == "ok" else ():
            if view.layout.is_source(source_path):
                found += _of(view, source_path, text, cite)
    return tuple(dict.fromkeys(found))


def _of(view: View, path: str, text: str, cite: Cite) -> Iterator[Witness]:
    source = view.source(path)
    cited = view.layout.cited(path)
    if cite.quote:
        anchor = locate(cite.quote, source, first_page=cite.first_page, last_page=cite.last_page, offset=cite.offset)
        if anchor.result in ("verified", "repaired"):
            yield _witness(cited, source, anchor.start, anchor.end)
        return
    title = f"{path.rpartition('/')[2].rpartition('.')[0]} {chunks.title_of(path, source)}"
    for start, end in _nearest(_telling(text), _telling(title), _pointed_to(source, cite)):
        yield _witness(cited, source, start, end)


def _pointed_to(source: SourceText, cite: Cite) -> list[Passage]:
    """The source's sentences where a citation points, or all where it names no place."""
    found = [one for one in chunks.source_passages(source) if one.block not in ("heading", "code")]
    place = stretch(cite, source)
    return found if place is None or not place.spans else [one for one in found if place.holds(one.start, one.end)]


def _nearest(said: frozenset[str], title: frozenset[str], found: Sequence[Passage]) -> Iterator[tuple[int, int]]:
    """The stretch of sentences that holds most of what is said, and one that adds to it, if they hold enough.

    What the source's title says need not be said again in it.
    """
    wanted = said - title or said
    if not wanted:
        return
    stretches = [(start, end, words & wanted) for start, end, words in _stretches(found)]
    best = max(stretches, key=lambda one: _worth(one, wanted), default=None)
    if best is None or _weight(best[2]) < NEAR * _weight(wanted):
        return
    yield best[:2]
    apart = [(start, end, words - best[2]) for start, end, words in stretches if end <= best[0] or best[1] <= start]
    second = max(apart, key=lambda one: _worth(one, wanted), default=None)
    if second is not None and _weight(second[2]) >= MORE * _weight(wanted):
        yield second[:2]


def _stretches(found: Sequence[Passage]) -> Iterator[tuple[int, int, frozenset[str]]]:
    """Every run of sentences that may be quoted, shortest first, with its words."""
    told = [_telling(one.text) for one in found]
    for length in range(1, _SENTENCES + 1):
        for at in range(len(found) - length + 1):
            start, end = found[at].start, found[at + length - 1].end
            if length == 1 or end - start <= _LENGTH:
                yield start, end, frozenset().union(*told[at : at + length])


def _worth(one: tuple[int, int, frozenset[str]], wanted: frozenset[str]) -> float:
    """The share of the weight that is held, less for every hundred characters beyond the first."""
    return _weight(one[2]) / _weight(wanted) - _A_SENTENCE_COSTS * (one[1] - one[0]) / 100


def _weight(words: frozenset[str]) -> float:
    return sum(_NUMBER_COUNTS if word[:1].isdigit() else 1.0 for word in words)


def _telling(text: str) -> frozenset[str]:
    words = (word for word in searchwords.words(text) if word not in STOP_WORDS)
    return frozenset(stem for word in words for stem in stems(word) if stem not in english.common())


def _witness(cited: str, source: SourceText, start: int, end: int) -> Witness:
    start, end = _with_marks(source.text, start, end)
    first, last = page_of(source, start), page_of(source, max(start, end - 1))
    return Witness(cited, first, last, source.text[start:end], start)


def _with_marks(text: str, start: int, end: int) -> tuple[int, int]:
    """The stretch with the emphasis marks that open or close at its ends: half a pair of them would be no quotation."""
    while start and text[start - 1] in _EMPHASIS:
        start -= 1
    while end < len(text) and text[end] in _EMPHASIS:
        end += 1
    return start, end
