"""An ablation told: printed, and written where its reports are kept."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from gitops.cli import surroundings

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gitops.runs.context import Context
    from gitops.runs.workspace import Workspace
    from gitops.suites.concluding import Conclusion

FOLDER = "data/ablation"
"""Where reports are kept, below the workspace's folder (silas 20.8)."""


def told(
    arguments: argparse.Namespace, context: Context, workspace: Workspace, conclusion: Conclusion, why_not: str = ""
) -> int:
    """Print a new ablation and write what was asked for, its reports too where it was kept; the exit code.

    `why_not` says why it was not, '' where it was. CannotRun where it says nothing.
    """
    names = [] if why_not else _kept_files(context, workspace, conclusion)
    written = f"; written to {names[0]}, .json and .svg: commit them if they are to stay" if names else ""
    note = f"not kept: {why_not}" if why_not else f"kept in the notes of the commits that were measured{written}"
    return told_again(arguments, conclusion, is_kept=not why_not, names=names, notes=[note])


def told_again(
    arguments: argparse.Namespace,
    conclusion: Conclusion,
    *,
    is_kept: bool = True,
    names: Sequence[str] = (),
    notes: Sequence[str] = (),
) -> int:
    """The same of one that is in the notes already; nothing is kept a second time."""
    from gitops.suites.ablation_record import record

    if arguments.html is not None:
        from gitops.report.ablation_page import page

        _write(surroundings.folder(arguments) / arguments.html, page(conclusion))
    if arguments.json:
        surroundings.print_json(record(conclusion, is_kept=is_kept, files=names))
    else:
        _print(arguments, conclusion, notes)
    if conclusion.is_empty:
        from gitops.errors import CannotRun

        raise CannotRun("no case was tried and judged on both sides", "git assay benchmark run SUITE says why")
    return 0 if conclusion.is_harmless else 1


def _print(arguments: argparse.Namespace, conclusion: Conclusion, notes: Sequence[str]) -> None:
    if arguments.markdown:
        from gitops.report.ablation_md import markdown

        print(markdown(conclusion), end="")
        return
    from gitops.report.ablation import words
    from gitops.report.text import show

    show(words(conclusion, notes))


def _kept_files(context: Context, workspace: Workspace, conclusion: Conclusion) -> list[str]:
    """Write the report into the worktree, if there is one; the paths from its top."""
    from gitops.canonical import dumps
    from gitops.report.ablation_chart import svg
    from gitops.report.ablation_md import markdown
    from gitops.suites.ablation_record import record
    from gitops.wiki.layout import joined

    top = context.repository.worktree
    if top is None:
        return []
    name = conclusion.ablation.id
    stem = joined(workspace.layout.root, f"{FOLDER}/{name}")
    names = [f"{stem}.md", f"{stem}.json", f"{stem}.svg"]
    content = (
        markdown(conclusion, f"{name}.svg"),
        dumps(record(conclusion, is_kept=True, files=names)) + "\n",
        svg(conclusion),
    )
    for each, text in zip(names, content, strict=True):
        _write(top / each, text)
    return names


def _write(path: Path, text: str) -> None:
    from gitops.runs.gold_keeping import write

    write(path, text.encode("utf-8", "backslashreplace"))
