"""How a run of type lint begins that a writer fills: where it is to land, and on what it was planned."""

from __future__ import annotations

from dataclasses import dataclass, field

from gitops.errors import CannotRun
from gitops.runs import abandoning, staging
from gitops.runs.context import Context
from gitops.runs.outcome import Options
from gitops.runs.records import Run
from gitops.runs.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Request:
    """Where to land and how. `base` is the target's tip that was looked at; with `plan` nothing is written."""

    target: str
    base: str
    preset: str = "offline"
    plan: bool = False
    options: Options = field(default_factory=Options)


def begin(
    context: Context, workspace: Workspace, request: Request, option: str, reason: str, sources: tuple[str, ...] = ()
) -> Run:
    """Begin the run that `git assay lint` with an option makes. Its trigger says which preset writes, and so that a
    program answers for it.

    CannotRun where the target moved: staged whole, pages of another tip would undo what came in meanwhile.
    """
    trigger = f"cli:lint {option} {request.preset}"
    asked = staging.Request("lint", sources, reason, triggered_by=trigger)
    run = staging.start(context, workspace, request.target, asked)
    if run.record.base != request.base:
        told = "the target moved while it was looked at"
        abandoning.abandon(context, run.id, told)
        raise CannotRun(told, f"git assay lint {option} again")
    return run
