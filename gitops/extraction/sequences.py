"""Two sequences of ids beside each other: their longest common subsequence."""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz.distance import LCSseq


def common(first: Sequence[str], second: Sequence[str]) -> list[tuple[int, int]]:
    """The places, in the first and in the second, of what both have in the same order: as many as there can be.

    Bit-parallel (Hyyrö, SPIRE 2004), for a hostile file has thousands of stages. Of several subsequences of that
    length always the same one.
    """
    numbers: dict[str, int] = {}  # an int is its own hash, by which they are compared
    one, other = ([numbers.setdefault(each, len(numbers)) for each in side] for side in (first, second))
    blocks = LCSseq.editops(one, other).as_matching_blocks()
    return [(block.a + at, block.b + at) for block in blocks for at in range(block.size)]
