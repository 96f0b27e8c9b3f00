"""The lines of a source: labels that begin them, which part a paragraph, and the numbers before items."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from gitops.agents.writers.document import Sentence
from gitops.wiki.prose import folded

_NUMBER = re.compile(r"[ \t]*(\d{1,2})[.)][ \t]+(?:\*\*|__|\*|_)?")
_LABELLED = re.compile(r"(?:\*\*|__)?[A-Z][A-Za-z'/() -]{1,30}?(?:\*\*|__)?\s*:(?:\*\*|__)?(?=\s)")
_LINK = re.compile(r"\[([^\]\n]*)\]\([^)\n]*\)")
_MARKS = re.compile(r"\*\*|__|`")
_BULLET = re.compile(r"[ \t>]*(?:[-*+]|\d{1,2}[.)])[ \t]+")


def by_label(text: str, sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """Sentences, those parted that have lines of `Label: value` in them: a paragraph of such lines is no one sentence.

    All but the first of them follow it in its block.
    """
    for one in sentences:
        pieces = list(_pieces(text, one))
        yield from [one] if len(pieces) < 2 else pieces


def steps(text: str, sentences: Sequence[Sentence]) -> list[Sentence]:
    """The numbered items among sentences, by their numbers where these are a series, else as they stand."""
    found = [(number, one) for one in sentences if (number := _number(text, one)) is not None]
    numbers = [number for number, _ in found]
    if sorted(numbers) == list(range(1, len(numbers) + 1)):
        found.sort(key=lambda each: each[0])
    return [one for _, one in found]


def of_span(text: str, start: int, end: int, like: Sentence, ordinal: int) -> Sentence:
    """What stands at `[start, end)` as a sentence of the section and block of another, its marks left out."""
    piece = text[start:end]
    start, end = start + len(piece) - len(piece.lstrip()), end - (len(piece) - len(piece.rstrip()))
    quote = folded(text[start:end])
    words = folded(_MARKS.sub("", _LINK.sub(r"\1", quote)))
    return Sentence(words, quote, start, end, like.section, like.block, ordinal)


def _pieces(text: str, one: Sentence) -> Iterator[Sentence]:
    """The pieces of a sentence that begin with its labelled lines."""
    begins = [one.start]
    at = text.find("\n", one.start, one.end)
    while at >= 0:
        line = at + 1
        bullet = _BULLET.match(text, line, one.end)
        first = bullet.end() if bullet else line
        if _LABELLED.match(text, first, one.end):
            begins.append(first)
        at = text.find("\n", line, one.end)
    for number, (start, end) in enumerate(zip(begins, [*begins[1:], one.end], strict=True)):
        yield of_span(text, start, end, one, one.ordinal or min(number, 1))


def _number(text: str, sentence: Sentence) -> int | None:
    """The number before a sentence that begins a numbered item."""
    if sentence.ordinal:
        return None
    begin = text.rfind("\n", 0, sentence.start) + 1
    found = _NUMBER.match(text, begin)
    return int(found[1]) if found and found.end() - 2 <= sentence.start <= found.end() else None
