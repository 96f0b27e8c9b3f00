"""Calibration offline (silas 19.4): fitted on one part of the feedback, shown on the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from gitops.errors import CannotRun
from gitops.eviction import features, fitting, predicting
from gitops.eviction.features import Row
from gitops.eviction.heuristic import FEATURES, Weights
from gitops.eviction.predicting import Band, Measured

HOLDOUT = 0.3
PER_WEIGHT = 5
"""So many of the rarer label there have to be for each weight that is fitted (Vittinghoff and McCulloch 2007)."""
LEAST_HELD = 10
"""So many of each label the other part has to have, for anything to be shown on it."""
LEAST_UNITS = 5
"""So many proposals or scopes each part has to have: fewer tell nothing of their spread."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the feedback: how many candidates, how many kept back, from how many proposals and scopes."""

    n: int
    kept: int
    proposals: int
    scopes: int


@dataclass(frozen=True, slots=True)
class Calibrated:
    """Weights before and after, what they were fitted on, and how well both foretell the rest."""

    before: Weights
    after: Weights
    fitted: Part
    held: Part
    by_time: bool
    unit: str
    seed: int
    measured: tuple[Measured, ...]
    bands_before: tuple[Band, ...]
    bands_after: tuple[Band, ...]


def calibrated(
    rows: Sequence[Row],
    present: Weights,
    *,
    holdout: float = HOLDOUT,
    by_time: bool = False,
    seed: int = 0,
    strength: float = fitting.STRENGTH,
) -> Calibrated:
    """Fit weights on one part of the rows and measure them on the other. CannotRun where there are too few."""
    refuse_few(rows)
    fitted, held = split(rows, holdout, by_time=by_time, seed=seed)
    _refuse_parts(fitted, held)
    after = fitting.fit(fitted, present, strength)
    return Calibrated(
        present,
        after,
        part(fitted),
        part(held),
        by_time,
        features.unit_name(rows),
        seed,
        tuple(predicting.measured(held, present, after, seed)),
        tuple(predicting.bands(held, present)),
        tuple(predicting.bands(held, after)),
    )


def split(
    rows: Sequence[Row], holdout: float = HOLDOUT, *, by_time: bool = False, seed: int = 0
) -> tuple[list[Row], list[Row]]:
    """The rows to fit and those to show it on; what was drawn together stays together.

    The held part is drawn by the seed, or is what came last: units in the order in which they began.
    """
    units = list(features.by_unit(rows).values())
    if not by_time:
        Random(seed).shuffle(units)
    count = len(units) - max(1, round(len(units) * holdout))
    fitted, held = units[:count], units[count:]
    return [row for unit in fitted for row in unit], [row for unit in held for row in unit]


def part(rows: Sequence[Row]) -> Part:
    """What a part consists of."""
    kept = sum(row.is_excluded for row in rows)
    return Part(len(rows), kept, len({row.proposal for row in rows}), len({row.scope for row in rows}))


def refuse_few(rows: Sequence[Row]) -> None:
    """Refuse to fit what would be fitted to chance."""
    kept = sum(row.is_excluded for row in rows)
    evicted, needed = len(rows) - kept, PER_WEIGHT * len(FEATURES) + LEAST_HELD
    if min(kept, evicted) < needed:
        raise CannotRun(
            f"too little feedback to fit {len(FEATURES)} weights: {kept:,} items kept back and {evicted:,} evicted",
            f"it takes {needed} of each, decided by a model or a person: git assay eviction report counts them",
        )


def _refuse_parts(fitted: Sequence[Row], held: Sequence[Row]) -> None:
    for rows, what, least in ((fitted, "to fit", PER_WEIGHT * len(FEATURES)), (held, "to show it on", LEAST_HELD)):
        kept, units = sum(row.is_excluded for row in rows), len({row.unit for row in rows})
        fewest = min(kept, len(rows) - kept)
        if fewest < least or units < LEAST_UNITS:
            name = features.unit_name(rows)
            raise CannotRun(
                f"too little feedback {what}: {fewest} of the rarer label in {units} {name}s, "
                f"and it takes {least} in {LEAST_UNITS}",
                "another part: --holdout 0.5; or wait for more feedback: git assay eviction report",
            )


def toml(weights: Weights) -> str:
    """The table that goes into `assay.toml`."""
    lines = [f"{name} = {value:g}" for name, value in weights.named().items()]
    return "\n".join(["[eviction.weights]", *lines]) + "\n"
