"""Which workspace a branch without records is of: the one whose files it changes."""

from __future__ import annotations

from gitops.errors import UsageError
from gitops.git import history
from gitops.git.treediff import changed
from gitops.runs.context import Context
from gitops.runs.workspace import Workspace, at, by_name, find, roots


def workspace_of(context: Context, run_id: str, base: str, head: str) -> Workspace:
    """The workspace that a branch writes to, with the policy that the base has; where there is but one, that one.

    A branch that changes nothing is of the workspace that the command was given in. UsageError where it writes to
    several, or where nothing tells which.
    """
    repository, tree = context.repository, context.tree(base)
    folders = list(roots(tree))
    if len(folders) > 1:
        begun = history.merge_base(repository, base, head) or base
        entries = changed(repository, context.tree(begun).tree_id, context.tree(head).tree_id)
        nearest = {_nearest(entry.path, folders) for entry in entries} - {None}
        found = by_name(at(tree, root, base) for root in folders if root in nearest)
        if len(found) > 1:
            told = f"run/{run_id} writes to several workspaces: {', '.join(sorted(found))}"
            raise UsageError(told, "a run is of one workspace: make a branch run/ID for each")
        if found:
            return next(iter(found.values()))
        if not repository.prefix and "" not in folders:
            told = f"run/{run_id} changes no page yet, so nothing says which workspace it is of"
            raise UsageError(told, "write its first page; or finish it from the folder of its workspace")
    return find(repository, base, None, repository.prefix)


def _nearest(path: str, folders: list[str]) -> str | None:
    """The innermost of the folders that a path lies in."""
    return max((each for each in folders if not each or path.startswith(f"{each}/")), key=len, default=None)
