"""When a workspace was last synthesized, when it is due again, and which of its syntheses are still open."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from gitops.config import RunType
from gitops.git import objects, refs
from gitops.runs import proof, pushing
from gitops.runs.context import Context, epoch_of
from gitops.runs.records import Run
from gitops.runs.spans import length
from gitops.runs.workspace import Workspace

RUN_TYPE: RunType = "synthesis"
_OPEN = ("pending", "verifying")


@dataclass(frozen=True, slots=True)
class Last:
    """The last synthesis that landed. `read` is the commit that it looked at, `at` when it landed."""

    run: Run
    read: str
    at: datetime


def of_workspace(runs: Iterable[Run], workspace: Workspace) -> list[Run]:
    """The syntheses of a workspace, newest first."""
    mine = [run for run in runs if run.record.run_type == RUN_TYPE and run.record.workspace == workspace.name]
    return sorted(mine, key=lambda run: (run.record.started_at, run.id), reverse=True)


def last_landed(context: Context, syntheses: Iterable[Run], target: str) -> Last | None:
    """The synthesis that landed last, and whose commit is in the target's history still, here or at its upstream."""
    tips = [tip for tip in (refs.read(context.repository, target), pushing.tracked(context, target)) if tip]
    landed = [run for run in syntheses if run.status == "committed" and run.record.target == target]
    gone = {run.id for run in proof.outside(context, landed, *tips)} if landed else set()
    standing = [run for run in landed if run.id not in gone]
    if not standing:
        return None
    last = max(standing, key=lambda run: (run.ended_at or "", run.record.started_at, run.id))
    return Last(last, last.record.base, datetime.fromtimestamp(epoch_of(last.state.at), UTC))


def begins_at(context: Context, last: Last | None) -> str | None:
    """The commit from which on things are new; None for the beginning, also where this clone lacks the commit."""
    if last is None:
        return None
    if objects.exists(context.repository, last.read):
        return last.read
    context.warn(f"this clone lacks {last.read[:10]}, which the last synthesis read; everything counts as new")
    return None


def due_at(last: Last | None, every: str) -> datetime | None:
    """When the next synthesis is due (`[synthesis] every`); None where there was none yet, so that it is due now."""
    return None if last is None else last.at + length(every)


def open_one(syntheses: Iterable[Run]) -> Run | None:
    """The synthesis that is under way or waits to be finished, drafts included; the newest of them."""
    return next((run for run in syntheses if run.status in _OPEN), None)


def failed_since(syntheses: Iterable[Run], last: Last | None) -> list[Run]:
    """The syntheses that came to nothing after the last one that landed."""
    begun = "" if last is None else last.run.record.started_at
    return [run for run in syntheses if run.status in ("rejected", "abandoned") and run.record.started_at >= begun]
