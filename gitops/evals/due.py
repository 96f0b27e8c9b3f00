"""What is due (alexandria 14: weekly, M3 monthly, M2 after every ingest): what `git assay eval run --due` measures."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from gitops.evals.landings import Landing, landed
from gitops.evals.metric import Metric
from gitops.git import history, objects
from gitops.runs.context import Context, epoch_of
from gitops.runs.measurements import Measurement
from gitops.runs.records import Run

SLACK = timedelta(hours=12)
"""A job that runs weekly does so a little earlier or later each time; without slack every second week would pass."""


@dataclass(frozen=True, slots=True)
class Due:
    """When a metric was last measured, when it is due again, and why it is due now: '' where it is not."""

    metric: str
    last: datetime | None
    next: datetime | None
    why: str = ""


def schedule(
    context: Context,
    workspace: str,
    metrics: Mapping[str, Metric],
    known: Iterable[Measurement],
    runs: Iterable[Run],
    tip: str,
) -> dict[str, Due]:
    """When each metric is due, by its id. `runs` are all runs, `tip` is the commit that would be measured."""
    mine = [one for one in known if one.is_metric and one.workspace == workspace and not one.is_past]
    # One of a moment that is still to come, by a clock that went wrong, is told once and then holds nothing up.
    now = context.now
    mine.sort(key=lambda one: (one.completed_at <= now, one.completed_at, one.id))
    last = {one.suite: one for one in mine}
    of_type = (run for run in runs if (run.record.workspace, run.record.run_type) == (workspace, "ingest"))
    ingests = landed(context, tip, of_type).known
    return {name: _due(context, name, metric, last.get(name), ingests) for name, metric in metrics.items()}


def _due(context: Context, name: str, metric: Metric, last: Measurement | None, ingests: Sequence[Landing]) -> Due:
    if last is None:
        return Due(name, None, None, "it was never measured")
    at = datetime.fromtimestamp(epoch_of(last.completed_at), UTC)
    coming = _month_later(at) if metric.when == "monthly" else at + timedelta(weeks=1)
    now = context.clock()
    if now >= coming - SLACK:
        return Due(name, at, coming, f"it was last measured on {at:%Y-%m-%d}")
    if now < at:
        return Due(name, at, coming, f"the clock went backwards: it was last measured on {at:%Y-%m-%d}")
    if metric.when == "ingest" and (new := _not_in(context, ingests, last.commit)):
        return Due(name, at, coming, f"{new.id} landed since")
    return Due(name, at, coming)


def _month_later(at: datetime) -> datetime:
    year, month = (at.year + 1, 1) if at.month == 12 else (at.year, at.month + 1)
    return at.replace(year=year, month=month, day=min(at.day, monthrange(year, month)[1]))


def _not_in(context: Context, ingests: Sequence[Landing], measured: str) -> Landing | None:
    """The newest ingest, where the commit that was last measured does not have it."""
    newest = ingests[-1] if ingests else None
    if newest is None or not objects.exists(context.repository, measured):
        return newest
    return None if history.is_ancestor(context.repository, newest.commit, measured) else newest
