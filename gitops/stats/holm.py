"""Several tests at once: the more one looks at, the more looks significant by chance."""

from __future__ import annotations

from collections.abc import Sequence


def least_p(moved: int) -> float:
    """The smallest p value that a two-sided test by signs or swaps can come to, where so many units differ."""
    return min(1.0, 2.0 ** (1 - moved))


def holm(raw: Sequence[float]) -> list[float]:
    """P values adjusted for their number by the step-down method of Holm (1979), in the order in which they came.

    Each may be compared with alpha as it is: the chance that any of the true null hypotheses is rejected is then at
    most alpha, however the tests depend on one another. ValueError for what is no probability.
    """
    if not all(0 <= p <= 1 for p in raw):
        raise ValueError("a p value is a number from 0 to 1")
    adjusted = [0.0] * len(raw)
    least = 0.0
    for rank, at in enumerate(sorted(range(len(raw)), key=raw.__getitem__)):
        least = max(least, min(1.0, (len(raw) - rank) * raw[at]))
        adjusted[at] = least
    return adjusted
