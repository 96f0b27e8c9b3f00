"""The dated survivor: how a claim that no longer holds stays on its page, with the day it held.

Two forms, and no others (docs/convergence.md):

    As of 2024-05-01, the mill employs 40 people.[^3]

    > [!superseded] 2024-05-01
    > The mill employs 40 people.[^3]
"""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from gitops.wiki.folding import DASHES, INVISIBLE, QUOTES, compatible
from gitops.wiki.model import Claim

_AS_OF = re.compile(r"\bas of (\d{4}-\d{2}-\d{2})(?![\w-])", re.IGNORECASE)
_HEAD = r"\[!superseded\][+-]?\s+(\d{4}-\d{2}-\d{2})"
_CALLOUT = re.compile(rf"[>\s]*>\s*{_HEAD}\s*", re.IGNORECASE)
_OPENS = re.compile(rf"{_HEAD}(?:\s+|$)", re.IGNORECASE)
"""Markdown knows no callouts: without an empty line between, the head is part of the first sentence."""
_CELL_HEADS = 2
_BREAKS = "—―;!…。，、；：！·"
_BESIDE_DIGITS = ".,:'"
"""Dropped unless digits stand on both sides: 1.5 is not 1,5, and neither is 15."""
_LOOSE_MARK = re.compile(rf"(?<!\d)[{_BESIDE_DIGITS}]|[{_BESIDE_DIGITS}](?!\d)")
_LOOSE_DASH = re.compile(r"(?<!\S)-+(?!\S)")
_TABLE = (
    {ord(mark): "'" for mark in QUOTES}
    | {ord(dash): "-" for dash in DASHES}
    | {ord(mark): " " for mark in _BREAKS}
    | {ord(mark): "" for mark in INVISIBLE}
)


@dataclass(frozen=True, slots=True)
class Said:
    """What makes a claim the same claim wherever it stands.

    `words` are normalised, without what dates them; `day` is the day they held, None for what holds. `heads` are
    the row and column heads of a table cell, whose words alone ("40") would say nothing. What is struck out no
    longer says what it said.
    """

    words: str
    day: str | None = None
    heads: tuple[str, ...] = ()
    is_struck: bool = False


def said(claim: Claim, page_text: str) -> Said:
    """What a claim of a page says, freed of how it is set."""
    head = _OPENS.match(claim.text)
    words = claim.text[head.end() :] if head is not None and _is_day(head[1]) else claim.text
    if (clause := _clause(words)) is not None:
        words = f"{words[: clause.start()]} {words[clause.end() :]}"
    heads = claim.context[:_CELL_HEADS] if claim.block == "cell" else ()
    day = survivor_date(page_text, claim.text, claim.place.start)
    return Said(normalised(words), day, tuple(map(normalised, heads)), claim.is_struck)


def keeps(survivor: Said, old: Said) -> bool:
    """Is this the dated survivor of an old claim? A day that the old one named already stays."""
    same = survivor.words == old.words and survivor.heads == old.heads
    return same and survivor.day is not None and old.day in (None, survivor.day)


def survivor_date(page_text: str, sentence: str, start: int) -> str | None:
    """The day that a sentence (at code point `start` of its page) says it held, or None if it is not dated."""
    clause = _clause(sentence)
    if clause is not None:
        return clause[1]
    for line in _lines_up_from(page_text, start):
        if not line.lstrip().startswith(">"):
            return None
        if (match := _CALLOUT.fullmatch(line)) is not None:
            return match[1] if _is_day(match[1]) else None
    return None


@lru_cache(maxsize=20_000)
def normalised(text: str) -> str:
    """A text's words alone: case, quotation marks, brackets, punctuation and white space say nothing new.

    Digits, signs, decimal marks, currencies, `%`, `#`, `?` and the like say something and stay.
    """
    folded = "".join(map(compatible, unicodedata.normalize("NFC", text))).casefold().translate(_TABLE)
    plain = "".join(" " if unicodedata.category(char) in ("Ps", "Pe", "Pi", "Pf") else char for char in folded)
    return " ".join(_LOOSE_DASH.sub(" ", _LOOSE_MARK.sub(" ", plain)).split())


def _clause(sentence: str) -> re.Match[str] | None:
    return next((found for found in _AS_OF.finditer(sentence) if _is_day(found[1])), None)


def _is_day(text: str) -> bool:
    try:
        datetime.date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _lines_up_from(text: str, start: int) -> Iterator[str]:
    """The line that holds `start`, the one above it, and so on."""
    end = text.find("\n", start)
    end = len(text) if end < 0 else end
    while end >= 0:
        begin = text.rfind("\n", 0, end)
        yield text[begin + 1 : end]
        end = begin
