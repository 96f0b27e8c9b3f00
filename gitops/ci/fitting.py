"""Blocks of Markdown made to fit: what is spared is whole lines, and how many is said."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Block:
    """Lines of which the last may be spared, under a head that stays."""

    head: str = ""
    lines: tuple[str, ...] = ()
    opening: str = ""
    """What stands right above the lines, and only with them: the head of a table."""
    counts: tuple[int, ...] = ()
    """How many each line tells of; one each, where nothing is said."""
    more: int = 0
    """So many there are besides the lines."""
    spared: int = 0
    """The higher, the earlier its lines are spared; nought: never."""


def fitted(blocks: Sequence[Block], most: int, elsewhere: str, size: Callable[[str], int] = len) -> str:
    """The blocks with an empty line between each and the next, at most so large; `elsewhere` says who has the rest.

    Lines are spared of one block after the other. What may not be spared is the caller's to keep small.
    """
    kept = [len(block.lines) for block in blocks]

    def made() -> str:
        parts = [_told(block, count, elsewhere) for block, count in zip(blocks, kept, strict=True)]
        return "\n\n".join(part for part in parts if part) + "\n"

    for at in sorted(range(len(blocks)), key=lambda at: -blocks[at].spared):
        if blocks[at].spared and size(made()) > most:
            kept[at] = _most_that_fit(kept, at, lambda: size(made()) <= most)
    return made()


def _most_that_fit(kept: list[int], at: int, fits: Callable[[], bool]) -> int:
    """The greatest number of lines with which the whole fits, given that all of them are too many; or none."""
    low, high = 0, kept[at]
    while low < high - 1:
        kept[at] = (low + high) // 2
        low, high = (kept[at], high) if fits() else (low, kept[at])
    return low


def _told(block: Block, count: int, elsewhere: str) -> str:
    left = sum(block.counts[count:] or (1,) * len(block.lines[count:])) + block.more
    lines = "\n".join(part for part in (block.opening, *block.lines[:count]) if part) if count else ""
    more = f"*{'and ' if count else ''}{left:,} {'more' if count else 'left out'}: {elsewhere}*" if left else ""
    return "\n\n".join(part for part in (block.head, lines, more) if part)
