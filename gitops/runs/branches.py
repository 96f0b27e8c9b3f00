"""Moves a branch that may be checked out, without ever overwriting what somebody has not committed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gitops.errors import CannotRun
from gitops.git import refs, worktrees
from gitops.git.locks import Busy, held
from gitops.git.treediff import Entry, changed
from gitops.git.worktrees import Worktree
from gitops.runs import inplace, names
from gitops.runs.context import Context

_PATIENCE_S = 60.0


@contextmanager
def moving(context: Context) -> Iterator[None]:
    """Move a target and its worktrees while nobody else does: between swap and checkout they would look edited."""
    try:
        with held(context.repository.common_dir, names.MOVING, wait=_PATIENCE_S):
            yield
    except Busy as error:
        told = f"another process has been moving a branch for more than {_PATIENCE_S:.0f} s"
        raise CannotRun(told, f"see who: fuser -v '{context.folder / 'locks' / names.MOVING}'") from error


def rehearse(context: Context, ref: str, old: str, new: str) -> list[Worktree]:
    """The worktrees that would follow the branch. CannotRun, with nothing touched, if one of them cannot."""
    following = worktrees.checked_out(context.repository, ref)
    for worktree in following:
        objection = worktrees.rehearse(worktree, old, new)
        if objection is not None:
            raise CannotRun(
                f"{worktree.path} has {ref.removeprefix('refs/heads/')} checked out and cannot follow: {objection}",
                f"look at git -C '{worktree.path}' status; stash what is in the way (if it is none of yours: "
                "git assay doctor), then run the command again",
            )
    return following


def advance(context: Context, ref: str, new: str, old: str, reason: str) -> bool:
    """Move a branch and the worktrees that have it checked out; False when somebody else moved it first."""
    following = rehearse(context, ref, old, new)
    if not refs.move(context.repository, ref, new, old, reason):
        return False
    follow(context, following, old, new)
    return True


def advance_in_place(context: Context, ref: str, new: str, old: str, reason: str) -> bool:
    """The same where the files may lie in a worktree already, just as the new commit has them."""
    change = _between(context, old, new)
    checked_out = worktrees.checked_out(context.repository, ref)
    undo = [(worktree, inplace.stage_identical(context.repository, worktree, change)) for worktree in checked_out]
    moved = False
    try:
        moved = advance(context, ref, new, old, reason)
    finally:
        for worktree, before in undo if not moved else ():
            inplace.restore(worktree, before)
    return moved


def follow(context: Context, following: list[Worktree], old: str, new: str) -> None:
    """Bring worktrees to a branch that has moved already. One that balks now is told, and mended by doctor."""
    for worktree in following:
        try:
            worktrees.follow(worktree, old, new)
        except CannotRun as error:
            context.warn(f"{worktree.path} still shows the old files: {error.message}; mend it with git assay doctor")


def lagging(context: Context, ref: str, old: str, new: str) -> list[Worktree]:
    """The worktrees on the branch whose index still is, wherever `new` differs from `old`, as `old` has it."""
    change = _between(context, old, new)
    before = inplace.as_before(change)
    found = worktrees.checked_out(context.repository, ref)
    return [worktree for worktree in found if change and inplace.staged(worktree, change) == before]


def bring_along(context: Context, ref: str, old: str, new: str) -> list[Worktree]:
    """Have worktrees follow a move that a killed process made without them; gives those that did.

    A file that the killed process had written is taken as it is, one that it had half written is written again.
    One that was edited since is left alone, and so is its worktree: that is told.
    """
    change = _between(context, old, new)
    return [each for each in lagging(context, ref, old, new) if _brought(context, each, change, old, new)]


def _brought(context: Context, worktree: Worktree, change: list[Entry], old: str, new: str) -> bool:
    before = inplace.stage_identical(context.repository, worktree, change)
    inplace.remove_half_written(context.repository, worktree, change)
    try:
        worktrees.follow(worktree, old, new)
    except CannotRun as error:
        inplace.restore(worktree, before)
        context.warn(f"{error.message}; {error.hint}")
        return False
    return True


def remove(context: Context, run_branch: str, old: str) -> bool:
    """Delete a run's branch if it still stands at `old` and nobody has it checked out."""
    if worktrees.checked_out(context.repository, run_branch):
        return False
    return refs.delete(context.repository, run_branch, old)


def _between(context: Context, old: str, new: str) -> list[Entry]:
    return list(changed(context.repository, context.tree(old).tree_id, context.tree(new).tree_id))
