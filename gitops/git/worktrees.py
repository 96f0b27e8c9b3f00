"""The worktrees that have a branch checked out: asked whether they can follow it, and brought along."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gitops.errors import CannotRun
from gitops.git import objects
from gitops.git.process import git
from gitops.git.repository import Repository


@dataclass(frozen=True, slots=True)
class Worktree:
    """A folder of checked-out files and the full name of the branch its HEAD is on."""

    path: Path
    head_ref: str
    git_dir: Path

    @property
    def worktree(self) -> Path:
        """The same folder, under the name by which git commands are told of it."""
        return self.path


def checked_out(repository: Repository, ref: str) -> list[Worktree]:
    """The worktrees, main and linked, whose HEAD is on the branch `ref`; none whose folder is gone."""
    found = []
    for number, block in enumerate(_blocks(repository)):
        if block.get("branch") != ref or "bare" in block or "prunable" in block:
            continue
        is_main = number == 0  # git lists the main worktree first, always
        path = _main_path(repository, block) if is_main else Path(block["worktree"])
        if path.is_dir():
            git_dir = repository.common_dir if is_main else _linked_git_dir(path)
            found.append(Worktree(path, ref, git_dir))
    return found


def _blocks(repository: Repository) -> Iterator[dict[str, str]]:
    for block in objects.decode(git(repository, "worktree", "list", "--porcelain", "-z").stdout).split("\0\0"):
        lines = [line.partition(" ") for line in block.split("\0") if line]
        if lines:
            yield {key: value for key, _, value in lines}


def _main_path(repository: Repository, block: dict[str, str]) -> Path:
    # git guesses the main worktree from the git folder's place, wrongly where core.worktree or GIT_WORK_TREE says.
    known = repository.worktree if repository.git_dir == repository.common_dir else None
    return known or Path(block["worktree"])


def _linked_git_dir(path: Path) -> Path:
    return Path(git(path, "rev-parse", "--absolute-git-dir").text)


def rehearse(worktree: Worktree, old: str, new: str) -> str | None:
    """What git objects to in moving index and files from commit `old` to `new`; None when it would. Changes nothing."""
    git(worktree, "update-index", "-q", "--refresh", check=False)
    done = git(worktree, "read-tree", "-n", "-m", "-u", old, new, check=False)
    if done.code:
        return done.stderr.strip()
    if hidden := _overwritten(worktree, old, new):
        return f"error: The following untracked files would be overwritten: {', '.join(hidden)}"
    return None


def follow(worktree: Worktree, old: str, new: str) -> None:
    """Bring index and files from commit `old` to `new`, leaving unrelated edits alone; else CannotRun."""
    objection = rehearse(worktree, old, new)
    if objection is None:
        done = git(worktree, "read-tree", "-m", "-u", old, new, check=False)
        objection = done.stderr.strip() if done.code else None
    if objection is not None:
        raise CannotRun(
            f"{worktree.path}: {worktree.head_ref} moved on, but the files could not follow: {_one_line(objection)}",
            f"put your changes aside, then: git -C '{worktree.path}' read-tree -m -u {old} {new}",
        )


def behind(worktree: Worktree, old: str) -> bool:
    """Whether index and files are exactly commit `old`'s: what a killed landing leaves when the branch has moved."""
    git(worktree, "update-index", "-q", "--refresh", check=False)
    staged = git(worktree, "diff-index", "--cached", "--quiet", old, check=False)
    files = git(worktree, "diff-files", "--quiet", check=False)
    return staged.code == 0 and files.code == 0


def _overwritten(worktree: Worktree, old: str, new: str) -> list[str]:
    """Untracked files where `new` adds paths. git itself objects to most, but overwrites those it ignores."""
    asked = ("diff-tree", "-r", "-z", "--name-only", "--no-renames", "--diff-filter=A", old, new)
    added = [name for name in git(worktree, *asked).stdout.split(b"\0") if name]
    standing = {found for name in added if (found := _standing(os.fsencode(worktree.path), name)) is not None}
    if not standing:
        return []
    listed = git(worktree, "ls-files", "--others", "-z", "--", *map(os.fsdecode, sorted(standing))).stdout
    return [objects.decode(name) for name in listed.split(b"\0") if name]


def _standing(root: bytes, name: bytes) -> bytes | None:
    """What stands in the way of writing `name`: something of that very name, or a non-folder where a folder must be."""
    parts = name.split(b"/")
    for end in range(1, len(parts)):
        above = b"/".join(parts[:end])
        place = os.path.join(root, above)
        if os.path.lexists(place) and (os.path.islink(place) or not os.path.isdir(place)):
            return above
    return name if os.path.lexists(os.path.join(root, name)) else None


def _one_line(text: str) -> str:
    return " ".join(text.split())
