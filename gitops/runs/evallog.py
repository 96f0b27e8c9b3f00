"""Lands the log lines of evaluations that wait, by a run of type eval that brings nothing else (`PROTOCOL.md` 9)."""

from __future__ import annotations

from gitops.errors import AssayError
from gitops.git import refs
from gitops.runs import abandoning, evalruns, landing, staging, store
from gitops.runs.context import Context
from gitops.runs.landing import Options, Outcome
from gitops.runs.records import FINAL
from gitops.runs.workspace import Workspace


def land(context: Context, workspace: Workspace, target: str, *, push: bool = False) -> Outcome | None:
    """Bring the waiting lines into the log of a branch; None where there are none, or where they have to go on waiting.

    Why they wait is told through the context: the measurements are recorded, so nothing is lost by it.
    """
    tip = refs.read(context.repository, target)
    if tip is None:
        return None
    tree, log = context.tree(tip), workspace.layout.log
    waiting = evalruns.queued(context, workspace, target, tip, tree.read(log) if tree.blob(log) is not None else b"")
    if not waiting:
        return None
    reason = f"the log's lines of {len(waiting)} evaluation{'s' * (len(waiting) != 1)}"
    run = staging.start(context, workspace, target, staging.Request("eval", reason=reason))
    try:
        outcome = landing.finish(context, run.id, Options(push=push))
    except AssayError as error:
        _give_up(context, run.id, error.message)
        return None
    if outcome.result != "landed":
        _give_up(context, run.id, outcome.verdict.reasoning if outcome.verdict else outcome.result)
        return None
    return outcome


def _give_up(context: Context, run_id: str, why: str) -> None:
    context.warn(f"the log's lines of evaluations wait for the next landing: {why}")
    run = store.exact(context, run_id)
    if run is not None and run.status not in FINAL:
        abandoning.abandon(context, run_id, why)
