"""A branch `run/<id>` that is pushed: its writer's own, as long as it writes pages alone and has not ended."""

from __future__ import annotations

from gitops.git import history, notes
from gitops.runs import names, store
from gitops.runs.context import Context
from gitops.runs.guarding import guarded
from gitops.runs.receiving import based
from gitops.runs.receiving.lines import Line, refused, short
from gitops.runs.records import FINAL
from gitops.runs.reflines import Examined, are_touched
from gitops.runs.workspace import at, roots


def examine(context: Context, line: Line) -> Examined:
    """Judge one branch below `run/`. A run may be rebased, and taken back: only what it holds in the end counts."""
    if line.deletes:
        return Examined(line.ref, True, "")
    run_id = line.ref.removeprefix(names.BRANCHES)
    if not names.is_id(run_id):
        told = "it can be no run: an id is 3 to 63 of a-z, 0-9 and '-', not starting with '-'"
        return refused(line, told, "git branch -m its name run/ID; or another beginning, where it is no run")
    if (status := _ending(context, run_id)) is not None:
        told = f"run {run_id} is {status}: what comes after is another run's"
        return refused(line, told, f"git branch -m run/{run_id} run/NEW-ID")
    base = based.base(context, line.new)
    policies = list(roots(context.tree(base))) if base is not None else []
    if base is None:
        return refused(line, f"{short(line.ref)} shares no history with any branch here", "git assay run start")
    if not policies:
        return Examined(line.ref, True, "there is no policy here yet to judge it by")
    new = list(history.between(context.repository, base, line.new))
    workspaces = [at(context.tree(base), root, base) for root in policies]
    # What lies in no workspace is no page either, and any policy says so.
    concerned = are_touched(context, workspaces, base, line.new, new) or workspaces[:1]
    return guarded(context, line.ref, concerned, base, line.new, new, is_run=True)


def _ending(context: Context, run_id: str) -> str | None:
    """How a run has ended by its records, wherever they sit; None where none says that it has."""
    named = f'"run_id":"{run_id}"'
    for root, lines in notes.read_all(context.repository, names.RUNS):
        mine = [line for line in lines if named in line]
        run = store.begun_on(context, root, mine).get(run_id) if mine else None
        if run is not None and run.status in FINAL:
            return run.status
    return None
