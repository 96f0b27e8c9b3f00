"""What a score means: the cuts of alexandria 14, and whether a sample is large enough to tell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gitops.runs.measurements import Uncertain
from gitops.stats.intervals import wilson

Status = Literal["healthy", "degraded", "broken", "not_measured"]
Interval = tuple[float, float]
_MOST = 1_000_000
"""No wiki has more samples to draw."""


@dataclass(frozen=True, slots=True)
class Cuts:
    """From which score on a wiki is healthy, and from which on degraded; below that it is broken."""

    healthy: float
    degraded: float

    def status(self, score: float) -> Status:
        """The status of a score, whatever its interval (`PROTOCOL.md` 9: gates follow score and cut)."""
        return "healthy" if score >= self.healthy else "degraded" if score >= self.degraded else "broken"

    def uncertain(self, score: float, interval: Interval | None, *, is_share: bool) -> Uncertain | None:
        """The cut that an interval straddles, the one nearest to the score of two; None where the status is certain.

        The sample that would settle it is known for shares alone.
        """
        if interval is None:
            return None
        low, high = interval
        held = [cut for cut in (self.healthy, self.degraded) if low < cut <= high]
        if not held:
            return None
        nearest = min(held, key=lambda cut: abs(cut - score))
        return Uncertain(cut=nearest, settled_by=settling_sample(score, held) if is_share else None)


def settling_sample(share: float, cuts: list[float]) -> int | None:
    """The smallest sample in which the same share has a Wilson interval that holds none of the cuts.

    None where the share lies on a cut, or so near to one that no wiki has so many claims.
    """
    if not _holds_one(share, _MOST, cuts):
        low, high = 1, _MOST
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if _holds_one(share, middle, cuts) else (low, middle)
        return low
    return None


def _holds_one(share: float, n: int, cuts: list[float]) -> bool:
    bounds = wilson(share * n, n)
    return bounds is not None and any(bounds[0] < cut <= bounds[1] for cut in cuts)
