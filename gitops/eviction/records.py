"""What was learned from feedback as plain JSON: what the commands print."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gitops.eviction import calibrating
from gitops.eviction.calibrating import Calibrated, Part
from gitops.eviction.features import Row
from gitops.eviction.heuristic import Weights
from gitops.eviction.predicting import Band, Measured
from gitops.eviction.rates import Rate, Rates
from gitops.stats.bootstrap import Interval

_DIGITS = 4


def of_rates(found: Rates, scope: str | None) -> dict[str, Any]:
    """The report (`assay/eviction-report/1`)."""
    return {
        "schema": "assay/eviction-report/1",
        "scope": scope,
        "resolved": found.resolved,
        "drawn_by": found.unit,
        "overall": _rate(found.overall),
        "zones": _rates(found.zones),
        "ages": _rates(found.ages),
        "scores": _rates(found.scores),
        "scopes": _rates(found.scopes),
        "scorers": _rates(found.scorers),
        "remarks": [{"kind": each.kind, "of": each.of, "told": each.told} for each in found.remarks],
    }


def of_calibration(found: Calibrated) -> dict[str, Any]:
    """What was fitted and how well it foretells (`assay/eviction-calibration/1`)."""
    return {
        "schema": "assay/eviction-calibration/1",
        "weights_before": found.before.named(),
        "weights_after": found.after.named(),
        "toml": calibrating.toml(found.after),
        "fitted": _part(found.fitted),
        "held": _part(found.held),
        "split_by": found.unit,
        "by_time": found.by_time,
        "seed": found.seed,
        "measures": [_measured(each) for each in found.measured],
        "bands_before": _bands(found.bands_before),
        "bands_after": _bands(found.bands_after),
    }


def of_online(policy: Weights, now: Weights, rows: Sequence[Row], suites: Sequence[str]) -> dict[str, Any]:
    """Where online calibration has come to (`assay/eviction-online/1`)."""
    counted = calibrating.part(rows)
    return {
        "schema": "assay/eviction-online/1",
        "weights_policy": policy.named(),
        "weights_now": now.named(),
        "followed": _part(counted),
        "shown_on": list(suites),
    }


def _rates(found: Sequence[Rate]) -> list[dict[str, Any]]:
    return [_rate(each) for each in found]


def _rate(found: Rate) -> dict[str, Any]:
    return {
        "name": found.name,
        "excluded": found.kept,
        "n": found.n,
        "proposals": found.proposals,
        "rate": _round(found.rate),
        "interval": _interval(found.interval),
        "mean_score": _round(found.score),
    }


def _part(found: Part) -> dict[str, Any]:
    return {"n": found.n, "excluded": found.kept, "proposals": found.proposals, "scopes": found.scopes}


def _measured(found: Measured) -> dict[str, Any]:
    return {
        "name": found.name,
        "before": _round(found.before),
        "before_interval": _interval(found.before_interval),
        "after": _round(found.after),
        "after_interval": _interval(found.after_interval),
        "difference": _round(found.difference),
        "interval": _interval(found.interval),
        "reading": found.reading,
    }


def _bands(found: Sequence[Band]) -> list[dict[str, Any]]:
    return [
        {
            "low": _round(each.low),
            "high": _round(each.high),
            "n": each.n,
            "predicted": _round(each.predicted),
            "observed": _round(each.observed),
            "interval": _interval(each.interval),
        }
        for each in found
    ]


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)


def _interval(found: Interval | None) -> list[float] | None:
    return None if found is None else [round(end, _DIGITS) for end in found]
