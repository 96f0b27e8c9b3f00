"""Quantiles: how long something took that most are faster than."""

from __future__ import annotations

from collections.abc import Iterable
from math import floor


def percentile(values: Iterable[float], share: float) -> float | None:
    """The quantile with linear interpolation (Hyndman and Fan 1996, definition 7); None of nothing.

    `share` is from 0 to 1, the result in the unit of the values.
    """
    ordered = sorted(values)
    if not ordered:
        return None
    place = share * (len(ordered) - 1)
    below = floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)
