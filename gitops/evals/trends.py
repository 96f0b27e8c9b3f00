"""Month over month: a score beside that of about a month before, where both were measured by the same instrument."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from gitops.evals.running import spoken_of
from gitops.runs.measurements import Measurement

MONTH = timedelta(days=30)
NEAREST, FARTHEST = timedelta(days=20), timedelta(days=45)
"""How long ago it may be to count as a month before. What is newer starts no month anew, so a decline that is measured
every week is seen all the same."""
_FORMAT = "%Y-%m-%dT%H:%M:%SZ"


@dataclass(frozen=True, slots=True)
class Trend:
    """The score of about a month before, when that was, how far the score has fallen since; or why there is none."""

    previous: float | None = None
    at: str = ""
    measurement: str = ""
    drop: float | None = None
    reason: str = ""

    def has_fallen(self, by: float) -> bool:
        """Whether it fell by more than so much."""
        return self.drop is not None and self.drop > by

    def record(self) -> dict[str, Any]:
        """As details have it."""
        if self.drop is None:
            return {"previous": None, "reason": self.reason}
        return {"previous": self.previous, "at": self.at, "measurement": self.measurement, "drop": self.drop}


def month_over_month(
    past: Iterable[Measurement], metric: str, score: float, moment: datetime, measured_with: Mapping[str, Any]
) -> Trend:
    """The trend of a metric that scores so much at a moment, by its past measurements.

    Taken is the one nearest to 30 days before, of those 20 to 45 days old. `measured_with` are names and values of what
    a measurement must have in common with it: its `suite_version`, or an entry of its instrument or subject.
    """
    within = [one for one in past if one.metrics[metric].value is not None and _is_a_month_before(one, moment)]
    if not within:
        return Trend(reason=f"nothing was measured {NEAREST.days} to {FARTHEST.days} days before")
    alike = [one for one in within if not _differences(one, measured_with)]
    if not alike:
        newest = max(within, key=_moment)
        named = ", ".join(f"another {name}" for name in _differences(newest, measured_with))
        return Trend(reason=f"that of {_moment(newest):%Y-%m-%d} was measured with {named}: no trend")
    nearest = min(alike, key=lambda one: (abs(moment - _moment(one) - MONTH), one.id))
    previous = nearest.metrics[metric].value
    assert previous is not None
    # Six decimals are what is recorded: beyond them 0.90 − 0.85 would be more than 0.05.
    return Trend(previous, f"{_moment(nearest):{_FORMAT}}", nearest.id, round(previous - score, 6))


def _is_a_month_before(one: Measurement, moment: datetime) -> bool:
    return NEAREST <= moment - _moment(one) <= FARTHEST


def _moment(one: Measurement) -> datetime:
    return datetime.strptime(spoken_of(one), _FORMAT).replace(tzinfo=UTC)


def _differences(one: Measurement, measured_with: Mapping[str, Any]) -> list[str]:
    had = {"suite_version": one.suite_version, **one.subject, **one.instrument}
    return [_CALLED.get(name, name) for name, value in measured_with.items() if had.get(name) != value]


_CALLED = {"suite_version": "version of the metric", "gold": "gold"}
