"""Whether a text is English, which alone the offline judge was tuned on."""

from __future__ import annotations

import unicodedata

from gitops.verify.judging.lexicon import FOREIGN, FUNCTION
from gitops.verify.judging.words import TOKEN, shapes

_LOOKED_AT = 1000
"""Characters looked at: what a text is written in shows at its beginning."""
_LATIN = 0.7
"""The share of its letters that must be Latin."""


def unreadable(text: str) -> str:
    """Why a text cannot be judged; nothing where it can."""
    beginning = text[:_LOOKED_AT]
    if not beginning.isascii():
        letters = [letter for letter in beginning if letter.isalpha()]
        latin = sum(letter.isascii() or "LATIN" in unicodedata.name(letter, "") for letter in letters)
        if latin < _LATIN * len(letters):
            return "written in another script than Latin"
    words = [shapes(word)[0] for word in TOKEN.findall(beginning)]
    foreign = sum(word in FOREIGN and word not in FUNCTION for word in words)
    english = sum(word in FUNCTION and word not in FOREIGN for word in words)
    if foreign >= 2 and foreign > english:
        return "not English"
    return ""
