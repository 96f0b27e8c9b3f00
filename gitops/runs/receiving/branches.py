"""Branches that are pushed: the one that runs land on moves by what was verified alone; others write nothing sealed.

What moves the protected branch is looked at step by step, along first parents: a landing or a merge button's commit
with a verdict that holds, an intake, or else a change that is verified right here, by the judges that need no model.
"""

from __future__ import annotations

from collections.abc import Iterator

from gitops.errors import CannotRun
from gitops.git import history
from gitops.git.failure import FETCH_MORE
from gitops.runs.context import Context
from gitops.runs.receiving import standing
from gitops.runs.receiving.lines import Line, refused, short
from gitops.runs.receiving.standing import Kind
from gitops.runs.reflines import Examined, are_touched, commits_told, mainline
from gitops.runs.workspace import Workspace, at, by_name, roots


def other(context: Context, line: Line) -> Examined | None:
    """Judge a branch that nothing lands on: whether its pages are right is asked when they do. None where it has none.

    Where it holds no workspace, it is nobody's business.
    """
    from gitops.runs.receiving import based, verifying

    if line.deletes:
        return None
    _workspaces(context, line.new)
    base = context.once(("base", line.old, line.new), lambda: based.base(context, line.new, line.old))
    workspaces = _workspaces(context, base) if base is not None else []
    if base is None or not workspaces:
        return _without_policy(context, line)
    return verifying.guarded(context, line.ref, workspaces, base, line.new)


def protected(context: Context, line: Line) -> Examined | None:
    """Judge the branch that runs land on: every step of it from what stands here to what is pushed.

    The policy, the debt and the keys of what stands here rule it all: what comes behind a change of them in the same
    push is verified anew, by them.
    """
    if line.deletes:
        return refused(line, "runs land on it, so it is never deleted", "git config assay.target, here, names another")
    by_name(_workspaces(context, line.new))
    if line.makes:
        return _without_policy(context, line)
    if not history.is_ancestor(context.repository, line.old, line.new):
        told = f"it moves forward only, and {line.old[:10]} is not in what is pushed"
        return refused(line, told, f"git pull --rebase, or finish the run again: {short(line.ref)} is never forced")
    if context.repository.is_shallow:
        raise CannotRun("the history here is cut off", FETCH_MORE)
    workspaces = _workspaces(context, line.old)
    return _stepwise(context, line, workspaces) if workspaces else _without_policy(context, line)


def _without_policy(context: Context, line: Line) -> Examined | None:
    brings = next(roots(context.tree(line.new)), None) is not None
    return Examined(line.ref, True, "there is no policy here yet to judge it by") if brings else None


def _workspaces(context: Context, commit: str) -> list[Workspace]:
    """The workspaces at a commit. UsageError for a policy that cannot be read: nothing could be judged by it."""
    tree = context.tree(commit)
    return [at(tree, root, commit) for root in roots(tree)]


def _stepwise(context: Context, line: Line, workspaces: list[Workspace]) -> Examined:
    new = list(history.between(context.repository, line.old, line.new))
    said = ""
    for base, head, kind in _steps(context, line, workspaces, new):
        if kind is Kind.VERIFIED:
            if found := standing.sealed(context, workspaces, base, head):
                return Examined(line.ref, False, f"{head[:10]} bears a verdict, and writes what no verdict lets", found)
            continue
        between = history.between(context.repository, base, head)
        if concerned := are_touched(context, workspaces, base, head, between):
            from gitops.runs.receiving import verifying

            judged = verifying.judged(context, line.ref, concerned, base, head)
            if base != line.old:
                verifying.settle(context, concerned, line.old)
            if not judged.passes:
                return judged
            said = said or judged.why
    return Examined(line.ref, True, said or f"{commits_told(len(new))}, landed with a verdict or intakes")


def _steps(
    context: Context, line: Line, workspaces: list[Workspace], new: list[str]
) -> Iterator[tuple[str, str, Kind]]:
    """The steps to look at, in order: those that a verdict stands for, and between them, whole, what none does.

    Where the branch was merged into what is pushed, and not the other way round, there is no step of its own: all of
    it is one that is verified.
    """
    path = list(mainline(context, line.new, set(new)))[::-1]
    if not path or context.commit(path[0]).parents[:1] != (line.old,):
        yield line.old, line.new, Kind.OWN
        return
    rules = standing.rules(context, workspaces, line.old)
    good = before = line.old
    is_open = False
    for commit in path:
        kind = standing.kind(context, workspaces, line.ref, commit, rules)
        if kind is Kind.VERIFIED:
            if is_open:
                yield good, before, Kind.OWN
            yield before, commit, kind
            good, is_open = commit, False
        is_open = is_open or kind is Kind.OWN
        before = commit
    if is_open:
        yield good, before, Kind.OWN
