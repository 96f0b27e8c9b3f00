"""A page's body as blocks of visible text, in which every character knows where it stands in the page."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from operator import itemgetter
from typing import NamedTuple

from gitops.wiki.values import value_class


class Reference(NamedTuple):
    """A footnote reference: its label, where it stands in the block's text, and in the page."""

    label: str
    at: int
    start: int
    end: int

    @property
    def width(self) -> int:
        """How many characters it has as literal text, which it is where nothing defines its label."""
        return len(self.label) + len("[^]")


@dataclass(slots=True, eq=False)
class InlineLink:
    """A Markdown link or image as the parser gives it; `at`/`until` in the block's text, `start`/`end` in the page.

    `text_end` is where what stands between its brackets ends; `reference` is the label of a reference link.
    `is_wiki` marks a wiki-link before a bracket, which the parser takes for a Markdown link.
    """

    is_image: bool
    dest: str
    is_auto: bool
    reference: str
    at: int
    start: int
    text_end: int
    until: int = 0
    end: int = 0
    is_wiki: bool = False


Run = tuple[str, int, int]
"""Visible text and where it stands in the page, `[start, end)`; of another length if it is not as written."""


_NO_SPANS: list[tuple[int, int]] = []
_NO_REFERENCES: list[Reference] = []
_NO_LINKS: list[InlineLink] = []
_NO_ATS: list[int] = []
"""Never appended to: a block that gets a first one gets a list of its own."""


class Block:
    """A paragraph, heading, item, cell or quote; its visible text without footnote marks, tags and images.

    Breaks of a line are one space. `leads` are the blocks that lead in to the lists around it, outermost first.
    `definition` is the footnote definition it lies in, -1 for none; `table`, `row` and `column` place a cell.
    `is_title` marks the title of a callout, which is named as a heading is and not said.
    """

    # Few blocks are anything but text, and a page has a hundred: what most lack stands here once for all.
    level = 0
    table = row = column = -1
    is_lead = False
    is_title = False
    text = ""
    codes: list[tuple[int, int]] = _NO_SPANS
    struck: list[tuple[int, int]] = _NO_SPANS
    references: list[Reference] = _NO_REFERENCES
    links: list[InlineLink] = _NO_LINKS
    _ats: list[int] = _NO_ATS

    def __init__(self, kind: str, definition: int = -1, leads: tuple[Block, ...] = ()) -> None:
        self.kind = kind
        self.definition = definition
        self.leads = leads
        self.length = 0
        self.runs: list[Run] = []

    def add(self, value: str, start: int, end: int) -> None:
        """Append visible text that stands at `[start, end)` in the page; `finish` makes `text` of it."""
        self.runs.append((value, start, end))
        self.length += len(value)

    def add_code(self, at: int, until: int) -> None:
        """Mark `[at, until)` of the text as code."""
        self.codes = self.codes or []
        self.codes.append((at, until))

    def add_strike(self, at: int, until: int) -> None:
        """Mark `[at, until)` of the text as struck out."""
        self.struck = self.struck or []
        self.struck.append((at, until))

    def add_reference(self, mark: Reference) -> None:
        """Take in a footnote reference."""
        self.references = self.references or []
        self.references.append(mark)

    def add_link(self, link: InlineLink) -> None:
        """Take in a Markdown link or image."""
        self.links = self.links or []
        self.links.append(link)

    def finish(self) -> None:
        """Everything visible has been added."""
        runs = self.runs
        self.text = runs[0][0] if len(runs) == 1 else "".join([run[0] for run in runs])

    def trim(self, at: int, until: int) -> None:
        """Keep `[at, until)` of the visible text and what stands in it."""
        kept = []
        for (value, start, end), begin in zip(self.runs, self.ats, strict=True):
            low, high = max(at - begin, 0), min(until - begin, len(value))
            if low < high:
                is_exact = end - start == len(value)
                kept.append((value[low:high], start + low, start + high) if is_exact else (value[low:high], start, end))
        self.runs, self._ats = kept, []
        self.length = sum(len(run[0]) for run in kept)
        self.codes = [(low - at, high - at) for low, high in self.codes if at <= low and high <= until]
        self.struck = [(max(low - at, 0), min(high, until) - at) for low, high in self.struck if low < until]
        self.references = [mark._replace(at=min(max(mark.at, at), until) - at) for mark in self.references]
        for link in self.links:
            link.at, link.until = min(max(link.at, at), until) - at, min(max(link.until, at), until) - at
        self.finish()

    @property
    def ats(self) -> list[int]:
        """Where each run begins in the text."""
        if len(self._ats) != len(self.runs):
            self._ats = list(accumulate((len(run[0]) for run in self.runs[:-1]), initial=0))
        return self._ats

    def start_of(self, at: int) -> int:
        """Where the visible character `at` begins in the page."""
        runs = self.runs
        if len(runs) == 1:  # as in most blocks
            value, start, end = runs[0]
            return start + at if end - start == len(value) else start
        number = bisect_right(self.ats, at) - 1
        value, start, end = runs[number]
        return start + at - self._ats[number] if end - start == len(value) else start

    def end_of(self, until: int) -> int:
        """Where the visible character before `until` ends in the page."""
        runs = self.runs
        if len(runs) == 1:
            value, start, end = runs[0]
            return start + until if end - start == len(value) else end
        number = bisect_right(self.ats, until - 1) - 1
        value, start, end = runs[number]
        return start + until - self._ats[number] if end - start == len(value) else end

    def is_code(self, at: int) -> bool:
        """Whether the visible character `at` stands in a code span."""
        return _covers(self.codes, at)

    def is_struck(self, at: int) -> bool:
        """Whether the visible character `at` is struck out."""
        return _covers(self.struck, at)

    def at_of(self, point: int) -> int:
        """The first visible character that begins at or after a code point of the page."""
        number = bisect_right(self.runs, point, key=itemgetter(1)) - 1
        if number < 0:
            return 0
        value, start, _ = self.runs[number]
        return self.ats[number] + min(point - start, len(value))

    @property
    def extent(self) -> tuple[int, int]:
        """From the first to the last thing in it, in the page; `(0, 0)` when it holds nothing."""
        runs, marks = self.runs, self.references
        if not marks:
            return (runs[0][1], runs[-1][2]) if runs else (0, 0)
        start, end = marks[0].start, marks[-1].end
        return (min(start, runs[0][1]), max(end, runs[-1][2])) if runs else (start, end)


def _covers(spans: list[tuple[int, int]], at: int) -> bool:
    """Whether `at` lies in one of the spans, which are in order and apart."""
    before = bisect_right(spans, at, key=itemgetter(0)) - 1
    return before >= 0 and at < spans[before][1]


@value_class
class Span:
    """A footnote definition (with its label) or an HTML block, `[start, end)` in the page."""

    start: int
    end: int
    label: str = ""


@value_class
class Body:
    """The blocks of a page in order, its footnote definitions, its HTML blocks."""

    blocks: tuple[Block, ...]
    definitions: tuple[Span, ...]
    html: tuple[Span, ...]
