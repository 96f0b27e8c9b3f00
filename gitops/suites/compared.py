"""Two runs compared: by the engine, metric by metric, and by the rules of what regressed, case by case."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from gitops.comparing import recalling as engine
from gitops.comparing.measured import Comparison
from gitops.comparing.measured import compared as by_the_engine
from gitops.errors import CannotRun, UsageError
from gitops.runs.measurements import Measurement
from gitops.suites.measuring import measurement
from gitops.suites.model import BenchmarkRun
from gitops.suites.recalling import LIST, Recalled
from gitops.suites.regressions import Findings, findings
from gitops.suites.reported import findings_record

SCHEMA = "assay/benchmark-compare/1"
_TESTED = ("pass_rate", "mean_quality_score", "mean_latency_ms", "mean_token_cost", "p95_latency_ms")
"""The metrics that are compared; the sum of all tokens says no more than their mean."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A suite that both sides ran: the runs of either, and what became of its cases from a to b."""

    suite: str
    a: Recalled
    b: Recalled
    found: Findings


@dataclass(frozen=True, slots=True)
class Report:
    """Two sides beside each other, a the reference. `alone` tells which suites one side has only, `missing` a's."""

    a: str
    b: str
    pairs: tuple[Pair, ...]
    comparison: Comparison
    alone: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing could be compared, neither by the engine nor case by case."""
        return self.comparison.is_empty and not any(pair.found.regressions for pair in self.pairs)

    @property
    def regressed(self) -> bool:
        """Whether anything regressed."""
        return any(pair.found.regressions for pair in self.pairs)

    @property
    def lost(self) -> list[str]:
        """What passed on the first side and is not known of the second: cases, as `suite/case`, and whole suites."""
        cases = [f"{pair.suite}/{case}" for pair in self.pairs for case in pair.found.lost]
        return [*cases, *self.missing]

    def record(self) -> dict[str, Any]:
        """The comparison as `--json` prints it."""
        told = self.comparison.record()
        return {
            "schema": SCHEMA,
            "run_a": self.a,
            "run_b": self.b,
            "alpha": told["alpha"],
            "compared": told["compared"],
            "suites": [
                {
                    "suite": pair.suite,
                    "a": pair.a.runs[0].run_id,
                    "b": pair.b.runs[0].run_id,
                    **findings_record(pair.found),
                }
                for pair in self.pairs
            ],
            "remarks": list(self.alone),
        }


def compared(a: Sequence[Recalled], b: Sequence[Recalled], wanted: str = "all", alpha: float = 0.05) -> Report:
    """Compare the suites that both sides have, by the metrics that `wanted` names with commas between, or by all.

    UsageError for an unknown metric, and for a side that has a suite in several variants; CannotRun where no suite is
    on both sides, and where scores have to be tested without SciPy.
    """
    first, second = _by_suite(a), _by_suite(b)
    names = a[0].name, b[0].name if b[0].name != a[0].name else f"{b[0].name} (again)"
    if not (both := [name for name in first if name in second]):
        told = f"{names[0]} ran {', '.join(first)}, and {names[1]} {', '.join(second)}"
        raise CannotRun(f"no suite is on both sides: {told}", LIST)
    pairs = [Pair(name, first[name], second[name], findings(first[name].runs, second[name].runs)) for name in both]
    metrics = _metrics(run for pair in pairs for side in (pair.a, pair.b) for run in side.runs)
    a_side, b_side = [pair.a for pair in pairs], [pair.b for pair in pairs]
    sides = [_side(names[0], a_side, metrics), _side(names[1], b_side, metrics)]
    comparison = by_the_engine(sides, wanted, alpha)
    alone = [
        f"{name} is on the side of {called} alone, and not compared"
        for called, mine in zip(names, (first, second), strict=True)
        for name in mine
        if name not in both
    ]
    missing = tuple(name for name in first if name not in both)
    return Report(*names, tuple(pairs), comparison, tuple(alone), missing)


def _by_suite(recalled: Sequence[Recalled]) -> dict[str, Recalled]:
    """The runs of a side by their suites. UsageError where one is there in several variants."""
    found = {one.suite: one for one in recalled}
    if len(found) < len(recalled):
        words = [one.word for one in recalled]
        raise UsageError(f"{words[0].partition('/')[0]} holds several variants", f"name one: {', '.join(words[:5])}")
    return found


def _metrics(runs: Iterable[BenchmarkRun]) -> tuple[str, ...]:
    """The metrics that there is anything to say of: no program has to tell tokens, and few cases are judged."""
    every = [each for run in runs for each in run.results]
    there = {
        "mean_quality_score": any(each.llm_judge_score is not None for each in every),
        "mean_token_cost": any(each.token_cost for each in every),
    }
    return tuple(name for name in _TESTED if there.get(name, True))


def _side(name: str, recalled: Sequence[Recalled], wanted: Sequence[str]) -> engine.Recalled:
    """The side as the engine takes it: of each metric the repeats, by its own name where there is one suite only."""
    metrics: dict[str, list[Measurement]] = {}
    for one in recalled:
        for made in (measurement(run).named() for run in one.runs):
            for metric in wanted:
                called = metric if len(recalled) == 1 else engine.key(made, metric)
                metrics.setdefault(called, []).append(made)
    commits = {run.commit for one in recalled for run in one.runs}
    commit = commits.pop() if len(commits) == 1 else ""
    return engine.Recalled(name, {metric: tuple(made) for metric, made in metrics.items()}, commit)
