"""What is to be linted: which tree, and which workspaces of it. The policy is read from the tree itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitops.errors import CannotRun, UsageError
from gitops.git import objects, snapshot
from gitops.git.process import git
from gitops.git.snapshot import IndexSnapshot, TreeSnapshot, WorktreeSnapshot
from gitops.runs.context import Context
from gitops.runs.roots import DEPTH, FILE_NAME, roots
from gitops.wiki.paths import within

if TYPE_CHECKING:
    from gitops.runs.workspace import Workspace

_NONE = "git assay adopt takes a wiki as it stands into care; git assay init begins one"


@dataclass(frozen=True, slots=True)
class Target:
    """A tree, and the folders in it that hold a policy. `rev` is the commit it is of, '' for one that is not
    committed; `commit` is where the past begins, '' where there is none. `called` is what messages call it.
    """

    tree: TreeSnapshot
    roots: tuple[str, ...]
    rev: str
    commit: str
    called: str

    def workspace(self, root: str) -> Workspace:
        """The workspace in a folder, its policy read. UsageError for one that nobody can read."""
        from gitops.runs.workspace import at

        return at(self.tree, root, self.called)


def of_revision(context: Context, rev: str) -> Target:
    """What a revision has."""
    commit = snapshot.resolve(context.repository, rev)
    tree = context.tree(commit)
    return Target(tree, tuple(roots(tree)), commit, commit, commit)


def of_index(context: Context) -> Target:
    """What is staged. CannotRun in a bare repository."""
    if context.repository.is_bare:
        raise CannotRun("a bare repository has no index, so nothing is staged", "name what to lint: lint --rev REV")
    tree = IndexSnapshot(context.repository)
    return Target(tree, tuple(roots(tree)), "", _head(context), "the index")


def of_worktree(context: Context) -> Target:
    """The working tree as it stands, in the folders of its workspaces; in a bare repository what HEAD has."""
    if context.repository.is_bare:
        return of_revision(context, "HEAD")
    folders = _folders_on_disk(context)
    if not folders:
        raise UsageError(f"there is no {FILE_NAME} in the working tree, so no workspace", _NONE)
    tree = WorktreeSnapshot(context.repository, folders)
    return Target(tree, tuple(folders), "", _head(context), "worktree")


def chosen(target: Target, name: str | None, places: Sequence[str]) -> list[str]:
    """The folder of the workspace called `name`; else for each place the nearest at or above it, or else all below."""
    if name is not None:
        named = {target.workspace(root).name: root for root in target.roots}
        if name not in named:
            known = ", ".join(sorted(named))
            raise UsageError(f"no workspace is called '{name}' here", f"there are: {known or 'none'}")
        return [named[name]]
    near = {root for place in places for root in _near(target, place)}
    return [root for root in target.roots if root in near]


def _near(target: Target, place: str) -> list[str]:
    above = [root for root in target.roots if root == place or within(place, root)]
    if above:
        return [max(above, key=len)]
    below = [root for root in target.roots if within(root, place)]
    if not below:
        known = ", ".join(root or "." for root in target.roots) or "none"
        where = f"at or below {place}/" if place else "here"
        raise UsageError(f"there is no {FILE_NAME} {where}, so no workspace", f"workspaces: {known}; {_NONE}")
    return below


def _head(context: Context) -> str:
    return "" if context.repository.is_unborn else snapshot.resolve(context.repository, "HEAD")


def _folders_on_disk(context: Context) -> list[str]:
    """The folders of the working tree that hold a policy, committed or not; from the top down."""
    listed = git(context.repository, "ls-files", "-z", "--cached", "--others", "--exclude-standard").stdout
    found = set()
    for name in set(listed.split(b"\0")):
        folder, _, last = objects.decode(name).rpartition("/")
        if last == FILE_NAME and folder.count("/") < DEPTH - 1:
            found.add(folder)
    worktree = context.repository.worktree
    there = [folder for folder in found if worktree is not None and (worktree / folder / FILE_NAME).is_file()]
    return sorted(there, key=lambda folder: (folder.count("/") + bool(folder), folder))
