"""Starting a run and writing to it. Each step is a commit on `run/<id>`, made in the object store."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from gitops.config import RunType
from gitops.errors import CannotRun, Refused, UsageError
from gitops.git import commits, refs, trees
from gitops.git.snapshot import TreeSnapshot
from gitops.runs import endings, gates, names, store, targets
from gitops.runs.branches import advance
from gitops.runs.context import Context
from gitops.runs.owning import WRITER_WAITS_S, owned
from gitops.runs.records import FINAL, Person, Run, RunRecord, StateRecord
from gitops.runs.workspace import Workspace
from gitops.wiki.layout import joined
from gitops.wiki.paths import safe, within
from gitops.wiki.snapshot import REGULAR

TRIGGERS = ("cli:", "mcp:", "push:", "ci:", "daemon:")


@dataclass(frozen=True, slots=True)
class Request:
    """What a run is started with."""

    run_type: RunType = "ingest"
    sources: tuple[str, ...] = ()
    reason: str = ""
    run_id: str = ""
    triggered_by: str = ""


def start(context: Context, workspace: Workspace, target: str, request: Request) -> Run:
    """Begin a run on the target's tip: an empty root commit, its branch, its first records."""
    base = targets.tip(context.repository, target)
    gates.demand_open_for(context, workspace.name, request.run_type, base)
    run_id = _fresh_id(context, request)
    triggered_by = _checked_trigger(request.triggered_by or context.triggered_by)
    tree = context.tree(base)
    sources = tuple(dict.fromkeys(_source(tree, workspace, source) for source in request.sources))
    pairs = [("Assay-Run", run_id), ("Assay-Type", request.run_type)]
    pairs += [("Assay-Source", source) for source in sources]
    message = commits.with_trailers(f"Start run {run_id}", request.reason, pairs)
    root = commits.write(context.repository, tree.tree_id, [base], message, context.identity, context.epoch, sign=False)
    record = RunRecord(
        summary=f"run {run_id} started: {request.run_type}{_of(sources)}",
        run_id=run_id,
        workspace=workspace.name,
        workspace_root=workspace.layout.root,
        run_type=request.run_type,
        triggered_by=triggered_by,
        sources=sources,
        reason=request.reason,
        target=target,
        base=base,
        root=root,
        started_at=context.now,
        author=Person(name=context.identity.name, email=context.identity.email),
        verifier_preset=workspace.config.verifier_preset,
    )
    pending = StateRecord(
        summary=f"run {run_id}: pending",
        run_id=run_id,
        number=0,
        status="pending",
        at=context.now,
        base=base,
        head=root,
    )
    # The branch first: records of a run without a branch would be a run that nobody can finish.
    if not refs.move(context.repository, names.branch(run_id), root, None, f"assay: start run {run_id}"):
        raise CannotRun(f"run/{run_id} exists already", "choose another id")
    return store.append(context, root, [record, pending], f"assay: start run {run_id}")


def write(context: Context, run: Run, workspace: Workspace, path: str, content: bytes) -> str:
    """Stage a page's whole content; returns the run's new head."""
    repo_path = page_path(workspace, path)
    with _open(context, run):
        return _commit(context, run, {repo_path: (content, REGULAR)}, f"Write {repo_path}", [])


def remove(context: Context, run: Run, workspace: Workspace, path: str) -> str:
    """Stage a page's removal; returns the run's new head."""
    repo_path = page_path(workspace, path)
    with _open(context, run):
        if head_tree(context, run).blob(repo_path) is None:
            raise UsageError(f"there is no {repo_path} in run {run.id}", f"git assay run diff {run.id}")
        return _commit(context, run, {repo_path: None}, f"Remove {repo_path}", [])


def replace(context: Context, run: Run, workspace: Workspace, path: str, old: str, new: str) -> str:
    """Replace the one place where `old` stands. No match or several reject the whole run (Refused)."""
    repo_path = page_path(workspace, path)
    wanted, instead = (text.encode("utf-8", "surrogateescape") for text in (old, new))
    if not wanted:
        raise UsageError("--old is empty: it stands everywhere", "give the text that stands there exactly once")
    with _open(context, run):
        tree = head_tree(context, run)
        data = tree.read(repo_path) if tree.blob(repo_path) is not None else None
        found = 0 if data is None else _occurrences(data, wanted)
        if data is None or found != 1:
            what = "is not in the run" if data is None else f"holds the text {found} times, not once"
            reason = f"replace in {repo_path}: the page {what}"
            endings.reject(context, run, head_of(context, run), reason)
            raise Refused(f"run {run.id} is rejected: {reason}", f"git assay run start --from {run.id} takes it up")
        changed = {repo_path: (data.replace(wanted, instead), REGULAR)}
        return _commit(context, run, changed, f"Replace in {repo_path}", [("Assay-Op", "replace")])


