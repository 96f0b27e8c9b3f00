"""Runs of a system whose true chances are known, before and after it changed, or did not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from random import Random

from gitops.suites import grading
from gitops.suites.model import BenchmarkResult, BenchmarkRun, BenchmarkSuite
from gitops.suites.regressions import Findings, findings

_NOW = datetime(2026, 1, 1, tzinfo=UTC)
_LATENCY_MS, _SCORE = 2_000.0, 0.8
PLANTED = "case-000"
"""The case that a planted regression is of; it is steady."""


@dataclass(frozen=True, slots=True)
class World:
    """What is so of a suite, at the baseline and now.

    Every case but the `flaky` ones always passes; those pass with a chance of their own between 0.5 and 0.95. A judge's
    scores lie `spread` apart (their standard deviation), latencies vary by `jitter` as a part of themselves. Now the
    planted case passes with chance `passes`, is judged `lower` lower, and takes `slower` times as long.
    """

    before: int = 5
    now: int = 5
    cases: int = 40
    flaky: int = 4
    spread: float = 0.05
    jitter: float = 0.1
    passes: float = 1.0
    lower: float = 0.0
    slower: float = 1.0

    @property
    def is_unchanged(self) -> bool:
        """Whether nothing is planted."""
        return (self.passes, self.lower, self.slower) == (1.0, 0.0, 1.0)


UNCHANGED: Mapping[str, World] = {
    "steady, one repeat": World(1, 1, flaky=0, spread=0.0),
    "steady, five repeats": World(5, 5, flaky=0, spread=0.0),
    "flaky, five repeats": World(),
    "flaky, twenty repeats": World(20, 20),
    "all flaky, five repeats": World(flaky=40),
    "all flaky, twenty repeats": World(20, 20, flaky=40),
    "scores far apart, five repeats": World(flaky=0, spread=0.15),
    "latencies far apart, five repeats": World(flaky=0, spread=0.0, jitter=0.25),
    "flaky, one repeat": World(1, 1),
    "flaky, one repeat held to five": World(5, 1),
}
CHANGED: Mapping[str, World] = {
    "a case breaks, one repeat": World(1, 1, flaky=0, spread=0.0, passes=0.0),
    "a case breaks": World(passes=0.0),
    "a case passes one time of ten": World(passes=0.1),
    "a case passes one time of ten, twenty repeats": World(20, 20, passes=0.1),
    "a score falls by 0.2": World(lower=0.2),
    "a latency doubles": World(slower=2.0),
}
WORLDS: Mapping[str, World] = {**UNCHANGED, **CHANGED}


def compared(world: World, seed: int) -> Findings:
    """What is found between a baseline and a run of now in such a world."""
    draw = Random(seed)
    chances = {
        f"case-{at:03}": 1.0 if at < world.cases - world.flaky else draw.uniform(0.5, 0.95) for at in range(world.cases)
    }
    before = [_repeat(draw, world, chances, at) for at in range(world.before)]
    planted = {**chances, PLANTED: world.passes if not world.is_unchanged else chances[PLANTED]}
    now = [_repeat(draw, world, planted, at, is_now=True) for at in range(world.now)]
    return findings(before, now)


def _repeat(
    draw: Random, world: World, chances: Mapping[str, float], repeat: int, *, is_now: bool = False
) -> BenchmarkRun:
    results = []
    for name, chance in chances.items():
        is_planted = is_now and name == PLANTED
        passes = draw.random() < chance
        score = _SCORE + draw.gauss(0, world.spread) - (world.lower if is_planted else 0)
        latency = _LATENCY_MS * draw.lognormvariate(0, world.jitter) * (world.slower if is_planted else 1)
        results.append(
            BenchmarkResult(
                case_id=name,
                status="pass" if passes else "fail",
                actual_output="",
                latency_ms=latency,
                llm_judge_score=min(1.0, max(0.0, score)),
            )
        )
    return BenchmarkRun(
        run_id="simulated",
        suite_id="simulated",
        started_at=_NOW,
        completed_at=_NOW,
        config_snapshot={"suite": _SUITE, "is_timed": True, "machine": "one"},
        results=results,
        summary=grading.summary(results),
        repeat=repeat,
    )


_SUITE = BenchmarkSuite(suite_id="simulated", name="simulated", target="nobody", version="1.0.0").model_dump(
    mode="json"
)
