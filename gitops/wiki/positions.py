"""Places in a page's text: from bytes to code points, and from code points to lines and columns."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate, count
from operator import add

from gitops.wiki.model import Place

_LINE_END = re.compile(r"\r\n?|\n")


class _Later(Place):
    """A place that looks up its lines and column when one of them is first asked for."""

    __slots__ = ("_lines",)

    def __init__(self, start: int, end: int, lines: Lines) -> None:
        self.start = start
        self.end = end
        self._lines = lines

    def __getattr__(self, name: str) -> int:
        """Called for a slot that is still empty."""
        if name not in ("line", "column", "end_line"):
            raise AttributeError(name)
        self.line, self.column, self.end_line = self._lines.numbers(self.start, self.end)
        return int(getattr(self, name))

    def __reduce__(self) -> tuple[type[Place], tuple[int, ...]]:
        return Place, (self.start, self.end, self.line, self.column, self.end_line)


class Lines:
    """The lines of one text; LF, CRLF and a lone CR end one, as CommonMark 0.31 §2.1 has it."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts: list[int] = []

    def place(self, start: int, end: int) -> Place:
        """Where `[start, end)` stands; both are code points into the text."""
        return _Later(start, end, self)

    def numbers(self, start: int, end: int) -> tuple[int, int, int]:
        """The line and column of `[start, end)`, and the line it ends on, each from 1."""
        starts = self._starts or self._find()
        line = bisect_right(starts, start)
        end_line = line
        if line < len(starts) and end > starts[line]:
            end_line = bisect_right(starts, end - 1)
        return line, start - starts[line - 1] + 1, end_line

    def start_of(self, line: int) -> int:
        """The code point where a line (from 1) begins; the last line's when there are not so many."""
        starts = self._starts or self._find()
        return starts[max(0, min(line, len(starts)) - 1)]

    def _find(self) -> list[int]:
        if "\r" in self._text:
            self._starts = [0, *(match.end() for match in _LINE_END.finditer(self._text))]
        else:
            # The lengths of the lines, summed, and one more for each line feed: no loop of Python's own.
            lengths = map(len, self._text.split("\n"))
            self._starts = list(map(add, accumulate(lengths, initial=0), count()))
            self._starts.pop()
        return self._starts


def code_points(body: str, base: int) -> Callable[[int], int]:
    """A function from UTF-8 byte offsets in `body` to code points, counted from `base`.

    It remembers where it was last asked and counts from there, so that a pass over offsets that mostly
    grow is linear in the text.
    """
    if body.isascii():
        return base.__add__
    data = body.encode()
    at_byte, at_point = 0, base

    def point(byte: int) -> int:
        nonlocal at_byte, at_point
        if byte >= at_byte:
            at_point += len(data[at_byte:byte].decode())
        else:
            at_point -= len(data[byte:at_byte].decode())
        at_byte = byte
        return at_point

    return point
