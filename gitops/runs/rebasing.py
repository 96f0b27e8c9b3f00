"""Brings a run up to its target: the target is merged into the run's branch, so its records stay where they are."""

from __future__ import annotations

from typing import Literal

from gitops.errors import CannotRun
from gitops.git import commits, history, merging, refs, trees
from gitops.git.snapshot import TreeSnapshot
from gitops.runs import endings, names, staging
from gitops.runs.branches import advance
from gitops.runs.context import Context
from gitops.runs.owning import WRITER_WAITS_S, owned
from gitops.runs.records import Run


def rebase(context: Context, run: Run, take: Literal["run", "target"] | None = None) -> str:
    """Merge the target's tip into the run; says what was done.

    Conflicts change nothing and are named, unless `take` says whose whole page stands.
    """
    with owned(context, run.id, wait=WRITER_WAITS_S):
        return _rebased(context, run, take)


def _rebased(context: Context, run: Run, take: Literal["run", "target"] | None) -> str:
    repository = context.repository
    base = refs.read(repository, run.record.target)
    head = staging.head_of(context, run)
    short = run.record.target.removeprefix("refs/heads/")
    if base is None:
        raise CannotRun(f"the target {short} is gone", f"git assay run abandon {run.id}")
    if history.is_ancestor(repository, base, head):
        return f"run {run.id} stands on the tip of {short} already"
    merged = merging.merge(repository, base, head)
    if merged.tree is not None:
        tree, taken = merged.tree, ""
    elif take is None:
        raise CannotRun(
            f"run {run.id} and {short} both changed {', '.join(merged.conflicts[:5])}; nothing is changed",
            f"git assay run rebase {run.id} --take target (or run), then write those pages again",
        )
    else:
        tree, taken = _chosen(context, base, head, merged.conflicts, take), f", {take}'s version of conflicting pages"
    message = commits.with_trailers(f"Bring run {run.id} up to {short}", "", [("Assay-Run", run.id)])
    commit = commits.write(repository, tree, [head, base], message, context.identity, context.epoch, sign=False)
    if not advance(context, names.branch(run.id), commit, head, "assay: rebase"):
        raise CannotRun(f"run/{run.id} moved meanwhile", "run the command again")
    endings.record(context, run, endings.next_state(context, run, "pending", base=base, head=commit, reason=""))
    return f"run {run.id} stands on {base[:10]} now{taken}"


def _chosen(context: Context, base: str, head: str, conflicts: tuple[str, ...], take: str) -> str:
    """The merge with every conflicting page whole from one side.

    The side that gives way is first brought to the other's version of those pages, so that the merge is clean
    everywhere else and exactly the chosen version there.
    """
    repository = context.repository
    ours, theirs = context.tree(base), context.tree(head)
    winner, loser, loser_commit = (theirs, ours, base) if take == "run" else (ours, theirs, head)
    changes = {path: _whole(winner, path) for path in conflicts}
    present = {path: change for path, change in changes.items() if change is not None or loser.blob(path)}
    levelled = trees.edit(repository, loser.tree_id, present)
    parent = commits.write(
        repository, levelled, [loser_commit], "Level conflicting pages", context.identity, context.epoch, sign=False
    )
    sides = (base, parent) if take == "target" else (parent, head)
    merged = merging.merge(repository, *sides)
    if merged.tree is None:
        shown = ", ".join(merged.conflicts[:5])
        raise CannotRun(f"{shown} cannot be merged page by page", "abandon the run and stage its pages anew")
    return merged.tree


def _whole(tree: TreeSnapshot, path: str) -> tuple[str, int] | None:
    blob, mode = tree.blob(path), tree.mode(path)
    return (blob, mode) if blob is not None and mode is not None else None
