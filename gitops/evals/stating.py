"""States what a metric gave as a measurement; of what cannot be believed or kept, why there is no number."""

from __future__ import annotations

from dataclasses import replace

from gitops.evals import soundness
from gitops.evals.metric import Metric, MetricResult, not_measured
from gitops.evals.subject import Subject
from gitops.runs import measurements
from gitops.runs.context import Context
from gitops.runs.judging import VERIFIER
from gitops.runs.measurements import KIND, Measurement


def stated(
    subject: Subject, name: str, metric: Metric, result: MetricResult, started: str, *, is_past: bool
) -> Measurement:
    """The measurement of a result; of one that no record can hold or no reader believe, why there is none."""
    try:
        soundness.demand_score(metric, result)
        made = _measurement(subject, name, metric, result, started, is_past=is_past)
        soundness.demand_readable(made)
        return made
    except Exception as error:
        instead = replace(failed(subject.context, name, error), used=result.used)
        return _measurement(subject, name, metric, instead, started, is_past=is_past)


def _measurement(
    subject: Subject, name: str, metric: Metric, result: MetricResult, started: str, *, is_past: bool
) -> Measurement:
    context, workspace = subject.context, subject.workspace
    about = {
        "verifier": VERIFIER,
        "config_snapshot": workspace.policy,
        "moment": f"{subject.moment:%Y-%m-%dT%H:%M:%SZ}",
        "is_past": is_past,
    }
    return Measurement(
        summary=_summary(name, metric, result),
        kind=KIND,
        run_id=subject.run_id,
        commit=subject.commit,
        workspace=workspace.name,
        suite=name,
        suite_version=str(metric.version),
        subject=about | dict(result.subject),
        instrument={"metrics": {name: metric.version}} | dict(result.instrument),
        started_at=started,
        completed_at=context.now,
        samples=result.samples,
        metrics={name: _number(metric, result)},
        reason=result.reason,
        details=result.details,
        used=result.used.record(),
    ).named()


def _number(metric: Metric, result: MetricResult) -> measurements.Metric:
    uncertain = result.uncertain
    if uncertain is None and metric.cuts is not None and result.score is not None:
        uncertain = metric.cuts.uncertain(result.score, result.interval, is_share=metric.unit == "share")
    return measurements.Metric(
        value=result.score,
        n=result.n,
        interval=result.interval,
        direction=metric.direction,
        unit=metric.unit,
        status=result.status,
        uncertain=uncertain,
        counts=result.counts,
    )


def _summary(name: str, metric: Metric, result: MetricResult) -> str:
    if result.score is None:
        told = "not measured" if result.status == "not_measured" else result.status
        return f"{name} {metric.title}: {told}: {result.reason}" if result.reason else f"{name} {metric.title}: {told}"
    return f"{name} {metric.title}: {shown(metric, result.score)}, {result.status.replace('_', ' ')}"


def shown(metric: Metric, score: float) -> str:
    """A score as people read it: two decimals of a share or product, a whole week."""
    return f"{metric.unit} {score:.0f}" if metric.unit == "week" else f"{score:.2f}"


def failed(context: Context, name: str, error: Exception) -> MetricResult:
    """A metric that fails is a fault of the program: told with its place, so that it can be mended."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = f" at {trace.tb_frame.f_code.co_filename.rpartition('/')[2]}:{trace.tb_lineno}" if trace else ""
    told = " ".join(f"it failed: {type(error).__name__}: {error}{where}".split())
    context.warn(f"{name}: {told}")
    return not_measured(told)
