"""Makes the exact commit that is judged and, if the verdict allows, becomes the target (`PROTOCOL.md` 2, steps 1-2)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gitops.canonical import sha256
from gitops.errors import Absent, CannotRun
from gitops.git import commits, merging, objects, refs, trees
from gitops.git.commits import Commit, Identity
from gitops.git.failure import FETCH_MORE
from gitops.git.snapshot import TreeSnapshot
from gitops.git.treediff import Entry, changed
from gitops.runs import evalruns, logline, names
from gitops.runs.context import Context, epoch_of
from gitops.runs.records import Operation, PlanRecord, Run
from gitops.runs.workspace import Workspace
from gitops.wiki.snapshot import REGULAR


@dataclass(frozen=True, slots=True)
class Candidate:
    """What would land: commit C on base B from the run's head R, and the plan that its diff shows."""

    commit: str
    tree: str
    base: str
    head: str
    merged: str
    """The tree of B and R merged, before the tool's own line in the log."""
    log_lines: tuple[str, ...]
    """What the tool adds to the log: the lines of evaluations that wait for it, then the run's own."""
    operations: tuple[Operation, ...]


class Conflict(CannotRun):
    """The run and the target changed the same lines; nothing was judged and nothing was spent."""


class NothingToLand(CannotRun):
    """The run changes nothing against the target."""


def plan(run: Run, base: str, head: str, operations: tuple[Operation, ...]) -> PlanRecord:
    """The record of what a run writes."""
    count = len(operations)
    summary = f"run {run.id}: plan of {count} {'operation' if count == 1 else 'operations'}"
    return PlanRecord(summary=summary, run_id=run.id, base=base, head=head, operations=operations)


def operations(before: TreeSnapshot, after: TreeSnapshot, workspace: Workspace) -> tuple[Operation, ...]:
    """The steps that lead from one tree to another. CannotRun where this clone lacks what they write."""
    entries = list(changed(after.repository, before.tree_id, after.tree_id))
    return tuple(_operation(after, workspace, entry) for entry in entries)


def build(context: Context, run: Run, workspace: Workspace, base: str, head: str, moment: str) -> Candidate:
    """Merge R into B in memory, add the log's line, and write C. The same arguments make the same C."""
    repository = context.repository
    merged = merging.merge(repository, base, head)
    if merged.tree is None:
        shown = ", ".join(merged.conflicts[:5])
        raise Conflict(f"run {run.id} conflicts with {_short(run)} in {shown}", f"git assay run rebase {run.id}")
    base_tree, merged_tree = context.tree(base), TreeSnapshot(repository, merged.tree)
    log, tree = workspace.layout.log, merged.tree
    old_log = _read(merged_tree, log) if merged_tree.blob(log) is not None else None
    waiting = _waiting(context, run, workspace, base, head, old_log or b"", moment)
    is_bare = merged.tree == base_tree.tree_id
    if is_bare and not (waiting and run.record.run_type == evalruns.RUN_TYPE):
        raise NothingToLand(f"run {run.id} changes nothing", f"git assay run write {run.id} wiki/PAGE.md < FILE")
    done = operations(base_tree, merged_tree, workspace)
    lines = [evalruns.line(each) for each in waiting]
    if not is_bare:  # a run that brings nothing but waiting lines has none of its own
        lines.append(logline.line(run.record, done))
    # The lines go after whatever the run made of the log, so that no log of its own can pass for the tool's.
    if _can_stand(merged_tree, log):
        tree = trees.edit(repository, tree, {log: (logline.appended(old_log, "\n".join(lines)), REGULAR)})
    told = [each.id for each in waiting]
    commit = _commit(context, run, workspace, base, head, tree, moment, told)
    return Candidate(commit, tree, base, head, merged.tree, tuple(lines), done)


def _waiting(
    context: Context, run: Run, workspace: Workspace, base: str, head: str, log: bytes, moment: str
) -> list[Run]:
    """The eval runs whose lines this landing brings: where an earlier attempt on the same B and R chose, those.

    What is measured between two attempts would make another C, for which no verdict stands.
    """
    waiting = evalruns.queued(context, workspace, run.record.target, base, log, moment)
    before = refs.read(context.repository, names.candidate(run.id)) or run.state.candidate
    if not before or not objects.exists(context.repository, before):
        return waiting
    told = commits.trailers(context.commit(before).message)
    if (told.get("Assay-Base"), told.get("Assay-Head")) != ([base], [head]):
        return waiting
    return [each for each in waiting if each.id in told.get("Assay-Eval", [])]


def _commit(
    context: Context,
    run: Run,
    workspace: Workspace,
    base: str,
    head: str,
    tree: str,
    moment: str,
    evaluations: Iterable[str],
) -> str:
    style = workspace.config.publish.style
    parents = [base, head] if style == "merge" else [base]
    pairs = [
        ("Assay-Run", run.id),
        ("Assay-Base", base),
        ("Assay-Head", head),
        ("Assay-Policy", workspace.policy),
        *(("Assay-Eval", each) for each in evaluations),
    ]
    read = f" {', '.join(run.record.sources)}" if run.record.sources else ""
    message = commits.with_trailers(f"Land {run.record.run_type}{read} ({run.id})", run.record.reason, pairs)
    author = Identity(run.record.author.name, run.record.author.email)
    reused = _reusable(context, run, Commit("", tree, tuple(parents), message, author, 0))
    return reused or commits.write(context.repository, tree, parents, message, author, epoch_of(moment))


def _reusable(context: Context, run: Run, wanted: Commit) -> str | None:
    """The candidate that an earlier attempt left, if it is this one: a signed commit cannot be made twice alike."""
    found = refs.read(context.repository, names.candidate(run.id))
    if found is None:
        return None
    old = context.commit(found)
    return found if old._replace(id="", time=0) == wanted else None


def _can_stand(tree: TreeSnapshot, path: str) -> bool:
    """Can a file stand at `path`: is it no folder itself, and does nothing but folders stand above it?

    Where a run made something else of the wiki's folder, the tree stays as it is, to be seen and refused.
    """
    above = path.rpartition("/")[0]
    while above and tree.mode(above) is None:
        above = above.rpartition("/")[0]
    return tree.folder_id(path) is None and tree.folder_id(above) is not None


def _operation(tree: TreeSnapshot, workspace: Workspace, entry: Entry) -> Operation:
    root = workspace.layout.root
    path = entry.path.removeprefix(root + "/") if root else entry.path
    if entry.new_mode is None:
        return Operation(op="delete", path=path, blob=None, sha256=None)
    regular = entry.new_blob is not None and entry.new_mode & 0o170000 == 0o100000
    digest = sha256(_read(tree, entry.path)) if regular else None
    return Operation(op="create" if entry.old_mode is None else "update", path=path, blob=entry.new_blob, sha256=digest)


def _read(tree: TreeSnapshot, path: str) -> bytes:
    try:
        return tree.read(path)
    except Absent as error:
        raise CannotRun(f"the content of {path} is not in this clone", FETCH_MORE) from error


def _short(run: Run) -> str:
    return run.record.target.removeprefix("refs/heads/")
