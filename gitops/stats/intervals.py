"""How sure a share is that was counted in a sample."""

from __future__ import annotations

from math import sqrt

Z95 = 1.959964
"""The standard normal quantile of 0.975."""


def wilson(hits: float, of: int, z: float = Z95) -> tuple[float, float] | None:
    """The score interval of a share (Wilson 1927), by default at 95 %; None of nothing."""
    if not 0 <= hits <= of:
        raise ValueError(f"{hits} of {of} is no share")
    if of == 0:
        return None
    share, square = hits / of, z * z
    middle = (share + square / (2 * of)) / (1 + square / of)
    half = z / (1 + square / of) * sqrt(share * (1 - share) / of + square / (4 * of * of))
    return max(0.0, middle - half), min(1.0, middle + half)
