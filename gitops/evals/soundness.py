"""Whether what a metric gave can be believed and kept: a number that is none must close no gate, and stop no other."""

from __future__ import annotations

from math import isfinite

from gitops.canonical import dumps
from gitops.evals.metric import Metric, MetricResult
from gitops.runs import measurements
from gitops.runs.measurements import Measurement


def demand_score(metric: Metric, result: MetricResult) -> None:
    """ValueError for a score or an interval that is no number, or a share or product outside 0 to 1."""
    for number in (*(result.interval or ()), *(() if result.score is None else (result.score,))):
        if not isfinite(number):
            raise ValueError(f"{number} is no score")
        if metric.unit in ("share", "product") and not 0 <= number <= 1:
            raise ValueError(f"{number} is no {metric.unit}: those lie between 0 and 1")


def demand_readable(measurement: Measurement) -> None:
    """ValueError for a measurement whose record would be skipped by whoever reads it."""
    if isinstance(told := measurements.parse(dumps(measurement.record())), str):
        raise ValueError(f"its record cannot be read back: {told}")
