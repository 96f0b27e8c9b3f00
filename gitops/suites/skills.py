"""Skills and whether they are measured: one without benchmarks is told of, and holds nothing up (silas 20.4)."""

from __future__ import annotations

from gitops.runs.context import Context
from gitops.runs.workspace import Workspace
from gitops.suites import places
from gitops.wiki.disk import DiskSnapshot
from gitops.wiki.snapshot import Snapshot


def without_benchmarks(context: Context, workspace: Workspace, commit: str) -> list[str]:
    """The skills that have a `SKILL.md` and no `benchmarks/suite.json` in the tree of a commit, by name."""
    return _without(context.tree(commit), workspace)


def without_benchmarks_in_worktree(context: Context, workspace: Workspace) -> list[str]:
    """The same of the files as they stand in the worktree."""
    return _without(DiskSnapshot(places.worktree(context)), workspace)


def _without(tree: Snapshot, workspace: Workspace) -> list[str]:
    top = places.skills(workspace.layout)
    names = places.skill_names(tree, workspace.layout)
    return [name for name in names if tree.mode(f"{top}/{name}/{places.BENCHMARKS}/{places.SUITE}") is None]
