"""Words marked in a text: those of a claim that lack support, those of a source that the claim has too."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gitops.report.visible import visible

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text, and how it is marked: `found` in the source, `lack` of support, or not at all."""

    text: str
    mark: str = ""


def lacking(claim: str, words: Sequence[str]) -> tuple[Piece, ...]:
    """A claim with the words marked that lack support, each where it comes next."""
    made: list[Piece] = []
    at = 0
    for word in words:
        start = claim.find(word, at) if word else -1
        if start < 0:
            continue
        made += [Piece(visible(claim[at:start])), Piece(visible(word), "lack")]
        at = start + len(word)
    return tuple(piece for piece in (*made, Piece(visible(claim[at:]))) if piece.text)


def shared(span: str, claim: str) -> tuple[Piece, ...]:
    """A span of a source with the words marked that the claim has too, in whatever form."""
    from gitops.runs.excerpts import key, marked
    from gitops.wiki.searchwords import asked

    made: list[Piece] = []
    at = 0
    for start, end in marked(span, frozenset(map(key, asked(claim)))):
        made += [Piece(visible(span[at:start])), Piece(visible(span[start:end]), "found")]
        at = end
    return tuple(piece for piece in (*made, Piece(visible(span[at:]))) if piece.text)


def differing(text: str, other: str) -> tuple[Piece, ...]:
    """A text with the numbers marked that another does not have."""
    numbers = _NUMBER.findall(other)
    return lacking(text, [number for number in _NUMBER.findall(text) if number not in numbers])
