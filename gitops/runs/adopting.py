"""Takes in a branch `run/<id>` that somebody pushed or made without `run start` (`PROTOCOL.md` 1)."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase

from gitops.config import RunType
from gitops.errors import Refused, UsageError
from gitops.git import commits, history, refs
from gitops.git.commits import Commit
from gitops.runs import names, store
from gitops.runs.context import Context, moment_of
from gitops.runs.records import FINAL, Person, Run, RunRecord, StateRecord
from gitops.runs.targets import default_target
from gitops.runs.workspace import Workspace, rooted
from gitops.runs.written import workspace_of
from gitops.wiki.paths import objections, safe

_PLAIN: tuple[RunType, ...] = ("ingest", "cascade", "synthesis")


def whole_id(context: Context, text: str) -> str:
    """The id of the run or branch that is called so; else of the only run whose id begins so."""
    run_id = names.checked_id(text)
    if refs.read(context.repository, names.branch(run_id)) is not None:
        return run_id
    return store.find(context, run_id).id


def open_run(context: Context, text: str, *, record: bool = True) -> Run:
    """A run that may still be written to or finished; a branch without records is adopted first.

    Without `record` the adoption is only thought: nothing is written.
    """
    run_id = whole_id(context, text)
    run = store.exact(context, run_id)
    if run is None:
        return adopt(context, run_id, record=record)
    if run.record.adopted and run.status not in FINAL:
        _demand_still_allowed(context, run)
    if run.status in FINAL:
        tip = refs.read(context.repository, names.branch(run.id))
        newer = f"git branch -m run/{run.id} run/NEW-ID makes a new run of what was pushed since"
        again = f"git assay run start --from {run.id} takes it up in a new run"
        hint = newer if tip not in (None, run.state.head) else again if run.status != "committed" else ""
        raise Refused(f"run {run.id} is {run.status} already", hint or "git assay run start begins a new one")
    return run


def demand_allowed(context: Context, workspace: Workspace, run_id: str, base: str, head: str) -> None:
    """Refused where a commit of a pushed branch is by somebody whom the policy of the base does not name."""
    for commit in history.between(context.repository, base, head):
        _refuse_stranger(workspace, run_id, context.commit(commit))


def _demand_still_allowed(context: Context, run: Run) -> None:
    """What was pushed to a branch after it became a run is by somebody, too."""
    base, head = (refs.read(context.repository, ref) for ref in (run.record.target, names.branch(run.id)))
    if base is not None and head is not None:
        workspace = rooted(context.repository, base, run.record.workspace_root)
        demand_allowed(context, workspace, run.id, base, head)


def adopt(context: Context, run_id: str, *, record: bool = True, allowed: bool = False) -> Run:
    """Make a run of a branch. Its records sit on the head it has now; its type follows from its trailers.

    A run that was started elsewhere, and whose records are not here, has them on its own root commit: so they are one
    run's with those that the other clone has, and not those of a run that was begun twice.

    With `allowed` nobody asks whom its commits are by: for a record that says why the run goes no further.
    """
    head = refs.read(context.repository, names.branch(run_id))
    if head is None:
        raise UsageError(f"there is no run '{run_id}'", "git assay run list")
    repository = context.repository
    target = default_target(repository)
    base = refs.read(repository, target)
    if base is None:
        raise UsageError(f"the target {target} has no commit yet", "git commit first")
    workspace = workspace_of(context, run_id, base, head)
    if not allowed:
        demand_allowed(context, workspace, run_id, base, head)
    written = [context.commit(commit) for commit in history.between(repository, base, head)]
    named = (source for each in written for source in commits.trailers(each.message).get("Assay-Source", []))
    sources = _sources(context, workspace, base, named)
    started = _started(context, written, run_id)
    author = (started or context.commit(head)).author
    root = started.id if started else head
    begun = RunRecord(
        summary=f"run {run_id} adopted at {head[:10]}",
        run_id=run_id,
        workspace=workspace.name,
        workspace_root=workspace.layout.root,
        run_type=_type(started) or ("ingest" if sources else "cascade"),
        triggered_by="push:",
        sources=sources,
        target=target,
        base=history.merge_base(repository, base, head) or base,
        root=root,
        started_at=context.now if started is None else moment_of(started.time),
        author=Person(name=author.name, email=author.email),
        adopted=True,
        verifier_preset=workspace.config.verifier_preset,
    )
    summary = f"run {run_id}: pending"
    state = StateRecord(
        summary=summary, run_id=run_id, number=0, status="pending", at=context.now, base=begun.base, head=head
    )
    if not record:
        return Run(begun, (state,))
    return store.append(context, root, [begun, state], f"assay: adopt run {run_id}")


def _started(context: Context, written: Iterable[Commit], run_id: str) -> Commit | None:
    """The empty commit by which `run start` began this run, where it did."""
    for each in written:
        told = commits.trailers(each.message)
        if told.get("Assay-Run") == [run_id] and "Assay-Type" in told and len(each.parents) == 1:
            return each if context.commit(each.parents[0]).tree == each.tree else None
    return None


def _type(started: Commit | None) -> RunType | None:
    """The type that the root commit names, if it allows a run no more than an adopted one may."""
    named = commits.trailers(started.message).get("Assay-Type", []) if started else []
    return next((each for each in _PLAIN if each in named), None)


def _sources(context: Context, workspace: Workspace, base: str, named: Iterable[str]) -> tuple[str, ...]:
    """Of the sources that trailers name, those that the workspace has at the base; the rest is told."""
    tree, layout = context.tree(base), workspace.layout
    found: dict[str, None] = {}
    for source in dict.fromkeys(named):
        reason = objections(source)
        clean = "" if reason else safe(source)
        inside = clean.removeprefix(layout.root + "/") if layout.root and layout.is_source(clean) else clean
        path = layout.source(inside)
        if not reason and layout.is_source(path) and tree.blob(path) is not None:
            found[inside] = None
        else:
            context.warn(f"Assay-Source: {source!r} is no source of workspace {workspace.name} at the base; left out")
    return tuple(found)


def _refuse_stranger(workspace: Workspace, run_id: str, commit: Commit) -> None:
    """Every commit of the branch must be by somebody whom the policy of the base names."""
    email = commit.author.email
    if not any(fnmatchcase(email, pattern) for pattern in workspace.config.runs.adopt_from):
        raise Refused(
            f"run/{run_id} has {commit.id[:10]} by {email}, whom [runs] adopt_from does not allow",
            f"add '{email}' to [runs] adopt_from in {workspace.layout.config}, on the target",
        )
