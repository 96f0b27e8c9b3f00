"""What is shown of a place that a search found: the sentence that holds most of the words, and where they stand."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gitops.runs.searching import Hit, Searcher
from gitops.verify.judging import words as english
from gitops.wiki import searchwords
from gitops.wiki.passages import Passage
from gitops.wiki.positions import Lines

LONGEST = 220
_WORD = re.compile(r"[^\W_]+(?:[.,:’'][^\W_]+)*")
_ELLIPSIS = "…"

Mark = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A hit, the line of its best sentence (from 1), that sentence or a part of it, and the words' places in it."""

    hit: Hit
    line: int
    text: str
    marks: tuple[Mark, ...]

    def record(self) -> dict[str, Any]:
        """What `git assay search --json` prints of it."""
        return {**self.hit.record(), "line": self.line, "text": self.text, "marks": [list(mark) for mark in self.marks]}


def excerpts(searcher: Searcher, text: str, limit: int) -> list[Excerpt]:
    """What a search for a text finds, best first."""
    asked = searchwords.asked(text)
    wanted = frozenset(key(word) for word in asked)
    return [_excerpt(searcher, hit, wanted) for hit in searcher.find(asked, limit)]


def _excerpt(searcher: Searcher, hit: Hit, wanted: Collection[str]) -> Excerpt:
    found = [one for one in searcher.passages(hit) if one.block != "heading"]
    best = max(found, key=lambda one: len(_held(one, wanted)), default=None)
    if best is None:
        return Excerpt(hit, hit.line, "", ())
    line = Lines(searcher.text(hit)).place(best.start, best.end).line
    text, marks = _cut(best.text, marked(best.text, wanted))
    return Excerpt(hit, line, text, marks)


def _held(passage: Passage, wanted: Collection[str]) -> set[str]:
    return {found for word in searchwords.words(passage.text) if (found := key(word)) in wanted}


def marked(text: str, wanted: Collection[str]) -> tuple[Mark, ...]:
    """Where the words stand in a text, in whatever form; of scripts without spaces every pair that was asked for."""
    marks: list[Mark] = []
    for start, end in _places(text, wanted):
        if marks and start <= marks[-1][1]:
            marks[-1] = (marks[-1][0], max(end, marks[-1][1]))
        else:
            marks.append((start, end))
    return tuple(marks)


def _places(text: str, wanted: Collection[str]) -> Iterator[Mark]:
    for found in _WORD.finditer(text):
        start, end = found.span()
        if any(map(searchwords.is_unspaced, found[0])):
            yield from _pairs(text, start, end, wanted)
        elif any(key(word) in wanted for word in searchwords.words(found[0])):
            yield start, end


def _pairs(text: str, start: int, end: int, wanted: Collection[str]) -> Iterator[Mark]:
    """The pairs of a run, and the words of other scripts that it has within."""
    at = start
    while at < end:
        width = 2 if searchwords.is_unspaced(text[at]) else _plain_width(text, at, end)
        if any(key(word) in wanted for word in searchwords.words(text[at : at + width])):
            yield at, min(at + width, end)
        at += 1 if searchwords.is_unspaced(text[at]) else width


def _plain_width(text: str, at: int, end: int) -> int:
    until = at + 1
    while until < end and not searchwords.is_unspaced(text[until]):
        until += 1
    return until - at


def key(word: str) -> str:
    """A word as it is compared: without its endings, where it has some that are known."""
    if searchwords.is_unspaced(word) or word[:1].isdigit():
        return word
    return english.shapes(word)[1]


def _cut(text: str, marks: Sequence[Mark]) -> tuple[str, tuple[Mark, ...]]:
    """As much of a long sentence as is worth a line or two, from shortly before the first word that was found."""
    if len(text) <= LONGEST:
        return text, tuple(marks)
    start = max(0, min((marks[0][0] if marks else 0) - LONGEST // 4, len(text) - LONGEST))
    start = text.rfind(" ", 0, start) + 1 if start else 0
    end = min(len(text), start + LONGEST)
    head, tail = _ELLIPSIS if start else "", _ELLIPSIS if end < len(text) else ""
    shift = len(head) - start
    kept = ((max(low, start) + shift, min(high, end) + shift) for low, high in marks if low < end and high > start)
    return head + text[start:end] + tail, tuple(kept)
