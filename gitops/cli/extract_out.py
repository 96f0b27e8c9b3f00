"""Where `git assay extract run --out DIR` writes: a folder of a wiki, by a run, or any other folder as it is."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gitops.cli import surroundings

if TYPE_CHECKING:
    from gitops.runs.context import Context
    from gitops.runs.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Out:
    """`folder` is a folder of the disk, or None where `inside`, a repository path, is one of the wiki.

    `context` is None where there is no repository, `workspace` where that holds none.
    """

    preset: str
    folder: Path | None
    inside: str = ""
    context: Context | None = None
    workspace: Workspace | None = None
    target: str = ""

    def cited(self, file: Path) -> str:
        """How a file is cited that is a source of the workspace; '' for any other."""
        from gitops.runs import incoming

        if self.context is None or self.workspace is None:
            return ""
        path = incoming.inside(self.context, file)
        layout = self.workspace.layout
        return layout.cited(path.as_posix()) if path is not None and layout.is_source(path.as_posix()) else ""


def find(arguments: argparse.Namespace) -> Out:
    """Find out where to write, and by whom.

    UsageError for a preset that there is not, for a file, for a folder of the workspace that is none of its wiki, and
    for one of git's own.
    """
    from gitops.agents import extracting
    from gitops.errors import UsageError
    from gitops.git.repository import NoRepository

    folder = surroundings.folder(arguments) / arguments.out
    if not arguments.out or folder.is_file():
        told = f"{arguments.out} is no folder" if arguments.out else "--out names no folder"
        raise UsageError(told, "name a folder, or one that is to be made: --out DIR")
    if ".git" in folder.resolve().parts:
        raise UsageError(f"{arguments.out} lies in git's own folder", "name a folder for atoms: --out DIR")
    preset = arguments.preset or extracting.OFFLINE
    try:
        context = surroundings.context(arguments)
    except NoRepository:
        if arguments.workspace:
            raise
        extracting.is_offline(None, preset)
        return Out(preset, folder)
    workspace, target = _workspace(arguments, context)
    extracting.is_offline(workspace, preset)  # UsageError before anything is done
    inside = _inside(context, workspace, folder, arguments.out)
    return Out(preset, folder if not inside else None, inside, context, workspace, target)


def _workspace(arguments: argparse.Namespace, context: Context) -> tuple[Workspace | None, str]:
    """The workspace and the branch that a run would land on; None where the repository holds none, '' for no branch."""
    from gitops.git import snapshot
    from gitops.runs.roots import roots

    repository = context.repository
    has_none = repository.is_unborn or not list(roots(snapshot.TreeSnapshot.at(repository, "HEAD")))
    if has_none and not arguments.workspace and not arguments.target:
        return None, ""
    target = surroundings.target(arguments, context)
    return surroundings.workspace(arguments, context, surroundings.tip(context, target)), target


def _inside(context: Context, workspace: Workspace | None, folder: Path, named: str) -> str:
    """The repository path of a folder of the wiki; '' for one outside of the workspace."""
    from gitops.errors import UsageError
    from gitops.runs import incoming
    from gitops.wiki.layout import joined
    from gitops.wiki.paths import within

    path = incoming.inside(context, folder)
    if path is None or workspace is None:
        return ""
    layout, name = workspace.layout, "" if path.as_posix() == "." else path.as_posix()
    if layout.root and not within(name, layout.root):
        return ""
    if name and layout.is_page(joined(name, "atom.md")):
        return name
    mend = f"name a folder of its wiki (--out {joined(layout.wiki, 'atoms')}), or one outside of the workspace"
    raise UsageError(f"{named} lies in workspace {workspace.name}, and in no folder of its wiki", mend)
