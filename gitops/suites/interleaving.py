"""In which order the variants of an ablation are measured: side by side, so that drift hits all alike.

A block is one case of one repeat: all variants are asked it one after the other. So what drifts between blocks (a
machine that gets busier, a model that is changed by whoever serves it) is the same for all of them, and drops out of
their differences. Within a block places rotate: over as many repeats, or cases, as there are variants each of them has
had each place once (a Latin square; Fisher, The Design of Experiments (1935)), so that what drifts within blocks hits
all alike too. Which variant begins is drawn by a seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random


@dataclass(frozen=True, slots=True)
class Slot:
    """One trial: which variant is asked which case, both by their number, in which repeat, from 0."""

    variant: int
    case: int
    repeat: int


def interleaved(variants: int, cases: int, repeats: int, seed: int = 0) -> list[Slot]:
    """Every variant, case and repeat once, block by block, in the order in which they are to be measured."""
    return list(_slots(variants, cases, repeats, Random(seed)))


def _slots(variants: int, cases: int, repeats: int, draw: Random) -> Iterator[Slot]:
    squares = [draw.sample(range(variants), variants) for _ in range(-(-cases // max(variants, 1)))]
    for repeat in range(repeats):
        for case in range(cases):
            for variant in _rotated(squares[case // variants], case + repeat):
                yield Slot(variant, case, repeat)


def _rotated(order: Sequence[int], by: int) -> list[int]:
    start = by % len(order)
    return [*order[start:], *order[:start]]
