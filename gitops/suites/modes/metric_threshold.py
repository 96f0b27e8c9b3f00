"""Metrics of the attempt stay within bounds: `metric_thresholds` are upper ones, lower ones where the name ends `_min`.

`latency_ms`, `token_cost`, `usd` and `retries` are measured here; any other name is what the target told of itself. A
metric that nobody told says neither yes nor no, and so does the latency of an answer that was replayed.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any

from gitops.suites.model import BenchmarkExpected
from gitops.suites.modes.mode import Asked, Grade
from gitops.suites.target import Attempt

LOWER = "_min"
LATENCY = "latency_ms"


def check(value: Any, expected: BenchmarkExpected) -> None:
    """Thresholds, each a number that can be reached."""
    bounds = expected.metric_thresholds
    if not bounds:
        raise ValueError("mode metric_threshold needs 'metric_thresholds', such as {\"latency_ms\": 5000}")
    for name, bound in bounds.items():
        if not isfinite(bound):
            raise ValueError(f"the threshold of {name} is no finite number")
        if not name.removesuffix(LOWER):
            raise ValueError(f"the threshold {name!r} names no metric")


def grade(asked: Asked) -> Grade:
    """Hold what is known to its bound: one that breaks it says no, one that nobody knows leaves it open."""
    found = known(asked.attempt)
    broken, unknown, held = [], [], 0
    for name, bound in (asked.case.expected.metric_thresholds or {}).items():
        metric = name.removesuffix(LOWER)
        if metric == LATENCY and not asked.is_timed:
            continue
        value = found.get(metric)
        if value is None or not isfinite(value):
            unknown.append(metric)
            continue
        held += 1
        is_lower = name.endswith(LOWER)
        if (value < bound) if is_lower else (value > bound):
            broken.append(f"{metric} is {value:g}, {'at least' if is_lower else 'at most'} {bound:g} is wanted")
    if broken:
        return Grade(False, "; ".join(broken), "threshold")
    if unknown:
        return Grade(None, f"nobody told {', '.join(unknown)}")
    return Grade(True) if held else Grade(None, "latency was replayed, and says nothing")


def known(attempt: Attempt) -> Mapping[str, float]:
    """The metrics of an attempt; what is measured here is not the target's to tell."""
    measured = {LATENCY: attempt.latency_ms, "token_cost": float(attempt.tokens), "usd": attempt.usd}
    return {**attempt.metrics, **measured, "retries": float(attempt.retries)}
