"""Sentences of sources without mark-up: plain text by paragraphs, PDFs by their lines, web pages by their blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gitops.agents.writers.document import Sentence, shown
from gitops.agents.writers.webpages import Outline
from gitops.wiki.prose import folded, split
from gitops.wiki.source_text import SourceText

_PARAGRAPHS = re.compile(r"[^\n\f]+(?:\n(?![ \t]*\n)[^\n\f]+)*")
_LINES = re.compile(r"[^\n\f]+")
_BROKEN = re.compile(r"(?<![^\W_])([^\W\d_]+)-[ \t\r]*\n[ \t]*([^\W\d_]+)")
_BULLET = re.compile(r"(?:[-*•·–]|\(?\d{1,3}[.)])[ \t]+")
_ENDS = (".", "!", "?", "。", "！", "？", "…", ":", "：", ";", ",", "”", '"', ")")
_ENDS_OF_LINES = tuple(mark for mark in _ENDS if mark not in '")”')
_SHORT_LINE = 60
"""A line of a PDF that is shorter and ends a sentence ends its paragraph."""


def of_web_page(text: str, outline: Outline) -> Iterator[str | Sentence]:
    """Headings (as text) and sentences of the article, in order: each line is a block."""
    section = ""
    for line in _LINES.finditer(text):
        if line[0] in outline.headings:
            section = shown(line[0])
            yield section
        elif line[0] not in outline.apart:
            yield from _sentences(text, line.start(), line.end(), section)


def of_text(source: SourceText, text: str) -> Iterator[str | Sentence]:
    """The same of plain text and PDFs, whose headings are short lines that end no sentence."""
    section = ""
    for found in _PARAGRAPHS.finditer(text):
        for start, end in _blocks(text, found.start(), found.end(), is_pdf=bool(source.page_starts)):
            if _is_heading(text[start:end]):
                section = shown(text[start:end])
                yield section
            else:
                yield from _sentences(text, start, end, section)


def _sentences(text: str, start: int, end: int, section: str) -> Iterator[Sentence]:
    bullet = _BULLET.match(text, start, end)
    begin = bullet.end() if bullet else start
    flat = re.sub(r"\s", " ", text[begin:end])
    for ordinal, (first, last) in enumerate(split(flat)):
        low, high = begin + first, begin + last
        said, quote = folded(_unbroken(text, low, high)), folded(flat[first:last])
        yield Sentence(said, quote, low, high, section, "item" if bullet else "paragraph", ordinal)


def _unbroken(text: str, start: int, end: int) -> str:
    """What stands there, without the breaks of words at ends of lines; the hyphen goes where the text has the word."""

    def joined(broken: re.Match[str]) -> str:
        whole = broken[1] + broken[2]
        is_word = re.search(rf"\b{re.escape(whole)}\b", text, re.IGNORECASE) is not None
        return whole if is_word else f"{broken[1]}-{broken[2]}"

    return _BROKEN.sub(joined, text[start:end])


def _blocks(text: str, start: int, end: int, *, is_pdf: bool) -> Iterator[tuple[int, int]]:
    """The blocks within a paragraph: a list item a line, and the short lines of a PDF that end no sentence."""
    begin = start
    for line in _LINES.finditer(text, start, end):
        opens = line.start() > begin and _BULLET.match(text, line.start()) is not None
        if opens:
            yield begin, line.start() - 1
            begin = line.start()
        if is_pdf and _stands_alone(text, begin, line.start(), line.end()):
            yield begin, line.end()
            begin = line.end()
    if text[begin:end].strip():
        first = begin + len(text[begin:end]) - len(text[begin:end].lstrip())
        yield first, end


def _stands_alone(text: str, begin: int, start: int, end: int) -> bool:
    """Whether a line of a PDF is a block of its own, a heading by its length and end, or ends a paragraph."""
    line = text[start:end].strip()
    is_first = not text[begin:start].strip()
    if is_first and 0 < len(line) <= 72 and not line.endswith(_ENDS_OF_LINES):
        following = text[end + 1 : end + 2]
        return following.isupper() or not following.strip()
    return len(line) < _SHORT_LINE and line.endswith((".", "。"))


def _is_heading(words: str) -> bool:
    line = words.strip()
    if "\n" in line or not 0 < len(line) <= 80 or line.endswith(_ENDS) or _BULLET.match(line):
        return False
    return line[0].isupper() or not line[0].isascii()
