"""The visible text of HTML blocks: what it says, and references and links in it, which no Markdown reader sees."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from gitops.wiki.blocks import Span
from gitops.wiki.model import Problem
from gitops.wiki.positions import Lines

_HIDDEN = re.compile(r"\[\^([^\[\]\s]+)\]|\[\[[^\[\]\r\n]+\]\]")
_TAG = re.compile(r"<[A-Za-z/!?]")
_RAW_ELEMENTS = ("script", "style", "textarea", "pre", "code", "template")
_TITLES = ("a", "h1", "h2", "h3", "h4", "h5", "h6", "summary", "figcaption", "button", "label")
"""Elements whose text leads somewhere or says what follows, as links and headings of Markdown do."""
_RAW = re.compile(rf"<({'|'.join(_RAW_ELEMENTS)})\b", re.IGNORECASE)
_NOT_PROSE = re.compile(rf"<({'|'.join((*_RAW_ELEMENTS, *_TITLES))})\b", re.IGNORECASE)
_ENDS = {name: re.compile(f"</{name}\\b", re.IGNORECASE) for name in (*_RAW_ELEMENTS, *_TITLES)}


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


def prose(text: str, span: Span) -> tuple[str, int, int] | None:
    """What an HTML block says in prose, and from where to where; None where it says nothing.

    Links, headings and captions are left out, and tags part words.
    """
    found = [(start, end) for start, end in _visible(text, span.start, span.end, _NOT_PROSE) if text[start:end].strip()]
    if not found:
        return None
    return " ".join(unescape(text[start:end]) for start, end in found), found[0][0], found[-1][1]


def _visible(text: str, at: int, end: int, passed: re.Pattern[str] = _RAW) -> Iterator[tuple[int, int]]:
    """The stretches outside tags, comments, and the elements that are passed over. Linear in the block."""
    while at < end:
        opening = text.find("<", at, end)
        if opening < 0:
            yield at, end
            return
        yield at, opening
        at = _after(text, opening, end, passed)


def _after(text: str, opening: int, end: int, passed: re.Pattern[str]) -> int:
    if text.startswith("<!--", opening):
        close = text.find("-->", opening, end)
        return end if close < 0 else close + 3
    if not _TAG.match(text, opening, end):
        return opening + 1
    if named := passed.match(text, opening, end):
        closing = _ENDS[named[1].lower()].search(text, opening, end)
        if closing is None:
            return end
        opening = closing.start()
    close = text.find(">", opening, end)
    return end if close < 0 else close + 1
