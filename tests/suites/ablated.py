"""Measurements of ablations, as they would have been kept, from what each case came to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from gitops.runs.measurements import Measurement
from gitops.suites import grading, measuring
from gitops.suites.arms import NAME, Arm
from gitops.suites.model import BenchmarkResult, BenchmarkRun, BenchmarkSuite, Status
from tests.suites import ablation_wiki

NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)
Answer = Callable[[int, int], Mapping[str, Any]]
"""What a case, by its number, came to in a repeat: fields of a result."""


def passing(case: int, repeat: int) -> Mapping[str, Any]:
    """Every case passes."""
    return {"status": "pass"}


def measured(
    variants: Mapping[str, Answer],
    cases: int,
    repeats: int,
    run_id: str = "20261122-120000-0a0b0c0d",
    suite: str = "words",
) -> list[Measurement]:
    """The measurements of an ablation of one suite; the first variant is the control."""
    return [
        measuring.measurement(
            _run(place, list(variants), answer, cases, (repeat, repeats), run_id, suite), "ablation"
        ).named()
        for place, answer in enumerate(variants.values())
        for repeat in range(repeats)
    ]


def _run(
    place: int, names: Sequence[str], answer: Answer, cases: int, repeat: tuple[int, int], run_id: str, suite: str
) -> BenchmarkRun:
    told = ablation_wiki.suite(cases, suite_id=suite)
    arm = Arm(
        place=place, variants=tuple(names), repeats=repeat[1], seed=0, suite="d", calibrated={"eviction": str(place)}
    )
    results = [_result(ablation_wiki.cases(cases)[case]["case_id"], answer(case, repeat[0])) for case in range(cases)]
    snapshot = {
        "suite": BenchmarkSuite.model_validate(told).model_dump(mode="json"),
        "is_timed": True,
        "machine": {"fingerprint": "m"},
        NAME: arm.model_dump(mode="json"),
    }
    return BenchmarkRun(
        run_id=run_id,
        suite_id=suite,
        started_at=NOW,
        completed_at=NOW,
        config_snapshot=snapshot,
        results=results,
        summary=grading.summary(results),
        commit=f"{place:040d}",
        workspace="wiki",
        variant=names[place],
        repeat=repeat[0],
    )


def _result(case_id: str, fields: Mapping[str, Any]) -> BenchmarkResult:
    status: Status = fields.get("status", "pass")
    output = None if status in ("error", "timeout") else "said"
    return BenchmarkResult(
        case_id=case_id, **{"status": status, "actual_output": output, "latency_ms": 100.0, **fields}
    )
