"""Where commits write, held against the rules that nobody can override. What they write is not read.

Asked of what is pushed, on the way out and where it arrives: it costs what the commits touch, however large the wiki
is, and needs no cache.
"""

from __future__ import annotations

from collections.abc import Iterable

from gitops.git import objects
from gitops.git.snapshot import TreeSnapshot
from gitops.git.treediff import changed
from gitops.runs import judging, revisions
from gitops.runs.context import Context
from gitops.runs.reflines import Examined, commits_told
from gitops.runs.workspace import Workspace
from gitops.verify.finding import Finding
from gitops.verify.verdict import called
from gitops.verify.verifier import sealed
from gitops.verify.view import Library, NoCache, RunAt, RunFacts, View
from gitops.wiki.graph import MemoryGraph, PageFacts
from gitops.wiki.names import name_key
from gitops.wiki.snapshot import Change, CommitChange, Touched


def guarded(
    context: Context, ref: str, workspaces: Iterable[Workspace], base: str, head: str, new: list[str], is_run: bool
) -> Examined:
    """Where a branch writes: the rules that nobody can override, over every commit that is pushed."""
    found: list[Finding] = []
    for workspace in workspaces:
        lines = frozenset() if is_run else revisions.log_lines(context, workspace, new)
        found += findings(context, workspace, base, head, new, RunFacts(is_run=is_run, log_lines=lines))
    wrong = tuple(judging.gating(found))
    told = f"the first refused for {called(wrong[0])}" if wrong else "nothing sealed is touched"
    return Examined(ref, not wrong, f"{commits_told(len(new))}, {told}", wrong)


def findings(
    context: Context,
    workspace: Workspace,
    base: str,
    head: str,
    new: Iterable[str],
    facts: RunFacts,
    *,
    but: str = "",
) -> list[Finding]:
    """What the sealed checks say of the change from one commit to another, and of each commit on the way.

    `but` is a path that is left out, as the log is of a landing: its verdict answers for the tool's own line.
    """
    before, after = context.tree(base), context.tree(head)
    entries = changed(context.repository, before.tree_id, after.tree_id)
    touched = tuple(Touched(*entry) for entry in entries if entry.path != but)
    change = Change(before, after, touched, commits=tuple(judging.step(context, workspace, base, each) for each in new))
    added = _added(change)
    library = Library(workspace.config, NoCache())

    def view(tree: TreeSnapshot) -> View:
        return View(tree, workspace.layout, workspace.config, library, _beside(tree, workspace, added))

    return sealed(RunAt(view(before), view(after), change, facts, None))


def _added(change: Change) -> set[str]:
    steps: Iterable[CommitChange] = change.commits
    every = [*change.touched, *(entry for step in steps for entry in step.touched)]
    return {entry.path for entry in every if entry.old_mode is None and entry.new_mode is not None}


def _beside(tree: TreeSnapshot, workspace: Workspace, added: set[str]) -> MemoryGraph:
    """The pages in the folders of added paths that are called as these are: what a new name may collide with."""
    keys = {name_key(path) for path in added}
    found: dict[str, PageFacts] = {}
    for folder in {path.rpartition("/")[0] for path in added}:
        held = tree.folder_id(folder)
        start = f"{folder}/" if folder else ""
        for mode, raw_name, _ in objects.raw_items(objects.read(tree.repository, held)) if held else ():
            path = start + objects.decode(raw_name)
            if int(mode, 8) != objects.FOLDER and workspace.layout.is_page(path) and path != workspace.layout.log:
                key = name_key(path)
                if key in keys:
                    found[path] = PageFacts((key,))
    return MemoryGraph(found, lambda path: tree.mode(path) is not None)
