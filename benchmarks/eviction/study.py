"""The variants of eviction on the same simulated conversations, compared as everything else is: paired, with Holm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gitops.config.benchmarks import Eviction
from gitops.eviction import features, fitting, trying, variants
from gitops.eviction.heuristic import BUILT_IN
from gitops.eviction.simulating import World
from gitops.stats.comparison import Compared, compare
from gitops.stats.rules import Direction
from gitops.stats.series import Series, Variant

METRICS: Mapping[str, Direction] = {
    "needed_there": "higher",
    "answered": "higher",
    "tokens": "lower",
    "exclusion_auroc": "higher",
}
LEARNED, TRIED = 40, 200
LESS = 0.58
"""A share of the limit that is left after a flush, for whoever is to do with fewer tokens; usual is 0.6."""

_OTHERS, _FEW, _MORE = 1_000, 60, 20_000
"""Where the seeds of conversations begin that are tried and learned from again, and how many are tried at most."""


@dataclass(frozen=True, slots=True)
class Size:
    """How many conversations weights are learned from, and on how many others they are tried."""

    learned: int = LEARNED
    tried: int = TRIED


def study(world: World, size: Size) -> list[Compared]:
    """Each variant beside the heuristic as it is built in, metric by metric.

    Two are there to do less well: learned from labels dealt by lot, and from items each time that they were proposed.
    """
    fitted = trying.learned(world, range(size.learned))
    by_lot = trying.learned(world, range(size.learned), by_lot=True)
    repeated = fitting.fit(features.rows(trying.feedback(world, range(size.learned))), BUILT_IN)
    policies = {
        "built in": Eviction(),
        "A calibrated": Eviction(weights=fitted.named()),
        "A, less room": Eviction(weights=fitted.named(), keep=LESS),
        "C online": Eviction(online=True),
        "A from shuffled labels": Eviction(weights=by_lot.named()),
        "A from repeated proposals": Eviction(weights=repeated.named()),
    }
    return _compared(world, policies, size.tried)


def again(world: World, size: Size) -> list[Compared]:
    """Weights that were calibrated once, and calibrated again from what they propose: nothing should be gained."""
    first = trying.learned(world, range(size.learned))
    second = trying.learned(world, range(size.learned, 2 * size.learned), first)
    policies = {"calibrated": Eviction(weights=first.named()), "calibrated again": Eviction(weights=second.named())}
    return _compared(world, policies, size.tried)


def shift(world: World, other: World, size: Size) -> list[Compared]:
    """Weights that were learned in another world."""
    fitted = trying.learned(other, range(size.learned), BUILT_IN)
    policies = {"built in": Eviction(), f"A from {other.name}": Eviction(weights=fitted.named())}
    return _compared(world, policies, size.tried)


def redrawn(world: World, size: Size, times: int = 8) -> list[float]:
    """How much more needed items are there by weights that were learned from other conversations, time after time.

    An interval is of the conversations that weights are tried on; this is of those that they are learned from.
    """
    others = range(_OTHERS, _OTHERS + min(size.tried, _FEW))
    sets = [range(_MORE + size.learned * at, _MORE + size.learned * (at + 1)) for at in range(times)]
    return [trying.tried(world, others, BUILT_IN, trying.learned(world, each)).kept.difference for each in sets]


def _compared(world: World, policies: Mapping[str, Eviction], tried: int) -> list[Compared]:
    return compare([_variant(name, world, policy, tried) for name, policy in policies.items()])


def _variant(name: str, world: World, policy: Eviction, tried: int) -> Variant:
    found = [variants.played(policy, world, number, 0) or {} for number in range(tried)]
    return Variant(name, {metric: [_series(metric, found)] for metric in METRICS})


def _series(metric: str, found: Sequence[Mapping[str, float]]) -> Series:
    rows = {str(number): (each[metric],) for number, each in enumerate(found) if metric in each}
    mean = sum(value for (value,) in rows.values()) / len(rows) if rows else None
    return Series(mean, METRICS[metric], rows)
