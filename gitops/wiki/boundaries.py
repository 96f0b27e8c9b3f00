"""Where a text may be cut without cutting a word or a number in two."""

from __future__ import annotations

import re
import unicodedata

from gitops.wiki.late import late

# Scripts whose words have no space between them, or (Hangul) take their particles without one: Thai, Lao, Tibetan,
# Myanmar, Khmer, Kana, Bopomofo, Han, Hangul. In them any place may be a boundary.
UNSPACED = (
    "\u0e00-\u0fff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u318f\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\U0001b000-\U0001b16f"
    "\U00020000-\U0003ffff"
)
WORD_CHARACTER = rf"[^\W_{UNSPACED}]"
"""A letter or digit of a script that puts spaces between words, as a regular expression."""

_UNSPACED = late(f"[{UNSPACED}]")
_END_OF_WORD = late(rf"[\W_{UNSPACED}]")
_APOSTROPHES = "'’"
_SEPARATORS = ".,"
_MINUS = "-\u2212"
GROUPING_SPACES = "\u00a0\u2007\u2009\u202f"
"""What groups digits besides separators. A plain space parts two numbers as often."""
_GROUPS = re.compile(rf"(?<!\d)(?<!\d[.,])\d{{1,3}}(?:[{GROUPING_SPACES}]\d{{3}})+(?!\d)")
_LONGEST_NUMBER = 32


def is_word(character: str) -> bool:
    """Whether a character is part of a word in a script that puts spaces between words."""
    if character.isascii():
        return character.isalnum()
    if _UNSPACED.match(character):
        return False
    return character.isalnum() or unicodedata.category(character).startswith("M")


def begins_inside(text: str, offset: int) -> bool:
    """Whether a slice from `offset` begins inside a word, a contraction (can't) or a number (1,180; 3.5; -5; .5)."""
    if not 0 < offset < len(text):
        return False
    if text[offset] in _SEPARATORS:
        return text[offset - 1].isdigit() and text[offset + 1 : offset + 2].isdigit()
    if not is_word(text[offset]):
        return False
    left, right = text[offset - 1], text[offset]
    before = text[offset - 2] if offset > 1 else " "
    if left in _MINUS and right.isdigit():
        return before.isspace() or before == "("
    if left == "." and right.isdigit() and (before.isspace() or before in "(-\u2212"):
        return True
    return is_word(left) or _continues(before, left, right) or _groups(text, offset - 1)


def ends_inside(text: str, offset: int) -> bool:
    """Whether a slice up to `offset` ends inside a word, a contraction or a number."""
    if not 0 < offset < len(text) or not is_word(text[offset - 1]):
        return False
    left, right = text[offset - 1], text[offset]
    if is_word(right) or _groups(text, offset):
        return True
    return offset + 1 < len(text) and _continues(left, right, text[offset + 1])


def whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """The slice widened until it cuts nothing, by some 64 characters on either side at most."""
    lowest, highest = start - 64, end + 64
    while start > lowest and begins_inside(text, start):
        start -= 2 if _is_joined(text, start) else 1
    while end < highest and ends_inside(text, end):
        end += 1 if is_word(text[end]) else 2
    return start, end


def _is_joined(text: str, offset: int) -> bool:
    """Whether a mark inside the word or number stands before the offset, and more of it before the mark."""
    return not is_word(text[offset - 1]) and offset > 1 and is_word(text[offset - 2])


def _continues(before: str, mark: str, after: str) -> bool:
    if before.isdigit() and after.isdigit():
        return mark in _SEPARATORS or mark in _APOSTROPHES
    return mark in _APOSTROPHES and all(character.isalpha() and is_word(character) for character in (before, after))


def _groups(text: str, offset: int) -> bool:
    """Whether the space at the offset groups the digits of one number: `1 180`, with a space that breaks no line."""
    if text[offset] not in GROUPING_SPACES:
        return False
    around = text[max(0, offset - _LONGEST_NUMBER) : offset + _LONGEST_NUMBER]
    at = min(offset, _LONGEST_NUMBER)
    return any(found.start() < at < found.end() for found in _GROUPS.finditer(around))


def word_end(text: str, offset: int) -> int:
    """The first offset at or after `offset` that is not inside a run of word characters."""
    found = _END_OF_WORD.search(text, offset)
    return found.start() if found else len(text)
