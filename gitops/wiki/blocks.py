"""A page's body as blocks of visible text, in which every character knows where it stands in the page."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field


@dataclass(slots=True, eq=False)
class Reference:
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


@dataclass(slots=True, eq=False)
class Block:
    """A paragraph, heading, item, cell or quote; its visible text without footnote marks, tags and images.

    Breaks of a line are one space. `leads` are the blocks that lead in to the lists around it, outermost first.
    `definition` is the footnote definition it lies in, -1 for none; `table`, `row` and `column` place a cell.
    """

    kind: str
    definition: int = -1
    leads: tuple[Block, ...] = ()
    level: int = 0
    table: int = -1
    row: int = -1
    column: int = -1
    is_lead: bool = False
    text: str = ""
    ats: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    codes: list[tuple[int, int]] = field(default_factory=list)
    struck: list[tuple[int, int]] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    links: list[InlineLink] = field(default_factory=list)
    length: int = 0
    _pieces: list[str] = field(default_factory=list)

    def add(self, value: str, start: int, end: int) -> None:
        """Append visible text that stands at `[start, end)` in the page; `finish` makes `text` of it."""
        self.ats.append(self.length)
        self.starts.append(start)
        self.ends.append(end)
        self._pieces.append(value)
        self.length += len(value)

    def finish(self) -> None:
        """Everything visible has been added."""
        self.text = "".join(self._pieces)
        self._pieces.clear()

    def start_of(self, at: int) -> int:
        """Where the visible character `at` begins in the page."""
        run = bisect_right(self.ats, at) - 1
        start, end = self.starts[run], self.ends[run]
        next_at = self.ats[run + 1] if run + 1 < len(self.ats) else len(self.text)
        return start + at - self.ats[run] if end - start == next_at - self.ats[run] else start

    def end_of(self, until: int) -> int:
        """Where the visible character before `until` ends in the page."""
        run = bisect_right(self.ats, until - 1) - 1
        start, end = self.starts[run], self.ends[run]
        next_at = self.ats[run + 1] if run + 1 < len(self.ats) else len(self.text)
        return start + until - self.ats[run] if end - start == next_at - self.ats[run] else end

    def is_code(self, at: int) -> bool:
        """Whether the visible character `at` stands in a code span."""
        before = bisect_right(self.codes, (at, len(self.text))) - 1
        return before >= 0 and at < self.codes[before][1]

    def is_struck(self, at: int) -> bool:
        """Whether the visible character `at` is struck out."""
        return any(start <= at < until for start, until in self.struck)

    def at_of(self, point: int) -> int:
        """The first visible character that begins at or after a code point of the page."""
        run = bisect_right(self.starts, point) - 1
        if run < 0:
            return 0
        next_at = self.ats[run + 1] if run + 1 < len(self.ats) else len(self.text)
        return min(self.ats[run] + point - self.starts[run], next_at)

    @property
    def extent(self) -> tuple[int, int]:
        """From the first to the last thing in it, in the page; `(0, 0)` when it holds nothing."""
        first = [self.starts[0]] if self.starts else []
        last = [self.ends[-1]] if self.ends else []
        first += [mark.start for mark in self.references[:1]]
        last += [mark.end for mark in self.references[-1:]]
        return (min(first), max(last)) if first else (0, 0)


@dataclass(frozen=True, slots=True)
class Span:
    """A footnote definition (with its label) or an HTML block, `[start, end)` in the page."""

    start: int
    end: int
    label: str = ""


@dataclass(frozen=True, slots=True)
class Body:
    """The blocks of a page in order, its footnote definitions, its HTML blocks."""

    blocks: tuple[Block, ...]
    definitions: tuple[Span, ...]
    html: tuple[Span, ...]
