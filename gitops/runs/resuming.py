"""Takes up what a run left that is not in its target, in a new run: its pages, on the target's present tip."""

from __future__ import annotations

from gitops.errors import CannotRun, UsageError
from gitops.git import commits, merging, objects, refs
from gitops.runs import names, proof, pushing, rebasing, staging, store
from gitops.runs.branches import advance
from gitops.runs.context import Context
from gitops.runs.owning import WRITER_WAITS_S, owned
from gitops.runs.records import Run


def left_by(context: Context, text: str) -> Run:
    """The run to take up. UsageError where it landed, or is still open and can simply be written to."""
    run = store.find(context, text)
    if run.status == "committed" and _stands(context, run):
        raise UsageError(f"run {run.id} has landed: there is nothing to take up", "git assay run start")
    if run.status in ("pending", "verifying"):
        raise UsageError(f"run {run.id} is {run.status}: it can be written to as it is", f"git assay run show {run.id}")
    return run


def _stands(context: Context, run: Run) -> bool:
    """Is what landed in the target's history still, here or at its upstream?"""
    target = run.record.target
    tips = [tip for tip in (refs.read(context.repository, target), pushing.tracked(context, target)) if tip]
    return not proof.outside(context, [run], *tips)


def take_up(context: Context, run: Run, old: Run) -> str:
    """Stage in `run` what `old` had staged; returns the new head. CannotRun where the target has moved into it."""
    with owned(context, run.id, wait=WRITER_WAITS_S):
        return _taken_up(context, run, old)


def _taken_up(context: Context, run: Run, old: Run) -> str:
    repository = context.repository
    left = old.state.head
    head = staging.head_of(context, run)
    if not objects.exists(repository, left):
        raise CannotRun(f"nothing of run {old.id} is in this clone", f"git fetch origin '{names.kept(old.id)}*'")
    dropped = rebasing.dropped(context, old, head, left)
    sides = (head, left) if dropped is None else rebasing.sides(context, dropped, head, left)
    merged = merging.merge(repository, *sides)
    if merged.tree is None:
        shown = ", ".join(merged.conflicts[:5])
        raise CannotRun(f"run {old.id} conflicts with its target in {shown}", "stage those pages anew with run write")
    tree = rebasing.pages_alone(context, run, head, merged.tree)
    if tree == context.tree(head).tree_id:
        return head
    message = commits.with_trailers(f"Take up run {old.id}", "", [("Assay-Run", run.id)])
    commit = commits.write(repository, tree, [head], message, context.identity, context.epoch, sign=False)
    if not advance(context, names.branch(run.id), commit, head, "assay: take up"):
        raise CannotRun(f"run/{run.id} moved meanwhile", "run the command again")
    return commit
