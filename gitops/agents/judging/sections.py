"""A source divided: into sections by its headings and pages, and those into pieces, which are paragraphs.

Pieces and sections cover the whole text without a gap, so whatever is not sent can be named.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

from gitops.wiki.source_headings import headings

PIECE, SECTION = 320, 1_600
"""The most characters of a piece, and of a section that is not divided further."""
_BLANK = re.compile(r"\n[ \t\r]*\n\s*")
_CUTS = (
    re.compile(r"[.!?]\s|\n(?=\s*(?:[-*+|]|\d+[.)])\s)|[。！？]"),
    re.compile(r"\n|[;:]\s|[；：]"),
    re.compile(r"\s"),
)
"""Where a paragraph may be cut, best first: behind a sentence or before an item; in a pause; between words."""
_DEEPEST = 6
_WORDS = 6


@dataclass(frozen=True, slots=True)
class Section:
    """A stretch `[start, end)` of a source: under a heading or on a page, which is its title; a later part of what is
    long is called by its first words. Numbers count from 1.
    """

    number: int
    title: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch `[start, end)` of a source that is sent whole or not at all, and the number of its section."""

    start: int
    end: int
    section: int


@dataclass(frozen=True)
class Divided:
    """A source, its sections and its pieces, both in order."""

    text: str
    sections: tuple[Section, ...]
    pieces: tuple[Piece, ...]

    def of(self, index: int) -> str:
        """The text of a piece."""
        piece = self.pieces[index]
        return self.text[piece.start : piece.end]

    def overlapping(self, start: int, end: int) -> range:
        """The pieces that hold some of `[start, end)`."""
        first = bisect_right(self._starts, start) - 1
        return range(max(0, first), max(bisect_left(self._starts, end), first + 1))

    def within(self, sections: Iterable[int]) -> list[int]:
        """The pieces of some sections, by the sections' numbers."""
        wanted = set(sections)
        return [index for index, piece in enumerate(self.pieces) if piece.section in wanted]

    @cached_property
    def sizes(self) -> list[int]:
        """The bytes of each piece."""
        return [len(self.of(index).encode()) for index in range(len(self.pieces))]

    @cached_property
    def _starts(self) -> list[int]:
        return [piece.start for piece in self.pieces]


@lru_cache(maxsize=64)
def divide(text: str) -> Divided:
    """The sections and pieces of a source's text; an empty text has none."""
    sections = tuple(_sections(text))
    pieces = tuple(
        Piece(start, end, section.number)
        for section in sections
        for start, end in pairwise(_cuts(text, section.start, section.end, PIECE))
    )
    return Divided(text, sections, pieces)


def _sections(text: str) -> Iterator[Section]:
    number = 0
    for title, start, end in _titled(text):
        cuts = [start, end] if end - start <= SECTION else _merged(_cuts(text, start, end, PIECE))
        for first, last in pairwise(cuts):
            number += 1
            yield Section(number, title if first == start else " ".join(text[first:last].split()[:_WORDS]), first, last)


def _titled(text: str) -> Iterator[tuple[str, int, int]]:
    """The stretches between headings and page breaks, with what they are called."""
    begins = {0: "beginning"}
    begins |= {match.end(): f"page {number}" for number, match in enumerate(re.finditer("\f", text), 2)}
    if len(begins) > 1:
        begins[0] = "page 1"
    begins |= {heading.start: heading.text for heading in headings(text) if heading.level <= _DEEPEST}
    places = sorted(begins)
    for start, end in pairwise([*places, len(text)]):
        if end > start:
            yield begins[start], start, end


def _merged(cuts: list[int]) -> list[int]:
    """Cuts so far apart as a section may be long."""
    kept = [cuts[0]]
    for here, after in pairwise([*cuts[1:], cuts[-1]]):
        if after - kept[-1] > SECTION or here == cuts[-1]:
            kept.append(here)
    return list(dict.fromkeys(kept))


def _cuts(text: str, start: int, end: int, most: int) -> list[int]:
    """Where a stretch is cut: between paragraphs, and where those are too long, at the best place in them."""
    paragraphs = [start, *(match.end() for match in _BLANK.finditer(text, start, end) if match.end() < end), end]
    found = [start]
    for first, last in pairwise(paragraphs):
        at = first
        while last - at > most:
            at = _best(text, at, most)
            found.append(at)
        found.append(last)
    return found if end > start else []


def _best(text: str, start: int, most: int) -> int:
    """The last good place to cut in the next `most` characters."""
    for cuts in _CUTS:
        ends = [match.end() for match in cuts.finditer(text, start + most // 3, start + most)]
        if ends:
            return ends[-1]
    return start + most
