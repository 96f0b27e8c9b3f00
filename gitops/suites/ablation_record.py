"""An ablation as plain JSON: what `--json` prints, and what lies in `data/ablation/`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gitops.suites.ablations import Study, Variant
from gitops.suites.concluding import Conclusion, Scored
from gitops.suites.harms import Finding

SCHEMA = "assay/ablation/1"


def record(conclusion: Conclusion, *, is_kept: bool, files: Sequence[str] = ()) -> dict[str, Any]:
    """The whole of it; `files` are the reports that were written."""
    every = conclusion.ablation.measurements
    arm = conclusion.variants[0].arm
    return {
        "schema": SCHEMA,
        "id": conclusion.ablation.id,
        "workspace": every[0].workspace,
        "started_at": min(one.started_at for one in every),
        "completed_at": conclusion.newest.completed_at,
        "repeats": arm.repeats,
        "seed": arm.seed,
        "alpha": conclusion.comparison.alpha,
        "margin": conclusion.margin,
        "is_harmless": conclusion.is_harmless,
        "is_kept": is_kept,
        "variants": [_variant(conclusion, one) for one in conclusion.variants],
        "suites": [_suite(study) for study in conclusion.ablation.studies],
        "scores": [_score(one) for one in conclusion.scores],
        "compared": conclusion.comparison.record()["compared"],
        "harm": [_harm(one) for one in conclusion.findings],
        "remarks": list(conclusion.remarks),
        "measurements": [one.id for one in every],
        "files": list(files),
    }


def _variant(conclusion: Conclusion, one: Variant) -> dict[str, Any]:
    studies = conclusion.ablation.studies
    return {
        "name": one.name,
        "commit": one.commit,
        "is_control": one.arm.is_control,
        "overrides": dict(one.arm.overrides),
        "calibrated": {study.suite: dict(study.variants[one.arm.place].arm.calibrated) for study in studies},
        "differing": list(conclusion.differing.get(one.name, ())),
    }


def _suite(study: Study) -> dict[str, Any]:
    control = study.variants[0]
    cases = len({each.id for each in control.repeats[0].samples})
    return {"suite": study.suite, "version": study.version, "digest": control.arm.suite, "cases": cases}


def _score(one: Scored) -> dict[str, Any]:
    mean = one.mean
    return {
        "suite": one.suite,
        "metric": one.metric,
        "unit": one.unit,
        "direction": one.direction,
        "variant": one.variant,
        "mean": mean.value if mean else None,
        "spread": mean.spread if mean else None,
        "interval": mean.interval if mean else None,
        "repeats": mean.repeats if mean else 0,
    }


def _harm(one: Finding) -> dict[str, Any]:
    found = one.harm
    return {
        "suite": one.suite,
        "treatment": one.treatment,
        "metric": one.metric,
        "held": found.held,
        "pairs": found.pairs,
        "difference": found.difference,
        "interval": found.interval,
        "needed": found.needed,
        "why": one.why,
    }
