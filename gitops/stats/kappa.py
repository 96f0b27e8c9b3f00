"""How far two raters agree beyond what chance would bring about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import isclose, sqrt

from gitops.stats.intervals import Z95


@dataclass(frozen=True, slots=True)
class Kappa:
    """Cohen's kappa: 1 is full agreement, 0 what chance brings, below it less than that.

    `value` and `interval` (95 %) are None where `why` says so. `agreed` of `n` pairs are alike; `expected` is the share
    that would be by chance.
    """

    n: int
    agreed: int
    value: float | None = None
    interval: tuple[float, float] | None = None
    expected: float | None = None
    why: str = ""


def kappa(pairs: Iterable[tuple[str, str]]) -> Kappa:
    """The agreement of two raters on the same things, each pair what the one and the other say of one.

    Kappa is (po - pe) / (1 - pe) with the agreement po and that of chance pe (Cohen 1960). Its variance is the large
    sample one of Fleiss, Cohen and Everitt 1969, for pairs that are independent. It is 0 where all pairs agree, which
    says nothing of how sure that is: then there is no interval.
    """
    table = Counter(pairs)
    n = table.total()
    agreed = sum(count for (one, other), count in table.items() if one == other)
    if not n:
        return Kappa(0, 0, why="nothing was rated by both")
    share = {pair: count / n for pair, count in table.items()}
    classes = sorted({name for pair in table for name in pair})
    first = {name: sum(value for pair, value in share.items() if pair[0] == name) for name in classes}
    second = {name: sum(value for pair, value in share.items() if pair[1] == name) for name in classes}
    chance = sum(first[name] * second[name] for name in classes)
    if len(classes) == 1:
        return Kappa(n, agreed, expected=1.0, why=f"both say {classes[0]} of everything")
    value = (agreed / n - chance) / (1 - chance)
    error = sqrt(max(0.0, _variance(share, first, second, value, chance) / n))
    if agreed == n or isclose(error, 0.0, abs_tol=1e-12):
        return Kappa(n, agreed, value, None, chance, "too much alike for an interval")
    interval = max(-1.0, value - Z95 * error), min(1.0, value + Z95 * error)
    return Kappa(n, agreed, value, interval, chance)


def _variance(
    share: dict[tuple[str, str], float],
    first: dict[str, float],
    second: dict[str, float],
    value: float,
    chance: float,
) -> float:
    """The variance of kappa, times n."""
    alike = sum(share.get((name, name), 0.0) * (1 - (first[name] + second[name]) * (1 - value)) ** 2 for name in first)
    unlike = sum(part * (second[one] + first[other]) ** 2 for (one, other), part in share.items() if one != other)
    middle = value - chance * (1 - value)
    return (alike + (1 - value) ** 2 * unlike - middle**2) / (1 - chance) ** 2
