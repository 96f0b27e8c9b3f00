"""Two commits merged in memory: a tree, or the paths in conflict; neither index nor worktree is touched."""

from __future__ import annotations

from dataclasses import dataclass

from gitops.errors import CannotRun
from gitops.git import commits, history, objects
from gitops.git.failure import from_git, last_line
from gitops.git.process import DURABLE, OFFLINE, git
from gitops.git.repository import Repository


@dataclass(frozen=True, slots=True)
class Merge:
    """The merged tree, or None with the paths that conflict."""

    tree: str | None
    conflicts: tuple[str, ...] = ()


def merge(repository: Repository, ours: str, theirs: str) -> Merge:
    """Merge two commits as `git merge` would. CannotRun when they share no history or objects are absent."""
    if history.is_ancestor(repository, ours, theirs):
        return Merge(commits.read(repository, theirs).tree)
    repository.refuse_in_quarantine("writing a merged tree")
    command = (*DURABLE, "merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", ours, theirs)
    done = git(repository, *command, env=OFFLINE, check=False)
    if done.code not in (0, 1):
        raise _failure(repository, done.stderr, done.code)
    tree, *names = done.stdout.split(b"\0")
    if done.code == 0:
        return Merge(tree.decode())
    return Merge(None, tuple(dict.fromkeys(objects.decode(name) for name in names if name)))


def _failure(repository: Repository, stderr: str, code: int) -> Exception:
    if "unrelated histories" not in stderr:
        return from_git("merge-tree", stderr, code)
    if repository.is_shallow:
        return CannotRun("the history here is cut off before the two branches meet", "git fetch --unshallow")
    return CannotRun(last_line(stderr), "start the run's branch from the target: git assay run start")
