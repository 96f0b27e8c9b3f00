"""Where suites, skills and datasets lie below a workspace's folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gitops.errors import UsageError
from gitops.runs.context import Context
from gitops.wiki.layout import Layout, joined
from gitops.wiki.snapshot import SUBMODULE, SYMLINK, Snapshot

SUITE = "suite.json"
CASES = "cases"
BASELINE = "baseline.json"
BENCHMARKS = "benchmarks"
"""The folder of a skill's suite, beside its `SKILL.md` (silas 20.4)."""
SKILL = "SKILL.md"


def worktree(context: Context) -> Path:
    """The folder of the checked-out files. UsageError in a bare repository."""
    if context.repository.worktree is None:
        raise UsageError("a bare repository has no working tree", "work in a clone of it, or name a commit")
    return context.repository.worktree


def suites(layout: Layout) -> str:
    """The folder of the workspace's own suites."""
    return joined(layout.gold, "suites")


def skills(layout: Layout) -> str:
    """The folder of its skills."""
    return joined(layout.root, "skills")


def organic(layout: Layout, suite_id: str) -> str:
    """The folder of a suite's cases from real sessions, which git must ignore (silas 20.7)."""
    return joined(layout.root, f"data/benchmarks/{suite_id}")


def link_above(tree: Snapshot, folder: str) -> str:
    """The first part of a folder's path that is a symbolic link; '' where none is."""
    parts = folder.split("/")
    above = ("/".join(parts[:count]) for count in range(1, len(parts) + 1))
    return next((path for path in above if tree.mode(path) == SYMLINK), "")


def skill_names(tree: Snapshot, layout: Layout) -> list[str]:
    """The skills of a tree, by name: the folders that hold a `SKILL.md`."""
    top = skills(layout)
    found = (path.removeprefix(f"{top}/").split("/") for path in tree.paths(top))
    return sorted({parts[0] for parts in found if len(parts) == 2 and parts[1] == SKILL})


def folders(tree: Snapshot, layout: Layout, wrong: dict[str, list[str]]) -> Iterator[str]:
    """The folders of a tree that hold a suite, or cases of one that is not there; sorted.

    What stands where a folder should is told in `wrong`.
    """
    top, beside = suites(layout), skills(layout)
    inner = [f"{top}/{name}" for name in _inside(tree, top)]
    every_skill = [f"{beside}/{name}" for name in _inside(tree, beside)]
    of_skills = [f"{skill}/{BENCHMARKS}" for skill in every_skill]
    for folder in (top, *inner, beside, *every_skill, *of_skills):
        if tree.mode(folder) in (SYMLINK, SUBMODULE):
            wrong[folder] = [f"{folder}: a suite lies in a folder of its own, not behind a link or in a submodule"]
    for folder in (*inner, *of_skills):
        if folder not in wrong and (tree.mode(f"{folder}/{SUITE}") or tree.mode(f"{folder}/{CASES}")):
            yield folder


def _inside(tree: Snapshot, folder: str) -> list[str]:
    """The names directly below a folder."""
    return sorted({path.removeprefix(f"{folder}/").split("/")[0] for path in tree.paths(folder)})
