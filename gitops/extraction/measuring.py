"""A scored extraction as a measurement (`PROTOCOL.md` 5): the same gold, files and judge always come to the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gitops.comparing.sample_rows import RATIOS
from gitops.config import Bars
from gitops.extraction import bars, metrics
from gitops.extraction.aggregate import Aggregate, aggregate
from gitops.extraction.bars import Held, State
from gitops.extraction.details import DIGITS, details, rounded
from gitops.extraction.model import CaseScore, Scored
from gitops.runs import measurements
from gitops.runs.context import Context
from gitops.runs.measurements import EXTRACTION, Bar, Measurement, Metric, Sample
from gitops.stats.ratios import ratio_interval
from gitops.verify.judge import Judge

AND = "; "
"""What stands between the reasons of a measurement, one for each bar that has no number."""
_SMALLER = "--no-keep keeps nothing, --json > FILE all"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What is known of a run besides what came of it.

    `suite` and `digest` name the gold, `subject` says who extracted, `judge` is who judged rationales.
    """

    suite: str
    digest: str
    judge: Judge
    bars: Bars
    subject: Mapping[str, Any]
    run_id: str = ""
    commit: str = ""
    workspace: str = ""
    started_at: str = ""
    completed_at: str = ""
    used: Mapping[str, float] = field(default_factory=dict)


def measurement(scored: Scored, setting: Setting) -> Measurement:
    """The measurement of a scored extraction, not named yet.

    Its samples are the cases; `details.ratios` of each has, by metric, the numerator and the denominator that it adds
    to the pooled number.
    """
    numbers = aggregate(scored)
    limits = bars.of(setting.bars)
    held = bars.held(numbers.value, setting.bars)
    return Measurement(
        summary=_summary(held, len(scored.cases)),
        kind=EXTRACTION,
        run_id=setting.run_id,
        commit=setting.commit,
        workspace=setting.workspace,
        suite=setting.suite,
        suite_version=setting.digest[:12],
        subject=setting.subject,
        instrument=_instrument(scored, setting),
        started_at=setting.started_at,
        completed_at=setting.completed_at,
        samples=tuple(_sample(case, numbers, setting.bars) for case in scored.cases),
        metrics={name: _metric(name, numbers, limits.get(name)) for name in metrics.NAMES},
        reason=_reason(held, scored),
        details=details(scored, numbers),
        used=setting.used,
    )


def state(measurement: Measurement) -> State:
    """What the bars of a measurement come to, as it was recorded."""
    told = (measurement.metrics.get(name) for name in bars.NAMES)
    return bars.state(metric.status for metric in told if metric is not None and metric.bar is not None)


def refuse_too_large(context: Context, measurement: Measurement) -> None:
    """CannotRun for a record that is too large to be kept, before anything is written."""
    measurements.refuse_too_large(context, [measurement], _SMALLER)


def _summary(held: Sequence[Held], cases: int) -> str:
    """`extraction, 12 cases: atom_f1 0.61, edge_f1 0.52, …`."""
    told = ", ".join(f"{one.name} {_figure(one.value)}" for one in held)
    return f"extraction, {cases:,} {'case' if cases == 1 else 'cases'}: {told}"


def _figure(value: float | None) -> str:
    return "not measured" if value is None else f"{value:.4g}"


def _reason(held: Sequence[Held], scored: Scored) -> str:
    """Why a bar could not be held to anything, where one could not."""
    why = bars.whys(scored)
    return AND.join(f"{one.name} is not measured: {why[one.name]}" for one in held if one.value is None)


def _instrument(scored: Scored, setting: Setting) -> dict[str, Any]:
    judge = setting.judge
    return {
        "metrics": {EXTRACTION: metrics.VERSION},
        "gold": setting.digest,
        "cases": len(scored.cases),
        "variant": "canonical",
        "judge": {"id": judge.id, "version": judge.version, "digest": judge.digest},
    }


def _metric(name: str, numbers: Aggregate, bar: Bar | None) -> Metric:
    known, value = metrics.BY_NAME[name], numbers.value(name)
    return Metric(
        value=rounded(value),
        n=numbers.n(name),
        interval=_interval(name, numbers),
        direction=known.direction,
        unit=known.unit,
        average=known.average,
        bar=bar,
        status=_status(name, value, bar),
        counts=dict(numbers.counts(name)),
    )


def _status(name: str, value: float | None, bar: Bar | None) -> Any:
    if value is None:
        return "not_measured"
    return "measured" if bar is None else Held(name, value, bar).status


def _interval(name: str, numbers: Aggregate) -> tuple[float, float] | None:
    """The 95 % interval over the cases, of the numbers of a bare name; None of what is no share, for there may be any
    number of faults.
    """
    if metrics.unit(name) != "share" or metrics.BY_NAME[name].base != name or numbers.value(name) is None:
        return None
    ends = ratio_interval([each[name] for each in numbers.samples.values()])
    return None if ends is None else (round(ends[0], DIGITS), round(ends[1], DIGITS))


def _sample(case: CaseScore, numbers: Aggregate, limits: Bars) -> Sample:
    """A case: what it adds to each metric, and its own numbers. It passes where no number of its own is below a bar; a
    number that it has not is none that it falls short of.
    """
    name = case.case.id
    own = numbers.by_case[name]
    statuses = {one.status for one in bars.held(own.get, limits)}
    return Sample(
        id=name,
        status="fail" if "fail" in statuses else "pass",
        tags=case.case.tags,
        details={
            "numbers": {each: rounded(value) for each, value in own.items()},
            RATIOS: {metric: list(ratio) for metric, ratio in numbers.samples[name].items()},
            "gold": case.case.gold.files,
            "extracted": case.emitted.files,
        },
    )
