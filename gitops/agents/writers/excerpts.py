"""Where a quotation from Markdown begins and ends: with whole words, and with both marks of a pair or with none."""

from __future__ import annotations

import re

_OPENING = re.compile(r"(?<!\\)(?:\*{1,3}|_{1,3}|\[)+$")
_CLOSING = re.compile(r"(?:\*{1,3}|_{1,3}|\]\([^()\s]*\)|\]\[[^\[\]\n]*\])+")
_ESCAPED = re.compile(r"\\[^\w\s]")
_LINK = re.compile(r"\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\)")
_STRONG, _EMPHASIS = re.compile(r"\*\*|__"), re.compile(r"\*|(?<![^\W_])_|_(?![^\W_])")
_MOST_MARKS = 12


def whole(text: str, start: int, end: int) -> tuple[int, int]:
    """`[start, end)` with the marks right before and behind it as far as they are of pairs that stand within it.

    What opens before a sentence and closes behind the next is of neither: then the words alone are quoted.
    """
    opening = _OPENING.search(text, max(0, start - _MOST_MARKS), start)
    closing = _CLOSING.match(text, end)
    low = opening.start() if opening else start
    high = closing.end() if closing else end
    ways = ((low, high), (low, end), (start, high), (start, end))
    return next((way for way in ways if _is_paired(text[slice(*way)])), (start, end))


def _is_paired(excerpt: str) -> bool:
    """Are there as many marks that open as such that close?"""
    plain = _LINK.sub("]", _ESCAPED.sub("", excerpt))
    if plain.count("[") != plain.count("]"):
        return False
    single, strong = _STRONG.subn("", plain)
    return strong % 2 == 0 and len(_EMPHASIS.findall(single)) % 2 == 0
