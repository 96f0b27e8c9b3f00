"""Which suites a command runs, at which commit and how: as its arguments say, or as a run did that is done again."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitops.cli import surroundings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitops.git.snapshot import TreeSnapshot
    from gitops.runs.context import Context
    from gitops.runs.workspace import Workspace
    from gitops.suites.configured import ConfigFile
    from gitops.suites.flow import Wanted
    from gitops.suites.loading import Loaded


@dataclass(frozen=True, slots=True)
class Planned:
    """One suite that is to be run. `tree` is what is measured in place of the commit's, None: the commit's own."""

    workspace: Workspace
    commit: str
    loaded: Loaded
    wanted: Wanted
    tree: TreeSnapshot | None = None


def planned(arguments: argparse.Namespace, context: Context) -> list[Planned]:
    """What is to be run. UsageError for arguments that do not fit one another, and where no suite is meant."""
    _refuse_what_does_not_fit(arguments)
    return _again(arguments, context) if arguments.like is not None else _chosen(arguments, context)


def _refuse_what_does_not_fit(arguments: argparse.Namespace) -> None:
    from gitops.errors import UsageError

    named = [*arguments.suites, *(["--all"] if arguments.all else []), *(["--skill"] if arguments.skill else [])]
    if arguments.like is not None:
        others = ("rev", "repeats", "seed", "case", "config")
        named += [f"--{name}" for name in others if getattr(arguments, name) not in (None, [])]
        named += ["--worktree"] if arguments.worktree else []
        if named:
            raise UsageError(f"--like RUN says all of it already: {named[0]} is one too many", f"leave {named[0]} out")
        return
    if not named:
        raise UsageError("which suite?", "name it, or --all; git assay benchmark list shows them")
    if arguments.all and len(named) > 1:
        raise UsageError(f"--all is every suite: {named[0]} is one too many", "leave one of them out")
    if arguments.worktree and arguments.rev is not None:
        raise UsageError("--worktree measures the files as they stand, --rev a commit", "leave one of them out")


def _again(arguments: argparse.Namespace, context: Context) -> list[Planned]:
    from gitops.suites import recalling, repeating

    found = repeating.again(context, recalling.of_run(context, arguments.like), arguments.jobs or 0)
    for one in found:
        if one.lacks:
            left = f"{len(one.lacks)} {'case' if len(one.lacks) == 1 else 'cases'}"
            context.warn(f"{one.loaded.suite.suite_id}: {left} from real sessions are in no record and left out")
    return [
        Planned(surroundings.workspace(arguments, context, one.commit), one.commit, one.loaded, one.wanted)
        for one in found
    ]


def _chosen(arguments: argparse.Namespace, context: Context) -> list[Planned]:
    from gitops.errors import UsageError
    from gitops.git import snapshot
    from gitops.runs.workspace import at

    given = _config(arguments)
    rev = arguments.rev or (given.rev if given else "") or "HEAD"
    commit = snapshot.resolve(context.repository, rev)
    workspace = surroundings.workspace(arguments, context, commit)
    tree = None
    if arguments.worktree:
        tree = snapshot.WorktreeSnapshot(context.repository)
        workspace = at(tree, workspace.layout.root, "the working tree")
    loaded = _suites(arguments, context, workspace, commit)
    if arguments.case and len(loaded) > 1:
        raise UsageError("--case is for one suite", "name that suite")
    wanted = _wanted(arguments, given)
    return [Planned(workspace, commit, one, wanted, tree) for one in loaded]


def _config(arguments: argparse.Namespace) -> ConfigFile | None:
    if arguments.config is None:
        return None
    from gitops.suites.configured import read_file

    path = surroundings.folder(arguments) / arguments.config
    read = read_file(path, arguments.config)
    return read.model_copy(update={"name": read.name or path.stem})


def _wanted(arguments: argparse.Namespace, given: ConfigFile | None) -> Wanted:
    from gitops.suites.flow import Wanted

    return Wanted(
        repeats=arguments.repeats or 0,
        jobs=arguments.jobs or 0,
        seed=arguments.seed or 0,
        variant=given.name if given else "",
        overrides=given.config_overrides if given else {},
        cases=tuple(dict.fromkeys(arguments.case)),
    )


def _suites(arguments: argparse.Namespace, context: Context, workspace: Workspace, commit: str) -> Sequence[Loaded]:
    from gitops.errors import CannotRun
    from gitops.suites import loading

    names = [*arguments.suites, *([arguments.skill] if arguments.skill else [])]
    if not arguments.all:
        found = [
            loading.suite_in_worktree(context, workspace, name)
            if arguments.worktree
            else loading.suite_at(context, workspace, commit, name)
            for name in dict.fromkeys(names)
        ]
        return list({one.folder: one for one in found}.values())
    every = (
        loading.suites_in_worktree(context, workspace)
        if arguments.worktree
        else loading.suites_at(context, workspace, commit)
    )
    if not every:
        where = "the working tree" if arguments.worktree else commit[:10]
        raise CannotRun(f"{workspace.name} has no suite at {where}", "docs/benchmark-cases.md shows one")
    return every
