"""Quantiles of Student's t, for whoever has few of something: exact, and without any library."""

from __future__ import annotations

from functools import lru_cache
from math import atan, pi, sin, sqrt
from statistics import NormalDist

_SERIES = 200
"""Of more degrees of freedom the expansion in their reciprocal is exact to nine digits."""
_STEPS = 200


@lru_cache(maxsize=1024)
def student(degrees: int, tail: float = 0.025) -> float:
    """What Student's t of so many degrees of freedom, 1 or more, exceeds with such a chance, between 0 and 0.5."""
    normal = NormalDist().inv_cdf(1 - tail)
    if degrees > _SERIES:
        return _expanded(normal, degrees)
    low, high = 0.0, max(normal, 1.0)
    while _beyond(high, degrees) > tail:
        low, high = high, 2 * high
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if _beyond(middle, degrees) > tail else (low, middle)
    return high


def _beyond(value: float, degrees: int) -> float:
    """The chance that t exceeds a value: a finite sum for whole degrees (Abramowitz and Stegun 26.7.3, 26.7.4)."""
    angle = atan(value / sqrt(degrees))
    squared = degrees / (degrees + value * value)  # of the angle's cosine
    is_odd = degrees % 2
    term = sqrt(squared) if is_odd else 1.0
    total = 0.0
    for at in range(2 + is_odd, degrees + 1, 2):
        total += term
        term *= squared * (at - 1) / at
    within = (angle + sin(angle) * total) * 2 / pi if is_odd else sin(angle) * total
    return (1 - within) / 2


def _expanded(normal: float, degrees: int) -> float:
    """By the normal quantile and the reciprocal of the degrees (Abramowitz and Stegun 26.7.5)."""
    square = normal * normal
    first = normal * (square + 1) / 4
    second = normal * ((5 * square + 16) * square + 3) / 96
    third = normal * (((3 * square + 19) * square + 17) * square - 15) / 384
    return normal + first / degrees + second / degrees**2 + third / degrees**3
