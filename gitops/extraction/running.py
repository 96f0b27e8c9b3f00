"""Measures an extraction: the gold of a wiki, what was extracted, a judge, and the measurement of what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gitops.errors import UsageError
from gitops.extraction import gold as gold_files
from gitops.extraction import places
from gitops.extraction.model import Case
from gitops.runs.context import Context
from gitops.runs.workspace import Workspace
from gitops.verify.registry import nearest

SUITE = "extraction"
"""What the gold of a workspace is called in its measurements."""


@dataclass(frozen=True, slots=True)
class Gold:
    """The cases that are measured by. `name` is what the gold is called, `place` its folder for whoever mends it.

    `digest` is that of all cases that there are, and `known` are their names, also where some of them alone are tried.
    """

    name: str
    place: str
    cases: Sequence[Case]
    digest: str
    known: frozenset[str]


def gold_at(context: Context, workspace: Workspace, commit: str) -> Gold:
    """The gold of a workspace as a commit has it. UsageError where it is broken, or where there is none."""
    tree, folder = context.tree(commit), places.gold(workspace.layout)
    if tree.folder_id(folder) is None:
        worktree = context.repository.worktree
        is_written = worktree is not None and (worktree / folder).is_dir()
        mend = f"commit it, or: --gold {folder}" if is_written else "docs/extraction-gold.md shows some; or --gold DIR"
        raise UsageError(f"there is no gold to measure by: {folder}/ is not in {commit[:10]}", mend)
    cases = gold_files.cases(tree, folder)
    return _gold(SUITE, folder, cases)


def gold_in(path: Path, called: str) -> Gold:
    """The gold in a folder of the disk; `called` is how a person named it. Errors likewise."""
    if not path.is_dir():
        raise UsageError(f"there is no folder {called}", "name the folder that holds the cases")
    cases = gold_files.in_folder(path, called)
    return _gold(path.resolve().name, called, cases)


def _gold(name: str, place: str, cases: Sequence[Case]) -> Gold:
    return Gold(name, place, cases, gold_files.digest(cases), frozenset(case.id for case in cases))


def some_of(gold: Gold, wanted: Sequence[str]) -> Gold:
    """Some cases alone, each once, in the gold's order. UsageError for one that there is not."""
    for name in wanted:
        if name not in gold.known:
            raise UsageError(f"{gold.place} has no case '{name}'", nearest(name, gold.known))
    return replace(gold, cases=[case for case in gold.cases if case.id in wanted])
