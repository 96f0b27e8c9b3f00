"""How sure a share is that was counted in clusters, whose cases are more alike than cases drawn one by one."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum

from gitops.stats.intervals import Z95, wilson
from gitops.stats.student import student


def design_effect(clusters: Sequence[tuple[int, int]]) -> float:
    """How many times fewer cases, drawn one by one, would tell as much: 1 or more. A cluster is (hits, cases).

    The variance of the ratio of sums, linearised (Kish 1965, 6.3),

        v = K/(K-1) · Σ (hitsₖ - share · casesₖ)² / cases²

    over that of a simple sample, share · (1 - share) / cases. 1 where it cannot be told: of fewer than two clusters,
    and where all cases are hits or none is.
    """
    counted = [(hits, of) for hits, of in clusters if of]
    hits, cases = sum(each for each, _ in counted), sum(of for _, of in counted)
    if len(counted) < 2 or hits in (0, cases):
        return 1.0
    share = hits / cases
    spread = fsum((each - share * of) ** 2 for each, of in counted)
    variance = len(counted) / (len(counted) - 1) * spread / cases**2
    return max(1.0, variance * cases / (share * (1 - share)))


def clustered(clusters: Sequence[tuple[int, int]], z: float = Z95) -> tuple[float, float] | None:
    """The interval of a share over clusters of (hits, cases), by default at 95 %: Wilson's, of as many cases as the
    clusters are worth (Korn and Graubard 1998). None of nothing.
    """
    hits, cases = sum(each for each, _ in clusters), sum(of for _, of in clusters)
    if not cases:
        return None
    worth = max(1, int(cases / design_effect(clusters) + 1e-9))
    return wilson(hits / cases * worth, worth, z)


def of_few(clusters: Sequence[tuple[int, int]], tail: float = 0.025) -> tuple[float, float] | None:
    """The same interval where there may be few clusters, which leaves out so much at each end.

    How clusters differ is then itself known roughly: Student's t of as many degrees of freedom as there are clusters
    less one takes the place of the normal quantile (Korn and Graubard 1998). None of fewer than two clusters.
    """
    counted = [each for each in clusters if each[1]]
    return clustered(counted, student(len(counted) - 1, tail)) if len(counted) > 1 else None
