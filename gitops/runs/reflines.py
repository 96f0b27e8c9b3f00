"""One ref of a push, on the way out or where it arrives: what it brings, and what is said of it.

Light to load: most pushes are told by what stands here, and need no check.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitops.git import history
from gitops.git.treediff import changed

if TYPE_CHECKING:
    from gitops.runs.context import Context
    from gitops.runs.workspace import Workspace
    from gitops.verify.finding import Finding


@dataclass(frozen=True, slots=True)
class Examined:
    """What is to be said of one ref of a push: whether it may go, why, what was found, and what else mends it."""

    ref: str
    passes: bool
    why: str
    findings: tuple[Finding, ...] = ()
    mend: str = ""


def commits_told(count: int) -> str:
    """`1 commit`, `2 commits`."""
    return "1 commit" if count == 1 else f"{count:,} commits"


def are_touched(
    context: Context, workspaces: Iterable[Workspace], base: str, head: str, new: Iterable[str]
) -> list[Workspace]:
    """The workspaces that a change writes to, in its outcome or in any commit on the way.

    What lies in a workspace within another is the outer one's business only where that has its wiki, its sources or its
    gold.
    """
    before, after = context.tree(base).tree_id, context.tree(head).tree_id
    paths = {entry.path for entry in changed(context.repository, before, after)}
    for commit in new:
        paths.update(entry.path for entry in history.introduced(context.repository, commit))
    every = list(workspaces)
    return [each for each in every if any(_concerns(path, each, every) for path in paths)]


def _concerns(path: str, workspace: Workspace, every: Iterable[Workspace]) -> bool:
    layout = workspace.layout
    if not _is_below(path, layout.root):
        return False
    inner = any(len(each.layout.root) > len(layout.root) and _is_below(path, each.layout.root) for each in every)
    return not inner or layout.is_source(path) or layout.is_wiki(path) or _is_below(path, layout.gold)


def mainline(context: Context, head: str, new: set[str]) -> Iterator[str]:
    """The new commits along first parents, the last first: what stood at the branch's tip one after the other."""
    for commit in history.first_parent(context.repository, head):
        if commit not in new:
            return
        yield commit


def _is_below(path: str, folder: str) -> bool:
    return not folder or path.startswith(f"{folder}/")
