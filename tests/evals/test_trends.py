from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from gitops.evals.trends import month_over_month
from gitops.runs.measurements import Measurement, Metric

NOW = datetime(2026, 11, 22, 8, 0, tzinfo=UTC)
WITH = {"suite_version": "1", "gold": "g", "preset": "offline", "model": ""}


def past(days: float, score: float | None, **changed: Any) -> Measurement:
    """A measurement of M3 so many days ago."""
    have = {**WITH, **changed}
    at = f"{NOW - timedelta(days=days):%Y-%m-%dT%H:%M:%SZ}"
    return Measurement(
        summary="",
        kind="metric",
        run_id=f"r{days}",
        commit="c" * 40,
        workspace="w",
        suite="M3",
        suite_version=have["suite_version"],
        subject={"preset": have["preset"], "model": have["model"], "moment": at},
        instrument={"gold": have["gold"]},
        started_at=at,
        completed_at=at,
        metrics={"M3": Metric(value=score, n=30, direction="higher", unit="product", status="measured")},
    ).named()


def drop(*measured: Measurement, score: float = 0.80) -> float | None:
    return month_over_month(measured, "M3", score, NOW, WITH).drop


@pytest.mark.parametrize("days", [0, 1, 7, 14, 19.9, -30])
def test_what_is_younger_than_a_month_gives_no_trend(days: float) -> None:
    trend = month_over_month([past(days, 0.9)], "M3", 0.8, NOW, WITH)
    assert trend.record() == {"previous": None, "reason": "nothing was measured 20 days before or earlier"}
    assert not trend.has_fallen(0.0)


def test_what_was_not_measured_gives_no_trend() -> None:
    assert drop(past(30, None)) is None


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"gold": "h"}, "another gold"),
        ({"suite_version": "2"}, "another version of the metric"),
        ({"preset": "claude", "model": "m"}, "another preset, another model"),
    ],
)
def test_another_instrument_is_told_and_not_compared(changed: dict[str, str], said: str) -> None:
    trend = month_over_month([past(30, 0.9, **changed)], "M3", 0.8, NOW, WITH)
    assert trend.drop is None
    assert trend.reason == f"that of 2026-10-23 was measured with {said}: no trend"


def test_one_that_is_alike_is_taken_before_a_nearer_one_that_is_not() -> None:
    assert drop(past(30, 0.95, gold="h"), past(24, 0.9)) == 0.1


def test_the_one_nearest_to_a_month_is_taken_whatever_was_measured_since() -> None:
    weekly = [
        past(days, score) for days, score in ((44, 0.99), (37, 0.98), (30.5, 0.9), (23, 0.88), (16, 0.85), (9, 0.82))
    ]
    trend = month_over_month(weekly, "M3", 0.8, NOW, WITH)
    assert (trend.previous, trend.drop) == (0.9, 0.1)
    assert trend.record() == {
        "previous": 0.9,
        "at": "2026-10-22T20:00:00Z",
        "measurement": weekly[2].id,
        "drop": 0.1,
        "months": 1.0,
    }


@pytest.mark.parametrize(
    ("days", "now", "months", "has_fallen"),
    [
        (45, 0.84, 1.0, True),
        (60, 0.80, 2.0, False),  # 0.10 in two months
        (60, 0.799, 2.0, True),
        (75, 0.78, 2.5, False),  # 0.12 in two and a half
        (75, 0.77, 2.5, True),
        (360, 0.25, 12.0, True),
        (360, 0.35, 12.0, False),
    ],
)
def test_where_a_month_was_missed_the_fall_is_spread_over_the_months_since(
    days: float, now: float, months: float, has_fallen: bool
) -> None:
    missed = [past(days + 30, 0.99), past(days, 0.90), past(30, None), past(14, 0.1)]
    trend = month_over_month(missed, "M3", now, NOW, WITH)
    assert (trend.previous, trend.months, trend.has_fallen(0.05)) == (0.90, months, has_fallen)


def test_a_month_that_was_measured_comes_before_an_older_one_that_is_nearer_to_its_end() -> None:
    assert drop(past(45, 0.95), past(46, 0.9)) == 0.15
    assert drop(past(20, 0.95), past(46, 0.9)) == 0.15


@pytest.mark.parametrize(
    ("before", "now", "has_fallen"),
    [(0.90, 0.85, False), (0.90, 0.849999, True), (0.85, 0.80, False), (0.7, 0.9, False), (0.8, 0.8, False)],
)
def test_falling_is_more_than_the_bound_and_rounding_is_no_fall(before: float, now: float, has_fallen: bool) -> None:
    assert month_over_month([past(30, before)], "M3", now, NOW, WITH).has_fallen(0.05) is has_fallen
