"""Ablations of variants whose true chances are known, drawn trial by trial in the order in which they would be run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from random import Random
from typing import Any

from gitops.suites import grading, measuring
from gitops.suites.ablations import put_together
from gitops.suites.arms import NAME, Arm
from gitops.suites.concluding import Conclusion, concluded
from gitops.suites.interleaving import Slot, interleaved
from gitops.suites.model import BenchmarkResult, BenchmarkRun, BenchmarkSuite, Status

MARGIN = 0.05
_NOW = datetime(2026, 1, 1, tzinfo=UTC)
_LATENCY_MS = 2_000.0


@dataclass(frozen=True, slots=True)
class World:
    """What is so: how much less often each treatment passes than the control, and how much everything drifts.

    Cases are unlike in how hard they are: each passes with a chance of its own between `hardest` and `easiest`. `drift`
    is how much lower that is for the last trial than for the first, and how much longer it takes, as a part.
    `is_interleaved`: variants are run side by side, else one after the other.
    """

    worse: tuple[float, ...] = (0.0,)
    cases: int = 12
    repeats: int = 5
    hardest: float = 0.4
    easiest: float = 0.95
    drift: float = 0.0
    is_judged: bool = True
    is_interleaved: bool = True


def ablation(world: World, seed: int) -> Conclusion:
    """One ablation in such a world."""
    draw = Random(seed)
    names = ["control", *(f"treatment {at}" for at in range(1, len(world.worse) + 1))]
    chances = [world.hardest + (world.easiest - world.hardest) * draw.random() for _ in range(world.cases)]
    slots = interleaved(len(names), world.cases, world.repeats, seed)
    if not world.is_interleaved:
        slots.sort(key=lambda slot: (slot.variant, slot.repeat, slot.case))
    worse = (0.0, *world.worse)
    results = {
        slot: _result(world, slot, chances[slot.case] - worse[slot.variant], at / len(slots), draw)
        for at, slot in enumerate(slots)
    }
    measured = [
        measuring.measurement(_run(world, names, variant, repeat, results), "ablation").named()
        for variant in range(len(names))
        for repeat in range(world.repeats)
    ]
    [found] = put_together(measured)
    return concluded(found, MARGIN)


def _result(world: World, slot: Slot, chance: float, moment: float, draw: Random) -> BenchmarkResult:
    late = world.drift * moment
    chance = min(1.0, max(0.0, chance - late))
    status: Status = "pass" if draw.random() < chance else "fail"
    score = min(1.0, max(0.0, draw.gauss(chance, 0.15))) if world.is_judged else None
    return BenchmarkResult(
        case_id=f"case-{slot.case}",
        status=status,
        actual_output="said",
        latency_ms=_LATENCY_MS * (1 + late) * draw.lognormvariate(0, 0.3),
        token_cost=round(draw.gauss(500, 80)),
        llm_judge_score=score,
    )


def _run(
    world: World, names: Sequence[str], variant: int, repeat: int, results: Mapping[Slot, BenchmarkResult]
) -> BenchmarkRun:
    mine = [results[Slot(variant, case, repeat)] for case in range(world.cases)]
    arm = Arm(
        place=variant,
        variants=tuple(names),
        repeats=world.repeats,
        seed=0,
        suite="simulated",
        calibrated={"weights": ""},
    )
    snapshot: dict[str, Any] = {
        "suite": _suite(world.cases),
        "is_timed": True,
        "machine": {"fingerprint": "simulated"},
        NAME: arm.model_dump(mode="json"),
    }
    return BenchmarkRun(
        run_id="simulated",
        suite_id="simulated",
        started_at=_NOW,
        completed_at=_NOW,
        config_snapshot=snapshot,
        results=mine,
        summary=grading.summary(mine),
        commit="0" * 40,
        workspace="simulated",
        variant=names[variant],
        repeat=repeat,
    )


def _suite(cases: int) -> dict[str, Any]:
    told = {"mode": "contains", "value": "said"}
    each = {"description": "", "input": {"goal": "say"}, "expected": told, "difficulty": "easy", "source": "synthetic"}
    suite = {"suite_id": "simulated", "name": "Simulated", "target": "nobody", "version": "1.0.0"}
    listed = [{"case_id": f"case-{at}", **each} for at in range(cases)]
    return BenchmarkSuite.model_validate({**suite, "cases": listed}).model_dump(mode="json")


ALIKE = World(worse=(0.0, 0.0))
WORLDS: Mapping[str, World] = {
    "alike": ALIKE,
    "alike, drifting": replace(ALIKE, drift=0.4),
    "alike, drifting, one after the other": replace(ALIKE, drift=0.4, is_interleaved=False),
    "worse by the margin": World(worse=(MARGIN,), cases=40, repeats=12, is_judged=False),
    "worse by 0.2": World(worse=(0.2,), cases=40, repeats=5, is_judged=False),
    "alike, 40 easy cases": World(cases=40, repeats=10, hardest=0.95, easiest=1.0, is_judged=False),
}
"""What is simulated, by its name."""
