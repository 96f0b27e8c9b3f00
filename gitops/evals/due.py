"""What is due (alexandria 14: weekly, M3 monthly, M2 after every ingest): what `git assay eval run --due` measures."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from gitops.evals.metric import Metric
from gitops.git import history, objects
from gitops.runs.context import Context, epoch_of
from gitops.runs.gates import KIND
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
    mine = [one for one in known if one.kind == KIND and one.workspace == workspace and not one.is_past]
    # One of a moment that is still to come, by a clock that went wrong, is told once and then holds nothing up.
    now = context.now
    mine.sort(key=lambda one: (one.completed_at <= now, one.completed_at, one.id))
    last = {one.suite: one for one in mine}
    ingests = _landed(context, workspace, runs, tip)
    return {name: _due(context, name, metric, last.get(name), ingests) for name, metric in metrics.items()}


def _due(context: Context, name: str, metric: Metric, last: Measurement | None, ingests: Sequence[Run]) -> Due:
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


def _landed(context: Context, workspace: str, runs: Iterable[Run], tip: str) -> list[Run]:
    """The ingests that landed in the history of a commit, newest first."""
    ingests = [run for run in runs if run.record.workspace == workspace and run.record.run_type == "ingest"]
    there = [run for run in ingests if run.status == "committed" and _is_in(context, run, tip)]
    return sorted(there, key=lambda run: (run.state.at, run.id), reverse=True)


def _is_in(context: Context, run: Run, tip: str) -> bool:
    commit = run.state.candidate
    return objects.exists(context.repository, commit) and history.is_ancestor(context.repository, commit, tip)


def _not_in(context: Context, ingests: Sequence[Run], measured: str) -> Run | None:
    """The newest ingest, where the commit that was last measured does not have it."""
    newest = ingests[0] if ingests else None
    if newest is None or (objects.exists(context.repository, measured) and _is_in(context, newest, measured)):
        return None
    return newest
