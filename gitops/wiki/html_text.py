"""References and links that stand in an HTML block's visible text, where no Markdown reader sees them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gitops.wiki.blocks import Span
from gitops.wiki.model import Problem
from gitops.wiki.positions import Lines

_HIDDEN = re.compile(r"\[\^([^\[\]\s]+)\]|\[\[[^\[\]\r\n]+\]\]")
_TAG = re.compile(r"<[A-Za-z/!?]")
_RAW_ELEMENTS = ("script", "style", "textarea", "pre", "code", "template")
_RAW = re.compile(rf"<({'|'.join(_RAW_ELEMENTS)})\b", re.IGNORECASE)
_ENDS = {name: re.compile(f"</{name}", re.IGNORECASE) for name in _RAW_ELEMENTS}


def hidden(text: str, span: Span, lines: Lines) -> Iterator[tuple[str, Problem]]:
    """The label ('' for a link) and the problem of each reference or `[[link]]` that an HTML block hides."""
    if text.find("[^", span.start, span.end) < 0 and text.find("[[", span.start, span.end) < 0:
        return
    for start, end in _visible(text, span.start, span.end):
        for found in _HIDDEN.finditer(text, start, end):
            what = "footnote reference" if found[1] else "link"
            told = f"the {what} {found[0]} stands in an HTML block, where it is shown as it is written"
            place = lines.place(found.start(), found.end())
            yield found[1] or "", Problem("hidden_in_html", told, place, "set blank lines around the HTML tags")


def _visible(text: str, at: int, end: int) -> Iterator[tuple[int, int]]:
    """The stretches outside tags, comments, and elements whose text is code. Linear in the block."""
    while at < end:
        opening = text.find("<", at, end)
        if opening < 0:
            yield at, end
            return
        yield at, opening
        at = _after(text, opening, end)


def _after(text: str, opening: int, end: int) -> int:
    if text.startswith("<!--", opening):
        close = text.find("-->", opening, end)
        return end if close < 0 else close + 3
    if not _TAG.match(text, opening, end):
        return opening + 1
    if named := _RAW.match(text, opening, end):
        closing = _ENDS[named[1].lower()].search(text, opening, end)
        return closing.start() + 2 if closing else end
    close = text.find(">", opening, end)
    return end if close < 0 else close + 1
