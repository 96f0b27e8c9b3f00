r"""Where formulas stand in a block: what looks like a link or a footnote there is mathematics."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from operator import itemgetter

from gitops.wiki.blocks import Block

# By pandoc's rule, `$` has no space inside and no digit after it. Neither `\(` nor `\[` runs past another of its
# kind, so that a page of openings alone is read in linear time.
_DOLLARS = r"\$\$.+?\$\$|(?<![\\$])\$(?![\s$])[^$\r\n]*?(?<![\s\\$])\$(?![\d$])"
_BRACKETS = r"(?<!\\)\\\[(?:[^\\]|\\[^\[\]])*\\\]|(?<!\\)\\\((?:[^\\]|\\[^()])*\\\)"
_FORMULA = re.compile(f"{_DOLLARS}|{_BRACKETS}", re.DOTALL)


def find_formulas(block: Block, text: str) -> tuple[tuple[int, int], ...]:
    r"""Where `$…$`, `$$…$$`, `\(…\)` and `\[…\]` stand in the page, in order and apart."""
    # Asked of every block with a link or a mark, and hardly a page has any.
    if "$" not in block.text and "\\" not in text:
        return ()
    start, end = block.extent
    if text[start - 1 : start] == "\\":
        start -= 1  # what is escaped begins behind its backslash
    if block.text.count("$") < 2 and text.find("\\[", start, end) < 0 and text.find("\\(", start, end) < 0:
        return ()
    return tuple(found.span() for found in _FORMULA.finditer(text, start, end))


def within(point: int, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether `point` lies in one of the spans, which are in order and apart."""
    before = bisect_right(spans, point, key=itemgetter(0)) - 1
    return before >= 0 and point < spans[before][1]


def start_of(point: int, spans: Sequence[tuple[int, int]]) -> int:
    """Where the span begins that `point` lies in; it lies in one."""
    return spans[bisect_right(spans, point, key=itemgetter(0)) - 1][0]


def is_escaped(text: str, at: int) -> bool:
    """Whether an odd number of backslashes stands before `at`."""
    count = 0
    while at > count and text[at - count - 1] == "\\":
        count += 1
    return count % 2 == 1
