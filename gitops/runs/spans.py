"""Spans of time as people write them: `30d`, `12w`, `48h`, or the day that something began."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_UNITS = {"h": "hours", "d": "days", "w": "weeks"}
_MOST = 100_000
HINT = "30d, 12w, 48h, or 2026-03-01"


def length(text: str) -> timedelta:
    """A span that a policy names, `7d`: a whole number and its unit, already checked."""
    return timedelta(**{_UNITS[text[-1]]: int(text[:-1])})


def span(text: str) -> datetime | timedelta:
    """A span before now, or the beginning of a day (UTC). ValueError for what is neither."""
    number, unit = text[:-1], text[-1:]
    if unit in _UNITS and number.isascii() and number.isdigit() and 0 < int(number) < _MOST:
        return length(text)
    return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
