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


@dataclass(frozen=True, slots=True)
class World:
    """What is so of a suite, at the baseline and now.

    Every case but the `flaky` ones always passes; those pass with a chance of their own between 0.5 and 0.95. A judge's
    scores lie `spread` apart (their standard deviation), latencies vary by `jitter` as a part of themselves. Now the
    planted case passes with chance `passes`, is judged `lower` lower, and takes `slower` times as long; so do as many
    as `planted` says.
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
    planted: int = 1

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
    "scores far apart, one repeat": World(1, 1, flaky=0, spread=0.15),
    "latencies far apart, one repeat": World(1, 1, flaky=0, spread=0.0, jitter=0.25),
    "latencies far apart, ten cases, one repeat": World(1, 1, cases=10, flaky=0, spread=0.0, jitter=0.25),
    "flaky, one repeat": World(1, 1),
    "flaky, one repeat held to five": World(5, 1),
}
CHANGED: Mapping[str, World] = {
    "a case breaks, one repeat": World(1, 1, flaky=0, spread=0.0, passes=0.0),
    "a case breaks": World(passes=0.0),
    "a case passes one time of ten": World(passes=0.1),
    "a case passes one time of ten, twenty repeats": World(20, 20, passes=0.1),
    "all cases pass four times of five": World(flaky=0, passes=0.8, planted=40),
    "a score falls by 0.2": World(lower=0.2),
    "all scores, far apart, fall by 0.15": World(flaky=0, spread=0.15, lower=0.15, planted=40),
    "a score falls by 0.5, ten cases, one repeat": World(1, 1, cases=10, flaky=0, lower=0.5),
    "half of the scores fall by 0.5, one repeat": World(1, 1, flaky=0, lower=0.5, planted=20),
    "a latency doubles": World(slower=2.0),
    "a latency triples, ten cases, one repeat": World(1, 1, cases=10, flaky=0, spread=0.0, slower=3.0),
    "half of the latencies triple, one repeat": World(1, 1, flaky=0, spread=0.0, slower=3.0, planted=20),
}
WORLDS: Mapping[str, World] = {**UNCHANGED, **CHANGED}


def planted_in(world: World) -> tuple[str, ...]:
    """The cases that a planted regression is of; they are steady."""
    return tuple(_name(at) for at in range(world.planted))


def _name(at: int) -> str:
    return f"case-{at:03}"


def compared(world: World, seed: int) -> Findings:
    """What is found between a baseline and a run of now in such a world."""
    draw = Random(seed)
    chances = {
        _name(at): 1.0 if at < world.cases - world.flaky else draw.uniform(0.5, 0.95) for at in range(world.cases)
    }
    before = [_repeat(draw, world, chances, at) for at in range(world.before)]
    hit = {} if world.is_unchanged else dict.fromkeys(planted_in(world), world.passes)
    planted = {**chances, **hit}
    now = [_repeat(draw, world, planted, at, is_now=True) for at in range(world.now)]
    return findings(before, now)


def _repeat(
    draw: Random, world: World, chances: Mapping[str, float], repeat: int, *, is_now: bool = False
) -> BenchmarkRun:
    results = []
    for at, (name, chance) in enumerate(chances.items()):
        is_planted = is_now and at < world.planted
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
