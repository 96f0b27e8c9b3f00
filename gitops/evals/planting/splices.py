"""A few characters of a text replaced."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import TypeVar

Item = TypeVar("Item")
Splice = tuple[int, int, str]
"""`[start, end)` in code points, and what stands there instead."""


def spliced(text: str, splices: Iterable[Splice]) -> str:
    """A text with some of it replaced."""
    for start, end, new in sorted(splices, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def in_any_order(items: Iterable[Item], chance: random.Random) -> list[Item]:
    """The same items in a random order."""
    every = list(items)
    return chance.sample(every, len(every))


def cased(new: str, old: str) -> str:
    """A text that begins with a capital where another does."""
    return new[:1].upper() + new[1:] if old[:1].isupper() else new
