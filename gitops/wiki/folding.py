"""Text folded for matching, with a map back to the text it came from.

`space` folds white space alone: runs of it become one space. `loose` folds away what typesetting and typing
change and meaning does not: white space, case, compatibility forms (ligatures, full width), quotation marks,
invisible characters, and dashes, which are dropped because a dash at a line's end may be hyphenation. `words` drops
all punctuation too, but for the signs of percentages, degrees and currencies. Equal loose text or words are therefore
candidates, not a proof; `leniency` and `wording` decide what was really overlooked.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

Strength = Literal["space", "loose", "words"]

QUOTES = "\"'`´‘’‚‛“”„‟‹›«»「」『』〝〞〟＂＇"
DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff"

_UNEVEN_RUN = re.compile(r" \s+|[^\S ]\s*")
_OVERLOOKED = r"\s" + re.escape(DASHES + INVISIBLE)
_DROPPED = re.compile(f"[{_OVERLOOKED}]+")
_NO_WORD = re.compile(r"(?:[^\w%‰°$€£¥₩]|_)+")
# The decompositions that change how a character looks, not what it says. `super`, `sub`, `fraction` and `circle`
# are not among them: 10² is not 102.
_SAME_MEANING = {"", "compat", "font", "wide", "narrow", "noBreak", "initial", "medial", "final", "isolated"}
_JAMO = "[\u1100-\u115f][\u1160-\u11a7][\u11a8-\u11ff]?"

Piece = tuple[int, int, int]
"""Length in the folded text, then start and end in the source's."""


@dataclass(frozen=True)
class Folded:
    """A text, folded; `span` leads back to the original."""

    text: str
    original: str
    strength: Strength

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where folded `[start, end)` stands in the original; widened to whole characters."""
        if end <= start:
            place = self._character(start)[0] if start < len(self.text) else len(self.original)
            return place, place
        return self._character(start)[0], self._character(end - 1)[1]

    def at(self, offset: int) -> int:
        """The folded offset of the first character that stands at or after an offset of the original."""
        if offset <= 0 or offset >= len(self.original):
            return 0 if offset <= 0 else len(self.text)
        folded, starts, ends = self._pieces
        if not starts or offset <= starts[0]:
            return 0
        piece = bisect_right(starts, offset) - 1
        if offset >= ends[piece]:
            return folded[piece + 1]
        if folded[piece + 1] - folded[piece] == ends[piece] - starts[piece]:
            return folded[piece] + offset - starts[piece]
        return folded[piece] if offset == starts[piece] else folded[piece + 1]

    def _character(self, index: int) -> tuple[int, int]:
        folded, starts, ends = self._pieces
        piece = bisect_right(folded, index) - 1
        if folded[piece + 1] - folded[piece] == ends[piece] - starts[piece]:
            place = starts[piece] + index - folded[piece]
            return place, place + 1
        return starts[piece], ends[piece]

    @cached_property
    def _pieces(self) -> tuple[array[int], array[int], array[int]]:
        """Where each piece starts folded (with the total at the end), and starts and ends in the original.

        Made when first asked for: a text that holds no match never needs it.
        """
        folded, starts, ends = array("q", [0]), array("q"), array("q")
        total = 0
        for length, start, end in _pieces(self.original, self.strength):
            if length:
                total += length
                folded.append(total)
                starts.append(start)
                ends.append(end)
        return folded, starts, ends


def fold(text: str, strength: Strength = "space") -> Folded:
    """Fold a text at a strength; white space at either end is trimmed."""
    folded = " ".join(text.split()) if strength == "space" else base(text, strength)
    return Folded(folded, text, strength)


def base(text: str, strength: Strength = "loose") -> str:
    """The letters, digits and marks of a text at strength `loose` or `words`, without white space and dashes."""
    dropped = _dropped(strength)
    if text.isascii():
        if strength == "words":
            return text.translate(_ASCII_WORDS)
        return dropped.sub("", text).lower().translate(_ASCII_MARKS)
    alphabet = _alphabet(text, dropped)
    if clusters := _clusters(text):
        text = clusters.sub(lambda cluster: _folded_form(cluster[0]), text)
    return dropped.sub("", text).translate(alphabet)


def _dropped(strength: Strength) -> re.Pattern[str]:
    return _NO_WORD if strength == "words" else _DROPPED


def _pieces(text: str, strength: Strength) -> Iterator[Piece]:
    return _space_pieces(text) if strength == "space" else _loose_pieces(text, strength)


def _space_pieces(text: str) -> Iterator[Piece]:
    stop = len(text.rstrip())
    place = min(stop, len(text) - len(text.lstrip()))
    for run in _UNEVEN_RUN.finditer(text, place, stop):
        yield run.start() - place, place, run.start()
        yield 1, run.start(), run.end()
        place = run.end()
    yield stop - place, place, stop


def _loose_pieces(text: str, strength: Strength) -> Iterator[Piece]:
    dropped = _dropped(strength)
    uneven = _uneven(text, dropped)
    place = 0
    for found in uneven.finditer(text):
        yield found.start() - place, place, found.start()
        if not dropped.match(found[0]):
            yield len(base(found[0], strength)), found.start(), found.end()
        place = found.end()
    yield len(text) - place, place, len(text)


def _uneven(text: str, dropped: re.Pattern[str]) -> re.Pattern[str]:
    """What does not fold one character to one: dropped runs, ligatures and the like, decomposed letters."""
    if text.isascii():
        return dropped
    wide = "".join(re.escape(chr(c)) for c, folded in _alphabet(text, dropped).items() if len(folded) != 1)
    clusters = _clusters(text)
    parts = [dropped.pattern, *([clusters.pattern] if clusters else []), *([f"[{wide}]"] if wide else [])]
    return re.compile("|".join(parts))


def _clusters(text: str) -> re.Pattern[str] | None:
    """Letters with their combining marks, or Hangul in pieces, when a text has them uncomposed."""
    if unicodedata.is_normalized("NFC", text):
        return None
    marks = "".join(re.escape(c) for c in sorted(set(text)) if unicodedata.combining(c))
    return re.compile(f"[^{_OVERLOOKED}{marks}][{marks}]+|{_JAMO}" if marks else _JAMO)


def _alphabet(text: str, dropped: re.Pattern[str]) -> dict[int, str]:
    return {ord(c): folded_character(c) for c in set(text) if not dropped.match(c)}


def _folded_form(cluster: str) -> str:
    return "".join(map(folded_character, unicodedata.normalize("NFC", cluster)))


@lru_cache(maxsize=16_384)
def folded_character(character: str) -> str:
    """One character at strength `loose`: case folded, in its compatible form, quotation marks all one."""
    return "'" if character in QUOTES else compatible(character).casefold()


def compatible(character: str) -> str:
    """NFKC of one character, where that keeps its meaning: ﬁ is fi, Ａ is A, but ² stays ² and ½ stays ½."""
    decomposition = unicodedata.decomposition(character)
    tag = decomposition[1 : decomposition.index(">")] if decomposition.startswith("<") else ""
    plain = unicodedata.normalize("NFKC", character)
    if tag not in _SAME_MEANING or plain.isspace() or " " in plain:
        return character
    return character if len(plain) > 1 and any(map(str.isdigit, plain)) else plain


_ASCII_MARKS = {ord(mark): "'" for mark in QUOTES if mark.isascii()}
_ASCII_WORDS = {code: chr(code).lower() if chr(code).isalnum() or chr(code) in "%$" else None for code in range(128)}