def _occurrences(data: bytes, wanted: bytes) -> int:
    """At how many places a text stands, overlapping ones counted."""
    found, at = 0, data.find(wanted)
    while at >= 0:
        found, at = found + 1, data.find(wanted, at + 1)
    return found


@contextmanager
def _open(context: Context, run: Run) -> Iterator[None]:
    """Own a run while it is written to. Refused when it came to its end in the meantime."""
    with owned(context, run.id, wait=WRITER_WAITS_S):
        now = store.exact(context, run.id)
        if now is not None and now.status in FINAL:
            raise Refused(f"run {run.id} is {now.status} already", f"git assay run show {run.id}")
        yield


def page_path(workspace: Workspace, path: str) -> str:
    """The repository path of a page named by a person: from the workspace, or from the repository."""
    clean, layout = safe(path), workspace.layout
    root = layout.root
    if within(clean, layout.wiki):
        return clean
    if root and clean.startswith(root + "/") and not clean.startswith(layout.names.wiki + "/"):
        return clean
    return joined(root, clean)


def head_of(context: Context, run: Run) -> str:
    """The tip of the run's branch."""
    head = refs.read(context.repository, names.branch(run.id))
    if head is None:
        raise CannotRun(
            f"the branch run/{run.id} is gone", f"git branch run/{run.id} COMMIT, or git assay run abandon {run.id}"
        )
    return head


def head_tree(context: Context, run: Run) -> TreeSnapshot:
    """The files at the run's head."""
    return context.tree(head_of(context, run))


def _commit(
    context: Context,
    run: Run,
    changes: Mapping[str, tuple[bytes | str, int] | None],
    subject: str,
    pairs: Sequence[tuple[str, str]],
) -> str:
    head = head_of(context, run)
    before = context.tree(head).tree_id
    tree = trees.edit(context.repository, before, changes)
    if tree == before:
        return head
    message = commits.with_trailers(subject, "", [("Assay-Run", run.id), *pairs])
    commit = commits.write(context.repository, tree, [head], message, context.identity, context.epoch, sign=False)
    if not advance(context, names.branch(run.id), commit, head, f"assay: {subject}"):
        raise CannotRun(f"run/{run.id} moved while this was written", "run the command again")
    return commit


def _fresh_id(context: Context, request: Request) -> str:
    """The id that was asked for, unless it was used; else one that nobody can have used."""
    if not request.run_id:
        return names.new_id(context.clock())
    run_id = request.run_id
    if not names.is_id(run_id):
        raise UsageError(f"'{run_id}' is no run id", "3 to 63 of a-z, 0-9 and '-', not starting with '-'")
    refs_of_it = (names.branch(run_id), names.kept(run_id), names.kept_head(run_id))
    if any(refs.read(context.repository, ref) for ref in refs_of_it):
        raise UsageError(f"a run is called {run_id} already", "choose another id")
    if store.exact(context, run_id) is not None:
        raise UsageError(f"there was a run {run_id}; an id is used once", "choose another id")
    return run_id


def _checked_trigger(text: str) -> str:
    if not text.startswith(TRIGGERS):
        raise UsageError(f"'{text}' does not say who began the run", f"begin it with one of {' '.join(TRIGGERS)}")
    return " ".join(text.split())


def _source(tree: TreeSnapshot, workspace: Workspace, source: str) -> str:
    """A source's path in the workspace, from there or from the repository. UsageError where none stands."""
    clean = safe(source)
    root = workspace.layout.root
    inside = clean.removeprefix(root + "/") if root and clean.startswith(workspace.layout.raw + "/") else clean
    path = workspace.layout.source(inside)
    if tree.blob(path) is None or not workspace.layout.is_source(path):
        raise UsageError(
            f"{source} is no source of workspace {workspace.name} at the base", f"git assay raw add {Path(source).name}"
        )
    return inside


def _of(sources: Sequence[str]) -> str:
    return f" of {', '.join(sources)}" if sources else ""
