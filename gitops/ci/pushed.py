"""A pushed run, judged as landing would judge it; nothing is recorded, and nothing lands."""

from __future__ import annotations

from collections.abc import Mapping

from gitops.ci.events import Event
from gitops.ci.judged import Judged, judged
from gitops.ci.outcome import Checked, Said, said
from gitops.ci.rows import Rows
from gitops.ci.spans import DEEP, Span, demand_notes, refuse_shallow, touched
from gitops.ci.stating import result
from gitops.errors import AssayError, Blocked, CannotRun, Refused, UsageError
from gitops.git import history, refs, remotes, snapshot
from gitops.runs import adopting, gates, names, pushing, store, targets
from gitops.runs.context import Context
from gitops.runs.records import FINAL, Run
from gitops.runs.workspace import Workspace, find

_WHICH = "git assay ci verify-run RUN, or switch to its branch"


def span(context: Context, event: Event, named: str | None, environment: Mapping[str, str]) -> Span:
    """The run that is meant, on the branch it would land on: as said, else what was pushed, else the current branch.

    UsageError where none is; CannotRun in a shallow clone, where the records are not here, or for no common history.
    """
    refuse_shallow(context)
    run_id = names.checked_id(_branch(context, event, named, environment).removeprefix("run/"))
    run = store.exact(context, run_id)
    head = _head(context, run_id, event)
    target = run.record.target if run is not None else _target(context, event)
    base = _tip(context, target)
    demand_notes(context, base)
    fork = history.merge_base(context.repository, base, head)
    if fork is None:
        raise CannotRun(f"run/{run_id} shares no history with {target}", DEEP)
    return Span(base, fork, head, f"run/{run_id}")


def verified(context: Context, span: Span, only: str | None) -> list[Checked]:
    """Judge the run by the policy of the target's tip. A branch that nobody has adopted is judged as adopting would
    have it: by an author whom the policy does not name, it is refused.
    """
    run = store.exact(context, span.branch.removeprefix("run/"))
    workspace = find(context.repository, span.base, run.record.workspace if run else only, context.repository.prefix)
    if run is not None and run.status in FINAL:
        raise CannotRun(f"run {run.id} is {run.status} already", f"git assay run show {run.id} says by which verdict")
    if not touched(context, span):
        raise CannotRun(f"{span.branch} changes nothing yet", "git assay run write RUN wiki/PAGE.md < FILE")
    try:
        if run is None:
            adopting.demand_allowed(context, workspace, span.branch.removeprefix("run/"), span.base, span.head)
        found = judged(context, workspace, span)
    except Refused as error:
        found = Judged("reject", error.message, error.hint)
    is_sound = found.decision == "commit"
    told = Said("passed", f"commit: {found.reasoning}") if is_sound else said(found, Rows(), None)
    remarks = [
        *_held_up(context, workspace, run, span.base),
        "judged only: nothing was recorded, and nothing lands by this",
    ]
    again = f"git assay ci verify-run {span.branch.removeprefix('run/')}"
    made = result(context, workspace, span, found, told, remarks, again)
    return [Checked(made, told.missing, told.mend, found.findings)]


def _held_up(context: Context, workspace: Workspace, run: Run | None, base: str) -> list[str]:
    """What a broken metric says of landing such a run now."""
    try:
        gates.demand_open_for(context, workspace.name, run.record.run_type if run is not None else "cascade", base)
    except Blocked as error:
        return [f"landing waits: {error.message}; {error.hint}"]
    return []


def _branch(context: Context, event: Event, named: str | None, environment: Mapping[str, str]) -> str:
    pushed = environment.get("GITHUB_REF", "")
    current = context.repository.head_branch() or ""
    if named:
        return named.removeprefix("refs/heads/")
    for told in (event.branch, pushed, current):
        if (short := told.removeprefix("refs/heads/")).startswith("run/"):
            return short
    raise UsageError("which run is meant is not known: no branch run/ID was pushed, or is the current one", _WHICH)


def _head(context: Context, run_id: str, event: Event) -> str:
    """The run's last commit: what was pushed, else its branch here, else that of a remote as it was fetched last."""
    if event.head and event.branch == f"run/{run_id}":
        return snapshot.resolve(context.repository, event.head)
    branch = names.branch(run_id)
    known = (f"refs/remotes/{remote}/run/{run_id}" for remote in remotes.names(context.repository))
    for ref in (branch, *known):
        if (found := refs.read(context.repository, ref)) is not None:
            return found
    raise UsageError(f"there is no branch run/{run_id} here", f"git fetch origin run/{run_id}:run/{run_id}")


def _target(context: Context, event: Event) -> str:
    """The branch that a run without records would land on: git's `assay.target`, the event's default, the current."""
    if configured := context.repository.git_config("assay.target"):
        return targets.full_name(configured)
    if event.default:
        return targets.full_name(event.default)
    for remote in remotes.names(context.repository):
        if refs.read(context.repository, f"refs/remotes/{remote}/HEAD") is not None:
            return f"refs/remotes/{remote}/HEAD"
    try:
        return targets.default_target(context.repository)
    except AssayError as error:
        raise UsageError(error.message, "git config assay.target main") from error


def _tip(context: Context, target: str) -> str:
    """The tip that a run would land on: the server's, as it was fetched last, where there is one."""
    short = target.removeprefix("refs/heads/")
    remote = (f"refs/remotes/{name}/{short}" for name in remotes.names(context.repository))
    found = pushing.tracked(context, target) if target.startswith("refs/heads/") else None
    for ref in (*remote, target):
        found = found or refs.read(context.repository, ref)
    if found is None:
        told = f"the branch {short}, which the run would land on, is not here"
        raise CannotRun(told, f"{DEEP}; git fetch origin {short}")
    return found
