"""Suites and runs of them made by hand, for what is made of their results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from gitops.suites import grading
from gitops.suites.model import BenchmarkCase, BenchmarkResult, BenchmarkRun, BenchmarkSuite

MOMENT = datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)


def a_case(name: str, **fields: Any) -> BenchmarkCase:
    """A case that expects `yes` exactly."""
    told: dict[str, Any] = {
        "case_id": name,
        "description": f"the case {name}",
        "input": {"goal": f"goal of {name}", "context": None, "config_overrides": None, "skill_args": None},
        "expected": {"mode": "exact", "value": "yes", "metric_thresholds": None},
        "difficulty": "easy",
        "source": "synthetic",
    }
    return BenchmarkCase.model_validate(told | fields)


def a_suite(*cases: BenchmarkCase, **fields: Any) -> BenchmarkSuite:
    """A suite called shell, of a command that says yes."""
    told: dict[str, Any] = {
        "suite_id": "shell",
        "name": "Shell",
        "target": "sh",
        "version": "1.0.0",
        "cases": [each.model_dump() for each in cases],
        "runs": {"kind": "command", "words": ["echo", "yes"]},
    }
    return BenchmarkSuite.model_validate(told | fields)


def a_result(name: str, status: str = "pass", **fields: Any) -> BenchmarkResult:
    """What came of a case."""
    output = None if status in ("error", "timeout") else "yes" if status == "pass" else "no"
    told: dict[str, Any] = {"case_id": name, "status": status, "actual_output": output, "latency_ms": 10.0}
    if status in ("fail", "error", "timeout"):
        told |= {"category": "wrong_output" if status == "fail" else status, "reason": "it said no"}
    return BenchmarkResult.model_validate(told | fields)


def a_run(
    results: Sequence[BenchmarkResult],
    suite: BenchmarkSuite | None = None,
    snapshot: Mapping[str, Any] | None = None,
    **fields: Any,
) -> BenchmarkRun:
    """A repeat of the suite, of which each case that is not given is as `a_case` makes it."""
    known = suite if suite is not None else a_suite(*(a_case(each.case_id) for each in results))
    config: dict[str, Any] = {
        "suite": known.model_dump(mode="json"),
        "is_timed": True,
        "machine": "one",
        "seed": 0,
        **(snapshot or {}),
    }
    told: dict[str, Any] = {
        "run_id": "20240102-030405-00000001",
        "suite_id": known.suite_id,
        "started_at": MOMENT,
        "completed_at": MOMENT,
        "config_snapshot": config,
        "results": list(results),
        "summary": grading.summary(results, is_timed=config["is_timed"]),
        "suite_version": known.version,
        "commit": "0" * 40,
        "workspace": "tides",
    }
    return BenchmarkRun.model_validate(told | fields)


def repeats(*statuses: str, case: str = "a", **fields: Any) -> list[BenchmarkRun]:
    """Repeats of a suite of one case, which came out so."""
    return [a_run([a_result(case, status, **fields)], repeat=at) for at, status in enumerate(statuses)]
