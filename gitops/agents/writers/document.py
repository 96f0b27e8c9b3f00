"""A source as a writer sees it: what it is called, its headings, its sentences with their places."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gitops.errors import CannotRun
from gitops.wiki.late import late
from gitops.wiki.prose import folded

HIDDEN = late("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e01ef]")
"""Characters that nobody sees: what holds them is not taken over."""
_SYMBOLS = late("[\u2190-\u27bf\u2b00-\u2bff\ufe0f\u200d\U0001f000-\U0001faff]")
_LABEL = re.compile(r"(?:Q(?:uestion)?|Frage|\d+(?:\.\d+)*)[.:)]\s+", re.IGNORECASE)
_STAMP = re.compile(r"\s*[(\[]?\b\d{1,3}:\d\d(?::\d\d)?\b[)\]]?\s*$")
LONGEST_HEADING = 110
"""Characters of a heading; what is longer is cut where it is shown."""


class Unreadable(CannotRun):
    """One source has nothing in it to write from; others may."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a source: its words as a reader sees them, and the code points `[start, end)` they stand at.

    `quote` is what stands there, with each run of white space as one space. `section` is the heading it stands
    under, '' before the first. `block` is paragraph, item or quote; `ordinal` counts the sentences of its block from 0.
    """

    text: str
    quote: str
    start: int
    end: int
    section: str = ""
    block: str = "paragraph"
    ordinal: int = 0


@dataclass(frozen=True, slots=True)
class Document:
    """What a source is called, its headings in order, and its sentences."""

    title: str
    headings: tuple[str, ...]
    sentences: tuple[Sentence, ...]


def shown(heading: str) -> str:
    """A heading without emoji, number, `Q:` and time stamp: what a page can be called."""
    words = folded(_SYMBOLS.sub(" ", HIDDEN.sub("", heading))).strip("*_#` ")
    words = _STAMP.sub("", _LABEL.sub("", words, count=1)).strip()
    return words if len(words) <= LONGEST_HEADING else words[:LONGEST_HEADING].rsplit(" ", 1)[0] + " …"
