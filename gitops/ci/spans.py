"""What is checked: from which commit to which, and that this clone has all of it."""

from __future__ import annotations

from dataclasses import dataclass

from gitops.ci.events import Event
from gitops.errors import CannotRun, UsageError
from gitops.git import history, objects, refs, remotes, snapshot
from gitops.git.process import git
from gitops.git.treediff import Entry, changed
from gitops.runs import names, pushing, targets
from gitops.runs.context import Context

DEEP = "in GitHub Actions: actions/checkout with fetch-depth: 0"
FETCH_NOTES = "git fetch origin 'refs/notes/assay/*:refs/notes/assay/*'"


@dataclass(frozen=True, slots=True)
class Span:
    """A change. `base` is the tip of where it goes: its policy, gold and debt rule. `fork` is where it began, which is
    what its metrics are compared with; `head` is its last commit, `branch` the branch it comes from, '' if unknown.
    """

    base: str
    fork: str
    head: str
    branch: str = ""
    target: str = ""
    """The full name of the branch that it goes to, '' if unknown."""

    @property
    def rev(self) -> str:
        """What the head is called to those who judge it: a run's branch is told by its name."""
        return self.branch if self.branch.startswith("run/") else self.head


def span(context: Context, event: Event, base: str | None, head: str | None) -> Span:
    """The change that is meant: as said, else as the event has it, else HEAD against where it would go.

    CannotRun, since no answer would be worth anything, for a shallow clone, for a commit that is not here, for commits
    that share no history or are the same, and where landings are in the history whose notes were not fetched.
    """
    refuse_shallow(context)
    last = _resolved(context, head, "head") if head else _of_event(context, event.head, "head")
    last = last or snapshot.resolve(context.repository, "HEAD")
    tip = _resolved(context, base, "base") if base else _base_of_event(context, event, last)
    tip = tip or _default_base(context)
    fork = history.merge_base(context.repository, tip, last)
    if fork is None:
        told = f"{tip[:10]} and {last[:10]} share no history: there is no change from one to the other"
        raise CannotRun(told, "--base REV names what the change began from")
    if fork == last:
        told = f"nothing to check: {last[:10]} brings nothing that {tip[:10]} has not"
        raise CannotRun(told, "--base REV, --head REV name a change")
    demand_notes(context, tip)
    current = event.branch if event.head else context.repository.head_branch()
    branch = head or current or ""
    target = f"refs/heads/{event.target}" if event.target and not base else ""
    return Span(tip, fork, last, branch.removeprefix("refs/heads/"), target)


def refuse_shallow(context: Context) -> None:
    """CannotRun in a clone that was cut off: what a change began from, and what it is compared with, is not here."""
    if context.repository.is_shallow:
        told = "this clone is shallow, so what the change began from is not here"
        raise CannotRun(told, f"{DEEP}; git fetch --unshallow")


def demand_notes(context: Context, commit: str) -> None:
    """CannotRun where a history has landings and no notes are here: nothing that landed could be told from the rest."""
    if refs.read(context.repository, names.RUNS) is not None:
        return
    only = ("--no-show-signature", "--format=%H", "-1", "--basic-regexp", "--grep=^Assay-Policy: ")
    landed = git(context.repository, "log", *only, commit).text.strip()
    if landed:
        told = f"the records were not fetched: {landed[:10]} landed a run, and no notes are here"
        raise CannotRun(told, FETCH_NOTES)


def touched(context: Context, span: Span) -> list[Entry]:
    """Every path that the change touches: what it says beside where it began."""
    before, after = context.tree(span.fork).tree_id, context.tree(span.head).tree_id
    return list(changed(context.repository, before, after))


def _resolved(context: Context, rev: str, what: str) -> str:
    try:
        return snapshot.resolve(context.repository, rev)
    except UsageError as error:
        raise UsageError(f"--{what}: {error.message}", error.hint) from error


def _of_event(context: Context, commit: str, what: str) -> str:
    if commit and not objects.exists(context.repository, commit):
        told = f"the {what} that the event names, {commit[:10]}, is not in this clone"
        raise CannotRun(told, f"{DEEP}; git fetch origin {commit}")
    return commit


def _base_of_event(context: Context, event: Event, head: str) -> str:
    """The event's base; of a push to the repository's own branch what stood there before, unless it was thrown away.

    A push to another branch is not judged by what stood there before: the push before this one may have loosened it.
    """
    if event.target:
        return _of_event(context, event.base, "base")
    if event.branch != event.default:
        return ""
    known = event.base if event.base and objects.exists(context.repository, event.base) else ""
    return known if known and known != head and history.merge_base(context.repository, known, head) else ""


def _default_base(context: Context) -> str:
    """Where a change would go: git's `assay.target` or else what the remote calls its own branch, as last fetched.

    A local branch that follows none stands for itself; the current branch's own upstream is the last that is asked.
    """
    repository = context.repository
    if configured := repository.git_config("assay.target"):
        ref = targets.existing(repository, configured)
        if (tip := pushing.tracked(context, ref) or refs.read(repository, ref)) is not None:
            return tip
    for remote in remotes.names(repository):
        if (tip := refs.read(repository, f"refs/remotes/{remote}/HEAD")) is not None:
            return tip
    branch = repository.head_branch()
    if branch is not None and (tip := pushing.tracked(context, branch)) is not None:
        return tip
    told = "what the change is to be checked against is not known"
    raise UsageError(told, "--base REV, or git config assay.target main")
