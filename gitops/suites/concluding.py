"""What an ablation comes to: means of its variants, what differs between them, and whether any was shown to do harm."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from gitops.comparing.measured import Comparison
from gitops.comparing.recalling import key
from gitops.runs.measurements import Measurement
from gitops.stats.repeated import Mean, mean
from gitops.suites import calibrated
from gitops.suites.ablations import METRICS, Ablation, Study, Variant, comparison
from gitops.suites.grading import TRIED
from gitops.suites.harms import Finding, findings


@dataclass(frozen=True, slots=True)
class Scored:
    """The score of one variant in one metric of one suite, over its repeats; None where there is none."""

    suite: str
    metric: str
    unit: str
    direction: str
    variant: str
    mean: Mean | None


@dataclass(frozen=True, slots=True)
class Conclusion:
    """An ablation and what it comes to. `margin` is how much worse a treatment may come out and still do no harm."""

    ablation: Ablation
    comparison: Comparison
    margin: float
    scores: tuple[Scored, ...] = ()
    findings: tuple[Finding, ...] = ()
    remarks: tuple[str, ...] = ()
    differing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By treatment: the calibrated keys in which it differs from the control."""

    @property
    def is_harmless(self) -> bool:
        """Whether every treatment was shown to do no harm, on every suite."""
        return bool(self.findings) and all(one.is_harmless for one in self.findings)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was tried and judged on both sides anywhere."""
        return all(one.harm.difference is None for one in self.findings)

    @property
    def variants(self) -> list[Variant]:
        """The variants by the first suite, the control first."""
        return list(self.ablation.studies[0].variants)

    @property
    def newest(self) -> Measurement:
        """The measurement that was completed last."""
        return max(self.ablation.measurements, key=lambda one: (one.completed_at, one.id))


def concluded(ablation: Ablation, margin: float, alpha: float = 0.05) -> Conclusion:
    """Put an ablation's numbers together. CannotRun where a part of it is missing, or SciPy is not installed."""
    told = comparison(ablation.studies, alpha)
    return Conclusion(
        ablation,
        told,
        margin,
        tuple(one for study in ablation.studies for one in _scores(study)),
        tuple(one for study in ablation.studies for one in _findings(ablation, study, told, margin)),
        tuple(one for study in ablation.studies for one in _remarks(study)),
        _differing(ablation),
    )


def _scores(study: Study) -> Iterator[Scored]:
    for name in METRICS:
        units = [one.metrics[name] for variant in study.variants for one in variant.repeats if name in one.metrics]
        if any(each.value is not None for each in units):
            for variant in study.variants:
                yield Scored(study.suite, name, units[0].unit, units[0].direction, variant.name, _mean(variant, name))


def _mean(variant: Variant, metric: str) -> Mean | None:
    repeats = variant.repeats if variant.is_tried else ()
    values = (one.metrics[metric].value for one in repeats if metric in one.metrics)
    return mean([value for value in values if value is not None])


def _findings(ablation: Ablation, study: Study, told: Comparison, margin: float) -> Iterator[Finding]:
    control, *treatments = study.variants
    beside = len(treatments) * len(ablation.studies)
    for treatment in treatments:
        mine = [one for one in told.compared if one.other.name == treatment.name]
        yield from findings(control.repeats, treatment.repeats, mine, margin, beside)


def _remarks(study: Study) -> Iterator[str]:
    """What was not tried or judged by anybody, and so says nothing."""
    for variant in study.variants:
        every = {each.id for one in variant.repeats for each in one.samples}
        tried = {each.id for one in variant.repeats for each in one.samples if each.status in TRIED}
        if left := sorted(every - tried):
            named = ", ".join(left[:5]) + (f" and {len(left) - 5:,} more" if len(left) > 5 else "")
            yield f"{study.suite} at {variant.name}: {len(left):,} of {len(every):,} cases not judged: {named}"
        ended = [each for one in variant.repeats for each in one.samples if each.status in TRIED]
        if ended and all(each.status in ("error", "timeout") for each in ended):
            yield f"{study.suite} at {variant.name}: no case gave an output: {ended[0].error or ended[0].status}"


def _differing(ablation: Ablation) -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for study in ablation.studies:
        control, *treatments = study.variants
        for each in treatments:
            keys = calibrated.differing(control.arm.calibrated, each.arm.calibrated)
            found.setdefault(each.name, {}).update(dict.fromkeys(keys))
    return {name: tuple(keys) for name, keys in found.items()}


def metric_of(conclusion: Conclusion, metric: str) -> tuple[str, str]:
    """The suite and the name of a metric, by what the comparison calls it."""
    for study in conclusion.ablation.studies:
        first = study.variants[0].repeats[0]
        for name in METRICS:
            if key(first, name) == metric:
                return study.suite, name
    return "", metric
