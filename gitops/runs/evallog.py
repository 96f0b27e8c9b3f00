"""Lands the log lines of evaluations that wait, by a run of type eval that brings nothing else (`PROTOCOL.md` 9)."""

from __future__ import annotations

from collections.abc import Iterable

from gitops.errors import Absent, AssayError, CannotRun
from gitops.git import refs
from gitops.index import records as rows
from gitops.runs import abandoning, evalruns, landing, mirror, names, remaking, staging, store
from gitops.runs.candidate import NothingToLand
from gitops.runs.context import Context
from gitops.runs.landing import Options, Outcome
from gitops.runs.measurements import Measurement
from gitops.runs.owning import Owned
from gitops.runs.records import FINAL, Run
from gitops.runs.workspace import Workspace

_LOOKED_AT = 60
"""So many of the newest eval runs are looked at for one that was cut short."""


def land(context: Context, workspace: Workspace, target: str, *, push: bool = False) -> Outcome | None:
    """Bring the waiting lines into the log of a branch; None where there are none, or where they have to go on waiting.

    Why they wait is told through the context: the measurements are recorded, so nothing is lost by it.
    """
    try:
        left = _left(context, workspace, target)
        first = _finished(context, left, push=push) if left is not None else None
        run = _begun(context, workspace, target)
        return _finished(context, run, push=push) if run is not None else first
    except AssayError as error:
        _tell(context, error.message)
    except Absent as error:
        _tell(context, f"this clone lacks what has to be read: {error}")
    return None


def catch_up(context: Context, runs: Iterable[Run], measured: Iterable[Measurement]) -> None:
    """Have the index know every eval run and measurement that the notes know: which lines wait is read from it.

    A kill between notes and index leaves it behind, and so does a fetch of what another machine measured.
    """
    made = {run.id for run in runs if run.status == "committed" and evalruns.is_measuring(run)}
    told = made & {one.run_id for one in measured if one.is_indexed}
    try:
        with mirror.opened(context) as index:
            known, shown = ({row["run_id"] for row in rows.rows(index, table)} for table in ("runs", "eval_runs"))
        if not (made <= known and told <= shown):
            remaking.remake(context)
    except CannotRun as error:
        context.warn(f"the index is behind the notes: {error.message}; mend it with git assay index rebuild")


def _begun(context: Context, workspace: Workspace, target: str) -> Run | None:
    """A run that brings the lines that wait; None where there are none."""
    tip = refs.read(context.repository, target)
    if tip is None:
        return None
    tree, log = context.tree(tip), workspace.layout.log
    there = tree.read(log) if tree.blob(log) is not None else b""
    waiting = evalruns.queued(context, workspace, target, tip, there, context.now)
    if not waiting:
        return None
    reason = f"the log's lines of {len(waiting)} evaluation{'s' * (len(waiting) != 1)}"
    return staging.start(context, workspace, target, staging.Request("eval", reason=reason))


def _left(context: Context, workspace: Workspace, target: str) -> Run | None:
    """An eval run for this log that is open and has nothing staged: an earlier attempt was killed over it."""
    wanted = {"workspace": workspace.name, "run_type": evalruns.RUN_TYPE, "target": target}
    with mirror.opened(context) as index:
        found = rows.rows(index, "runs", wanted, newest_by="started_at", limit=_LOOKED_AT)
    for row in found:
        if row["status"] in FINAL or refs.read(context.repository, names.branch(row["run_id"])) != row["root"]:
            continue
        run = store.exact(context, row["run_id"])
        if run is not None and run.status not in FINAL and run.record.triggered_by == context.triggered_by:
            return run
    return None


def _finished(context: Context, run: Run, *, push: bool) -> Outcome | None:
    try:
        outcome = landing.finish(context, run.id, Options(push=push))
    except Owned:
        raise  # somebody is at it: it is theirs to end
    except NothingToLand as error:  # they came in by another landing
        abandoning.abandon(context, run.id, error.message)
        return None
    except AssayError as error:
        _give_up(context, run.id, error.message)
        return None
    if outcome.result != "landed":
        _give_up(context, run.id, outcome.verdict.reasoning if outcome.verdict else outcome.result)
        return None
    return outcome


def _give_up(context: Context, run_id: str, why: str) -> None:
    _tell(context, why)
    run = store.exact(context, run_id)
    if run is not None and run.status not in FINAL:
        abandoning.abandon(context, run_id, why)


def _tell(context: Context, why: str) -> None:
    context.warn(f"the log's lines of evaluations wait for the next landing: {why}")
