"""Whether a text can hold a quotation, told from a few hundred bytes: so that ten thousand need not be searched.

A Bloom filter of the text's words (Bloom 1970, one hash): it may say yes where the answer is no, and no only where so
many of the quotation's words are missing that no leniency would find it.
"""

from __future__ import annotations

import re

_BITS = 1 << 14
_WORD = re.compile(r"[a-z0-9]{4,}")
_FEWEST = 3
"""Of fewer telling words nothing is concluded."""


def marks(text: str) -> int:
    """The marks of a text's words of four and more ASCII letters and digits; other scripts leave none."""
    bits = bytearray(_BITS // 8)
    for word in set(_WORD.findall(text.lower())):
        place = hash(word) & (_BITS - 1)
        bits[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(bits, "little")


def may_hold(marked: int, quote: str) -> bool:
    """Can a text with these marks hold the quotation? A hyphenated word, or a few with ligatures, may be missing."""
    words = set(_WORD.findall(quote.lower()))
    if len(words) < _FEWEST:
        return True
    missing = sum(1 for word in words if not marked >> (hash(word) & (_BITS - 1)) & 1)
    return missing <= 1 + len(words) // 5
