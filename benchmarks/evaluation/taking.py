"""Wikis taken into new repositories in a temporary folder: as they stand, or made anew from their sources."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gitops import assembly
from gitops.errors import CannotRun, UsageError
from gitops.evals import floor_ground
from gitops.evals.floor_ground import MAIN
from gitops.git import commits, refs, trees
from gitops.git.objects import EMPTY_TREE
from gitops.git.process import git
from gitops.git.repository import open_repository
from gitops.git.snapshot import resolve
from gitops.runs import onboarding, surveying
from gitops.runs.context import Context
from gitops.runs.outcome import Options
from gitops.runs.workspace import Workspace, rooted
from gitops.wiki.snapshot import REGULAR


def wikis(folder: Path) -> list[Path]:
    """The wikis in a folder, one folder each. UsageError where there is none."""
    every = sorted(folder.iterdir()) if folder.is_dir() else []
    found = [path for path in every if path.is_dir() and any(path.rglob("*.md"))]
    if not found:
        raise UsageError(f"there is no wiki in {folder}", "name a folder that holds wikis, one folder each")
    return found


def adopted(wiki: Path, folder: Path) -> tuple[Context, list[Workspace]]:
    """A copy of a wiki in a new repository, adopted where it has no policy; and the workspaces in it.

    Everything is committed at the present moment: nothing has a past that it does not have.
    """
    folder.mkdir(parents=True)
    git(folder, "init", "--quiet", "--bare", "--initial-branch=main", ".")
    context = Context(open_repository(folder), seating=assembly.seated, triggered_by="cli:eval")
    content = {path: ((wiki / path).read_bytes(), REGULAR) for path in _files(wiki)}
    tree = trees.edit(context.repository, EMPTY_TREE, content)
    tip = commits.write(context.repository, tree, [], "As it stands", context.identity, context.epoch)
    refs.move(context.repository, MAIN, tip, None, "assay: a wiki as it stands")
    plans = [onboarding.plan(context, tip, each) for each in surveying.look(context, tip)]
    files = {path: data for each in plans for path, data in each.files.items()}
    tip = onboarding.commit(context, MAIN, tip, files, "Adopt it as it stands") or tip
    return context, [rooted(context.repository, tip, each.surveyed.workspace.layout.root) for each in plans]


def _files(wiki: Path) -> list[str]:
    """The files of a folder; what git keeps about it and links to elsewhere are none."""
    every = (path for path in sorted(wiki.rglob("*")) if path.is_file() and not path.is_symlink())
    return [path.relative_to(wiki).as_posix() for path in every if ".git" not in path.relative_to(wiki).parts]


def ingested(sources: Sequence[Path], folder: Path, like: Context, workspace: Workspace) -> tuple[Context, list[str]]:
    """An empty wiki into which the offline writer has brought the sources one by one; which were left out, and why."""
    folder.mkdir(parents=True)
    context = floor_ground.begin(like, folder, workspace.config, "offline", workspace.config.verify.judge)
    left_out = []
    for source in sources:
        target = rooted(context.repository, resolve(context.repository, MAIN), "")
        try:
            outcome = assembly.ingested(context, target, MAIN, source, "offline", Options())
        except CannotRun as error:
            left_out.append(f"{source.name}: {error.message}")
            continue
        if outcome is None or outcome.result != "landed":
            left_out.append(f"{source.name}: {'it adds nothing' if outcome is None else outcome.result}")
    return context, left_out
