"""Tells of runs that were merged before anybody verified them what they write: their branch shows it."""

from __future__ import annotations

from dataclasses import replace

from gitops.git import history, objects, refs
from gitops.runs import candidate, endings, evalruns, names, owning, store
from gitops.runs.context import Context
from gitops.runs.owning import owned
from gitops.runs.records import FINAL, Run
from gitops.runs.workspace import Workspace

_REMOTES = "refs/remotes/"


def by_its_branch(context: Context, workspace: Workspace, run: Run) -> Run:
    """The run with the plan that verification would record, if it has none and its branch is known here; else as it is.

    Nothing is written.
    """
    if run.plan is not None or run.status in FINAL or evalruns.is_measuring(run):
        return run
    if (head := _branch(context, run.id)) is None or not objects.exists(context.repository, run.record.base):
        return run
    base = history.merge_base(context.repository, run.record.base, head)
    done = candidate.operations(context.tree(base), context.tree(head), workspace) if base else ()
    if base is None or not done:
        return run
    state = endings.next_state(context, run, run.status, base=base, head=head)
    return replace(run, states=(*run.states, state), plan=candidate.plan(run, base, head, done))


def record(context: Context, run: Run) -> None:
    """Write down the plan of a run that was given one here; what is on record already stays as it is.

    `Owned` while somebody else is at the run.
    """
    with owned(context, run.id, wait=owning.WRITER_WAITS_S):
        known = store.exact(context, run.id)
        if known is not None and known.plan is None and run.plan is not None:
            fields = {"base": run.state.base, "head": run.state.head}
            endings.record(context, known, run.plan, endings.next_state(context, known, known.status, **fields))


def _branch(context: Context, run_id: str) -> str | None:
    """The run's last commit, by its branch here, else by that of a remote as it was fetched last."""
    own = refs.read(context.repository, names.branch(run_id))
    there = refs.listed(context.repository, _REMOTES)
    return own or next((tip for ref, tip in there.items() if ref.endswith(f"/run/{run_id}")), None)
