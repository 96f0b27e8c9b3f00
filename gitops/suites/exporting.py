"""A run of several repeats as one run, as `baseline.json` has it, and back again (silas 20.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from gitops.suites.digests import ORGANIC, SUITE, suite_of
from gitops.suites.grading import summary
from gitops.suites.model import BenchmarkResult, BenchmarkRun, BenchmarkSummary

REPEATS = "other_repeats"
"""Where an exported run's snapshot has the results of the repeats after the first."""


def joined(runs: Sequence[BenchmarkRun]) -> BenchmarkRun:
    """The first repeat, with what came of the others in its snapshot; without the cases of real sessions."""
    first, *others = (_public(run) for run in runs)
    told = [{"repeat": run.repeat, "results": [_brief(each) for each in run.results]} for run in others]
    snapshot = {**first.config_snapshot, REPEATS: told} if told else first.config_snapshot
    return first.model_copy(update={"config_snapshot": snapshot})


def _brief(result: BenchmarkResult) -> dict[str, Any]:
    """A result without its output: that there was one is told by an empty one."""
    told = result.model_dump(mode="json", exclude_defaults=True)
    return told | ({} if result.actual_output is None else {"actual_output": ""})


def split(run: BenchmarkRun) -> list[BenchmarkRun]:
    """The repeats of an exported run; what is no repeat in its snapshot is passed over."""
    snapshot = dict(run.config_snapshot)
    others = snapshot.pop(REPEATS, None)
    first = run.model_copy(update={"config_snapshot": snapshot})
    read = [_repeat(first, each) for each in others] if isinstance(others, list) else []
    return [first, *(each for each in read if each is not None)]


def _repeat(first: BenchmarkRun, told: Any) -> BenchmarkRun | None:
    if not isinstance(told, Mapping):
        return None
    try:
        results = [BenchmarkResult.model_validate(each) for each in told["results"]]
        number = int(told["repeat"])
    except (KeyError, TypeError, ValueError, ValidationError):
        return None
    return first.model_copy(update={"results": results, "repeat": number, "summary": _summary(first, results)})


def _summary(run: BenchmarkRun, results: Sequence[BenchmarkResult]) -> BenchmarkSummary:
    return summary(results, is_timed=run.config_snapshot.get("is_timed") is True)


def _public(run: BenchmarkRun) -> BenchmarkRun:
    suite = suite_of(run)
    private = {case.case_id for case in suite.cases if case.source == "organic"} if suite else set()
    organic = run.config_snapshot.get(ORGANIC)
    private |= set(organic) if isinstance(organic, Mapping) else set()
    if not private:
        return run
    cases = [case for case in suite.cases if case.case_id not in private] if suite else []
    snapshot = {name: told for name, told in run.config_snapshot.items() if name != ORGANIC}
    if suite is not None:
        snapshot[SUITE] = suite.model_copy(update={"cases": cases}).model_dump(mode="json")
    results = [each for each in run.results if each.case_id not in private]
    update = {"config_snapshot": snapshot, "results": results, "summary": _summary(run, results)}
    return run.model_copy(update=update)
