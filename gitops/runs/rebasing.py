"""Brings a run up to its target: the target is merged into the run's branch, so its records stay where they are.

Where the target was rewritten, a merge would bring back what was dropped: then only the run's own change is
made again on the new tip, as one commit, and the commits that it was are kept.
"""

from __future__ import annotations

from typing import Literal

from gitops.errors import CannotRun
from gitops.git import commits, history, merging, objects, refs, trees
from gitops.git.snapshot import TreeSnapshot
from gitops.git.treediff import changed
from gitops.runs import endings, names, staging
from gitops.runs.branches import advance
from gitops.runs.context import Context
from gitops.runs.owning import WRITER_WAITS_S, owned
from gitops.runs.records import Run
from gitops.runs.workspace import rooted


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
    old = dropped(context, run, base, head)
    if old is None and history.is_ancestor(repository, base, head):
        return f"run {run.id} stands on the tip of {short} already"
    ours, theirs = (base, head) if old is None else sides(context, old, base, head)
    merged = merging.merge(repository, ours, theirs)
    if merged.tree is not None:
        tree, taken = merged.tree, ""
    elif take is None:
        raise CannotRun(
            f"run {run.id} and {short} both changed {', '.join(merged.conflicts[:5])}; nothing is changed",
            f"git assay run rebase {run.id} --take target (or run), then write those pages again",
        )
    else:
        tree, taken = _chosen(context, ours, theirs, merged.conflicts, take), f", {take}'s version of conflicting pages"
    parents = [head, base]
    if old is not None:
        parents, tree = [base], pages_alone(context, run, base, tree)
        kept = f"{names.kept(run.id)}.{head[:10]}"  # a name of its own: a later ending points kept/<id> elsewhere
        if refs.read(repository, kept) is None:
            refs.move(repository, kept, head, None, f"assay: keep {kept}")
    message = commits.with_trailers(f"Bring run {run.id} up to {short}", "", [("Assay-Run", run.id)])
    commit = commits.write(repository, tree, parents, message, context.identity, context.epoch, sign=False)
    if not advance(context, names.branch(run.id), commit, head, "assay: rebase"):
        raise CannotRun(f"run/{run.id} moved meanwhile", "run the command again")
    endings.record(context, run, endings.next_state(context, run, "pending", base=base, head=commit, reason=""))
    return f"run {run.id} stands on {base[:10]} now{taken}"


def dropped(context: Context, run: Run, base: str, head: str) -> str | None:
    """The commit of the target that a run stands on last and that the target's history lacks by now, if there is one.

    A run stands on what it was begun on, and on what it was brought up to since.
    """
    stood = [*(state.base for state in reversed(run.states)), run.record.base]
    for each in dict.fromkeys(filter(None, stood)):
        if (
            objects.exists(context.repository, each)
            and history.is_ancestor(context.repository, each, head)
            and not history.is_ancestor(context.repository, each, base)
        ):
            return each
    return None


def sides(context: Context, old: str, base: str, head: str) -> tuple[str, str]:
    """Two commits that merge as the target's tip and the run do when `old` is what they have in common.

    What they have in common by history lies before what was dropped. (`merge-tree --merge-base` needs git 2.40.)
    """

    def made(commit: str, parents: list[str], subject: str) -> str:
        tree = context.tree(commit).tree_id
        return commits.write(context.repository, tree, parents, subject, context.identity, context.epoch, sign=False)

    common = made(old, [], "What the run stood on")
    return made(base, [common], "The target"), made(head, [common], "The run")


def pages_alone(context: Context, run: Run, head: str, merged: str) -> str:
    """The merged tree, with all that no run may write as the head has it; what is left out is told."""
    before = context.tree(head)
    layout = rooted(context.repository, head, run.record.workspace_root).layout
    restored: dict[str, tuple[bytes | str, int] | None] = {}
    for entry in changed(context.repository, before.tree_id, merged):
        if not layout.is_wiki(entry.path) or entry.path == layout.log:
            blob, mode = entry.old_blob, entry.old_mode
            restored[entry.path] = None if blob is None or mode is None else (blob, mode)
            context.warn(f"{entry.path} is left as it is: no run may write it")
    return trees.edit(context.repository, merged, restored) if restored else merged


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
