"""Titles in one spelling, by which two atoms without a common id may be the same."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from gitops.wiki.names import fold


@lru_cache(maxsize=65_536)
def normalised(title: str) -> str:
    """A title folded: NFKC, case, and every run of white space, punctuation and controls as one space.

    Symbols stay (C++ is not C). A title that is punctuation and nothing else stays as folded.
    """
    folded = fold(title)
    if folded.isascii() and folded.isalnum():
        return folded
    words = "".join(" " if _parts(character) else character for character in folded)
    return " ".join(words.split()) or folded.strip()


def _parts(character: str) -> bool:
    """Whether a character is punctuation (P), a separator (Z) or a control (C); none of letters, digits, symbols is."""
    return unicodedata.category(character)[0] in "PZC"
