"""A repeat of a benchmark suite as a measurement (`PROTOCOL.md` 5), and back again.

What a run's `config_snapshot` has by these names is read here: `suite` (the whole definition), `is_timed`, `machine`,
`judge`, `grading`. Everything else in it is kept as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal

from gitops import canonical
from gitops.errors import CannotRun, UsageError
from gitops.runs import evalruns, measurements
from gitops.runs.context import Context, moment_of
from gitops.runs.measurements import ABLATION, BENCHMARK, Measurement, Metric, Sample
from gitops.runs.workspace import Workspace
from gitops.stats.intervals import wilson
from gitops.suites import digests
from gitops.suites.digests import ORGANIC, SUITE
from gitops.suites.grading import TRIED, summary
from gitops.suites.model import BenchmarkCase, BenchmarkResult, BenchmarkRun, BenchmarkSuite, BenchmarkSummary

VERSION = 1
"""Of the numbers below: those of another version are not compared with them."""
KINDS = (BENCHMARK, ABLATION)
_LIST = "git assay benchmark list --runs shows what was run"
_METRICS = ("pass_rate", "mean_quality_score", "mean_latency_ms", "mean_token_cost")
"""Those that are means over cases."""
LONGEST = 4_000
"""So many characters of an output, or of an error, are kept; of a longer one the digest and the length, too."""
_ANSWERED = frozenset(("pass", "fail", "skipped"))
"""What becomes of a case that gave an output: how long another took says nothing of how fast the target is."""


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
        _sample(each, known.get(each.case_id), marks.get(each.case_id, ""), is_timed=is_timed) for each in run.results
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


def _sample(result: BenchmarkResult, case: BenchmarkCase | None, mark: str, *, is_timed: bool) -> Sample:
    is_private = case is not None and case.source == "organic"
    return Sample(
        id=result.case_id,
        status=result.status,
        scores=_scores(result, is_timed=is_timed),
        latency_ms=result.latency_ms,
        tokens=result.token_cost,
        usd=result.usd,
        error=None if is_private or result.error is None else _cut(result.error),
        retries=result.retries,
        tags=tuple(case.tags) if case else (),
        details=_details(result, case, mark, is_private=is_private),
    )


def _scores(result: BenchmarkResult, *, is_timed: bool) -> dict[str, float]:
    """What each metric is the mean of, by the metric's name: so the cases of two runs can be paired."""
    scores = {"mean_token_cost": float(result.token_cost)}
    if result.status in TRIED:
        scores["pass_rate"] = float(result.status == "pass")
    if result.llm_judge_score is not None:
        scores["mean_quality_score"] = result.llm_judge_score
    if is_timed and result.status in _ANSWERED and result.actual_output is not None:
        scores["mean_latency_ms"] = result.latency_ms
    return scores


def _details(result: BenchmarkResult, case: BenchmarkCase | None, mark: str, *, is_private: bool) -> dict[str, Any]:
    told: dict[str, Any] = {"category": result.category, "human_label": result.human_label}
    told["metrics"] = dict(result.metrics) or None
    if case is not None:
        told |= {"case": mark, "difficulty": case.difficulty, "source": case.source}
    if not is_private:
        told["reason"] = result.reason
        told |= {} if result.actual_output is None else _output(result.actual_output)
    return {name: value for name, value in told.items() if value not in (None, "")} | (
        {"output": ""} if not is_private and result.actual_output == "" else {}
    )


def _output(output: str) -> dict[str, Any]:
    if len(output) <= LONGEST:
        return {"output": output}
    whole = canonical.sha256(output.encode("utf-8", "surrogatepass"))
    return {"output": _cut(output), "output_length": len(output), "output_digest": whole}


def is_cut(output: str) -> bool:
    """Whether an output that is read from a record is the beginning of a longer one."""
    return len(output) == LONGEST and output.endswith("…")


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


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
