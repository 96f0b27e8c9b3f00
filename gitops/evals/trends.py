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
every week is seen all the same. What is older counts where nothing else is there, with its fall spread over the months
since: one of them saw at least so much."""
_FORMAT = "%Y-%m-%dT%H:%M:%SZ"


@dataclass(frozen=True, slots=True)
class Trend:
    """The score of about a month before, when that was, how far the score has fallen since; or why there is none.

    `months` are those between: 1 but where no month before was measured.
    """

    previous: float | None = None
    at: str = ""
    measurement: str = ""
    drop: float | None = None
    reason: str = ""
    months: float = 1.0

    def has_fallen(self, by: float) -> bool:
        """Whether it fell by more than so much a month."""
        return self.drop is not None and round(self.drop / self.months, 6) > by

    def record(self) -> dict[str, Any]:
        """As details have it."""
        if self.drop is None:
            return {"previous": None, "reason": self.reason}
        told = {"previous": self.previous, "at": self.at, "measurement": self.measurement, "drop": self.drop}
        return told | {"months": round(self.months, 2)}


def month_over_month(
    past: Iterable[Measurement], metric: str, score: float, moment: datetime, measured_with: Mapping[str, Any]
) -> Trend:
    """The trend of a metric that scores so much at a moment, by its past measurements.

    Taken is the one nearest to 30 days before, of those 20 to 45 days old; where a month was missed, the newest older
    one. `measured_with` are names and values of what a measurement must have in common with it: its `suite_version`, or
    an entry of its instrument or subject.
    """
    old = [one for one in past if one.metrics[metric].value is not None and moment - _moment(one) >= NEAREST]
    if not old:
        return Trend(reason=f"nothing was measured {NEAREST.days} days before or earlier")
    alike = [one for one in old if not _differences(one, measured_with)]
    if not alike:
        newest = max(old, key=_moment)
        named = ", ".join(f"another {name}" for name in _differences(newest, measured_with))
        return Trend(reason=f"that of {_moment(newest):%Y-%m-%d} was measured with {named}: no trend")
    nearest = min(alike, key=lambda one: (_distance(moment - _moment(one)), one.id))
    previous, age = nearest.metrics[metric].value, moment - _moment(nearest)
    assert previous is not None
    months = age / MONTH if age > FARTHEST else 1.0
    # Six decimals are what is recorded: beyond them 0.90 − 0.85 would be more than 0.05.
    return Trend(previous, f"{_moment(nearest):{_FORMAT}}", nearest.id, round(previous - score, 6), months=months)


def _distance(age: timedelta) -> tuple[bool, timedelta]:
    return age > FARTHEST, abs(age - MONTH)


def _moment(one: Measurement) -> datetime:
    return datetime.strptime(spoken_of(one), _FORMAT).replace(tzinfo=UTC)


def _differences(one: Measurement, measured_with: Mapping[str, Any]) -> list[str]:
    had = {"suite_version": one.suite_version, **one.subject, **one.instrument}
    return [_CALLED.get(name, name) for name, value in measured_with.items() if had.get(name) != value]


_CALLED = {"suite_version": "version of the metric", "gold": "gold"}
