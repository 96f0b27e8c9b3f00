"""The run that a measurement of a benchmark is of, as far as it was kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from gitops.errors import UsageError
from gitops.runs.context import Context
from gitops.runs.measurements import ABLATION, BENCHMARK, Measurement, Sample
from gitops.suites.model import BenchmarkResult, BenchmarkRun, BenchmarkSummary

KINDS = (BENCHMARK, ABLATION)
_LIST = "git assay benchmark list --runs shows what was run"


def run_of(measured: Measurement) -> BenchmarkRun:
    """The run that a measurement is of, as far as it was kept. UsageError for one of another kind, and for one that
    holds what no run does.
    """
    if measured.kind not in KINDS:
        raise UsageError(f"{_called(measured)} is none of a benchmark", _LIST)
    try:
        return _run_of(measured)
    except (TypeError, ValueError) as error:  # pydantic's are ValueErrors
        told = str(error).split("\n")[0]
        raise UsageError(f"{_called(measured)} holds what no run of a benchmark does: {told}", _LIST) from error


def runs_of(context: Context, measured: Iterable[Measurement]) -> list[BenchmarkRun]:
    """The runs of those measurements that are of benchmarks; a record that holds something else is told and skipped."""
    found = []
    for one in measured:
        if one.kind in KINDS:
            try:
                found.append(run_of(one))
            except UsageError as error:
                context.warn_once(f"{error.message}; skipped")
    return found


def _called(measured: Measurement) -> str:
    return f"the measurement {measured.id[:10]} of run {measured.run_id}"


def _run_of(measured: Measurement) -> BenchmarkRun:
    snapshot = measured.subject.get("config_snapshot")
    return BenchmarkRun(
        run_id=measured.run_id,
        suite_id=measured.suite,
        started_at=_read(measured.started_at),
        completed_at=_read(measured.completed_at),
        config_snapshot=dict(snapshot) if isinstance(snapshot, Mapping) else {},
        results=[_result(each) for each in measured.samples],
        summary=_summary_of(measured),
        suite_version=measured.suite_version,
        commit=measured.commit,
        workspace=measured.workspace,
        variant=measured.variant,
        repeat=measured.repeat,
    )


def _read(moment: str) -> datetime:
    return datetime.strptime(moment, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)


def _result(sample: Sample) -> BenchmarkResult:
    details = sample.details
    told: dict[str, Any] = {
        "case_id": sample.id,
        "status": sample.status,
        "actual_output": details.get("output"),
        "latency_ms": sample.latency_ms or 0.0,
        "token_cost": sample.tokens or 0,
        "llm_judge_score": (sample.scores or {}).get("mean_quality_score"),
        "human_label": details.get("human_label"),
        "error": sample.error,
        "retries": sample.retries or 0,
        "category": details.get("category", ""),
        "reason": details.get("reason", ""),
        "usd": sample.usd or 0.0,
        "metrics": details.get("metrics") or {},
    }
    return BenchmarkResult.model_validate(told)


def _summary_of(measured: Measurement) -> BenchmarkSummary:
    values = {name: metric.value for name, metric in measured.metrics.items()}
    return BenchmarkSummary(
        pass_rate=values.get("pass_rate"),
        mean_latency_ms=values.get("mean_latency_ms"),
        p95_latency_ms=values.get("p95_latency_ms"),
        total_token_cost=int(values.get("total_token_cost") or 0),
        mean_quality_score=values.get("mean_quality_score"),
        failure_categories=dict(measured.details.get("failure_categories") or {}),
    )
