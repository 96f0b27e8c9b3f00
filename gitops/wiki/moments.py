"""Time stamps of a transcript, and what is said at a moment of the recording."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

TOLERANCE = 15
"""Seconds before and after a cited moment that still hold what is said there."""

_STAMP = re.compile(
    r"(?<![\d:.])(?:(\d{1,2}):)?(\d{1,3}):([0-5]\d)(?:[.,]\d{1,3})?(?![\d:]|\s*(?:[ap]\.?m\b|Uhr))", re.IGNORECASE
)
_BEFORE_STAMP = re.compile(r"[\s>#*_-]*[\[(]?")
_AFTER_STAMP = re.compile(r"[\])*_]{1,6}[ \t\r]*(?:\n|\Z)")
_NEAR = 300


@dataclass(frozen=True, slots=True)
class Stamp:
    """A time stamp, in seconds from the start of the recording."""

    seconds: int
    start: int


@lru_cache(maxsize=64)
def stamps(text: str) -> tuple[Stamp, ...]:
    """The time stamps that begin or end a line, or stand in brackets; those of running text are none."""
    found = []
    for match in _STAMP.finditer(text):
        start = match.start()
        line = text.rfind("\n", max(0, start - _NEAR), start) + 1 or max(0, start - _NEAR)
        is_first = start - line < _NEAR and _BEFORE_STAMP.fullmatch(text, line, start)
        is_last = text[match.end() : match.end() + 1] in (")", "]") and _AFTER_STAMP.match(text, match.end())
        if is_first or is_last or text[max(0, start - 1) : start] in ("[", "*"):
            hours, minutes, seconds = (int(part or 0) for part in match.groups())
            at = line if is_first or is_last else start
            found.append(Stamp(hours * 3600 + minutes * 60 + seconds, at))
    return tuple(found)


def said_at(first: int, last: int, known: Sequence[Stamp], stop: int) -> Iterator[tuple[int, int]]:
    """Where it is said: from the last stamp at or before the moment to the next, and what begins near by."""
    ends = [*(stamp.start for stamp in known[1:]), stop]
    before = max((stamp.seconds for stamp in known if stamp.seconds <= first), default=known[0].seconds)
    for stamp, end in zip(known, ends, strict=True):
        if stamp.seconds == before or first - TOLERANCE <= stamp.seconds <= last + TOLERANCE:
            yield stamp.start, end


def clock(seconds: int) -> str:
    """Seconds as a person writes them: 5:40, 1:02:03."""
    hours, rest = divmod(seconds, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"
