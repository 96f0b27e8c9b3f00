"""A repeat of a benchmark suite as a measurement (`PROTOCOL.md` 5); `remembered.py` leads back.

What a run's `config_snapshot` has by these names is read here: `suite` (the whole definition), `is_timed`, `machine`,
`judge`, `grading`. Everything else in it is kept as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Literal

from gitops.errors import CannotRun
from gitops.runs import evalruns, measurements
from gitops.runs.context import Context, moment_of
from gitops.runs.measurements import BENCHMARK, Measurement, Metric, Sample
from gitops.runs.workspace import Workspace
from gitops.stats.intervals import wilson
from gitops.suites import digests
from gitops.suites.digests import ORGANIC, SUITE
from gitops.suites.grading import TRIED, summary
from gitops.suites.model import BenchmarkRun, BenchmarkSuite
from gitops.suites.samples import sample

VERSION = 1
"""Of the numbers below: those of another version are not compared with them."""
_METRICS = ("pass_rate", "mean_quality_score", "mean_latency_ms", "mean_token_cost")
"""Those that are means over cases."""


def measurement(run: BenchmarkRun, kind: Literal["benchmark", "ablation"] = "benchmark") -> Measurement:
    """The measurement of one repeat, not named yet: CannotRun where its snapshot lacks what it takes to run it again.

    Cases from real sessions (source `organic`) stay where they are: their ids, digests and numbers are recorded, what
    was asked and answered is not.
    """
    suite = digests.suite_of(run)
    if suite is None:
        told = f"the run {run.run_id} of {run.suite_id} does not hold the suite that it was made by"
        raise CannotRun(told, f"git assay benchmark run {run.suite_id}")
    known = {case.case_id: case for case in suite.cases}
    marks, is_timed = digests.of_suite(run, suite), run.config_snapshot.get("is_timed") is True
    samples = tuple(
        sample(each, known.get(each.case_id), marks.get(each.case_id, ""), is_timed=is_timed) for each in run.results
    )
    return Measurement(
        summary=_summary(run),
        kind=kind,
        run_id=run.run_id,
        commit=run.commit,
        workspace=run.workspace,
        suite=run.suite_id,
        suite_version=run.suite_version or suite.version,
        subject={"agent": suite.target, "config_snapshot": _snapshot(run, suite)},
        instrument={"metrics": {BENCHMARK: VERSION}, **_judged_by(run, suite)},
        variant=run.variant,
        repeat=run.repeat,
        started_at=_moment(run.started_at),
        completed_at=_moment(run.completed_at or run.started_at),
        samples=samples,
        metrics=_metrics(run, samples),
        details={"failure_categories": dict(run.summary.failure_categories) if run.summary else {}},
        used=_used(run),
    )


def _summary(run: BenchmarkRun) -> str:
    """`shell: 3 of 4 passed, 1 skipped`."""
    passed = sum(each.status == "pass" for each in run.results)
    tried = sum(each.status in TRIED for each in run.results)
    skipped = len(run.results) - tried
    which = f" [{run.variant}]" if run.variant else ""
    again = f", repeat {run.repeat}" if run.repeat else ""
    left = f", {skipped:,} skipped" if skipped else ""
    return f"{run.suite_id}{which}{again}: {passed:,} of {tried:,} passed{left}"


def _snapshot(run: BenchmarkRun, suite: BenchmarkSuite) -> dict[str, Any]:
    """The snapshot without the cases that are not for everybody who has the notes."""
    marks, told = digests.of_suite(run, suite), dict(run.config_snapshot)
    private = {case.case_id: marks[case.case_id] for case in suite.cases if case.source == "organic"}
    if private:
        open_ones = [case for case in suite.cases if case.case_id not in private]
        told[SUITE] = suite.model_copy(update={"cases": open_ones}).model_dump(mode="json")
        told[ORGANIC] = private
    return told


def _judged_by(run: BenchmarkRun, suite: BenchmarkSuite) -> dict[str, Any]:
    """What gave the verdicts: a judge only where a case asks one."""
    is_judged = any("llm_judge" in case.expected.modes for case in suite.cases)
    judge = run.config_snapshot.get("judge") if is_judged else None
    grading = run.config_snapshot.get("grading")
    return {name: told for name, told in (("grading", grading), ("judge", judge)) if told is not None}


def _metrics(run: BenchmarkRun, samples: Sequence[Sample]) -> dict[str, Metric]:
    told = run.summary if run.summary is not None else summary(run.results)
    count = {name: sum(name in (each.scores or {}) for each in samples) for name in _METRICS}
    passed, tried = sum(each.status == "pass" for each in samples), count["pass_rate"]
    timed, whole = count["mean_latency_ms"], len(samples)
    # What was mocked, or replayed, took no time of its own.
    mean, late = (told.mean_latency_ms, told.p95_latency_ms) if timed else (None, None)
    return {
        "pass_rate": _metric(told.pass_rate, tried, "higher", "share", wilson(passed, tried)),
        "mean_quality_score": _metric(told.mean_quality_score, count["mean_quality_score"], "higher", "score"),
        "mean_latency_ms": _metric(mean, timed, "lower", "ms"),
        "p95_latency_ms": _metric(late, timed, "lower", "ms"),
        "mean_token_cost": _metric(told.total_token_cost / whole if whole else None, whole, "lower", "tokens"),
        "total_token_cost": _metric(float(told.total_token_cost), whole, "lower", "tokens"),
    }


def _metric(
    value: float | None,
    count: int,
    direction: Literal["higher", "lower"],
    unit: str,
    interval: tuple[float, float] | None = None,
) -> Metric:
    return Metric(
        value=value,
        n=count,
        interval=interval,
        direction=direction,
        unit=unit,
        average="micro" if unit == "share" else None,
        status="not_measured" if value is None else "measured",
    )


def _used(run: BenchmarkRun) -> dict[str, float]:
    tokens = sum(each.token_cost for each in run.results)
    usd = sum(each.usd for each in run.results)
    return {name: float(value) for name, value in (("tokens", tokens), ("usd", usd)) if value}


def _moment(moment: datetime) -> str:
    known = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return moment_of(int(known.timestamp()))


def refuse_too_large(context: Context, measured: Sequence[Measurement]) -> None:
    """CannotRun, before anything is written, for records that are too large to be kept with their commit."""
    measurements.refuse_too_large(context, measured, "--no-keep keeps nothing, --json > FILE all")


def record(
    context: Context,
    workspace: Workspace,
    runs: Sequence[BenchmarkRun],
    target: str = "",
    kind: Literal["benchmark", "ablation"] = "benchmark",
) -> list[Measurement]:
    """Keep the repeats of one run in the notes of the commits that they measured, with a run of type `benchmark`.

    `target` is the branch whose log gets a line, '' for none. CannotRun where they are too large, or cannot be signed.
    """
    made = [measurement(each, kind) for each in runs]
    refuse_too_large(context, made)
    return evalruns.record_all(context, workspace, made, target)
