"""Landing on a server: the plain push, which only fast-forwards, is the swap; the local branch follows."""

from __future__ import annotations

from gitops.errors import CannotRun, UsageError
from gitops.git import history, refs, remotes
from gitops.git.process import git
from gitops.runs import branches
from gitops.runs.context import Context

_FETCHED = "refs/assay/upstream/"


class PushRefused(CannotRun):
    """The server does not let its branch move: it is protected, or whoever asks may not push."""


def upstream(context: Context, target: str) -> tuple[str, str] | None:
    """The remote and the ref that a branch follows; None if it follows none."""
    short = target.removeprefix("refs/heads/")
    remote = context.repository.git_config(f"branch.{short}.remote")
    merge = context.repository.git_config(f"branch.{short}.merge")
    return (remote, merge) if remote and merge and remote != "." else None


def tracked(context: Context, target: str) -> str | None:
    """The tip of the branch that a target follows, as it was fetched last. None where it follows no server's."""
    if upstream(context, target) is None:
        return None
    ref = git(context.repository, "for-each-ref", "--format=%(upstream)", target).text.strip()
    return refs.read(context.repository, ref) if ref else None


def fetched_base(context: Context, target: str) -> str:
    """Fetch the upstream and return its tip: the base that a pushed landing is judged against."""
    remote, ref = _upstream(context, target)
    tip = _fetched(context, target, remote, ref)
    local = refs.read(context.repository, target)
    short = target.removeprefix("refs/heads/")
    if tip is None:
        raise CannotRun(f"{remote} has no {ref}", f"git push {remote} {short}")
    if local is not None and not history.is_ancestor(context.repository, local, tip):
        raise CannotRun(f"{short} has commits that {remote} lacks", f"git push {remote} {short}, then finish again")
    return tip


def _fetched(context: Context, target: str, remote: str, ref: str) -> str | None:
    kept = _FETCHED + target.removeprefix("refs/heads/")
    git(context.repository, "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", remote, f"+{ref}:{kept}")
    return refs.read(context.repository, kept)


def push(context: Context, target: str, new: str, base: str) -> bool:
    """Push C to the upstream, never by force. False when somebody else pushed first; PushRefused when it is refused.

    What a server says differs from one to the next; where its branch stands afterwards does not.
    """
    remote, ref = _upstream(context, target)
    done = git(context.repository, "push", "--porcelain", "--no-follow-tags", remote, f"{new}:{ref}", check=False)
    if done.code == 0:
        return True
    tip = _fetched(context, target, remote, ref)
    if tip is not None and tip != base:
        return history.is_ancestor(context.repository, new, tip)
    raise PushRefused(
        f"{remote} refused the push: {remotes.refusal(done.text, done.stderr)}", "mend that and finish again"
    )


def catch_up(context: Context, target: str, new: str) -> None:
    """Bring the local branch to what was pushed. One that cannot follow is told; nothing of it is touched."""
    local = refs.read(context.repository, target)
    if local is None or history.is_ancestor(context.repository, new, local):
        return
    try:
        with branches.moving(context):
            moved = branches.advance(context, target, new, local, "assay: landed and pushed")
    except CannotRun as error:
        context.warn(f"pushed, but {error.message}; git pull --ff-only brings it here")
        return
    if not moved:
        context.warn(f"pushed, but {target.removeprefix('refs/heads/')} moved here meanwhile; git pull")


def _upstream(context: Context, target: str) -> tuple[str, str]:
    found = upstream(context, target)
    if found is None:
        short = target.removeprefix("refs/heads/")
        raise UsageError(f"{short} has no upstream to push to", f"git push -u REMOTE {short}")
    return found
