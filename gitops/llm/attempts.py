"""Counts the attempts at a call that were sent and never answered: the SDK repeats them, and they cost all the same."""

from __future__ import annotations

import threading

_LOST = threading.local()


def begin() -> None:
    """A call begins in this thread."""
    _LOST.count = 0


def lose() -> None:
    """An attempt of this thread's call was sent and brought no answer."""
    _LOST.count = lost() + 1


def lost() -> int:
    """How many attempts of this thread's call brought no answer."""
    return getattr(_LOST, "count", 0)
