"""Suites as files: `suite.json`, `cases/*.json` and `baseline.json`, from the tree of a commit or from a folder.

They lie in `gold/suites/<name>/` and in `skills/<skill>/benchmarks/`, below the workspace's folder. Cases of real
sessions are no part of a tree: they are added from `data/benchmarks/<suite>/cases/` in the worktree, where the
workspace opts in (silas 20.7).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gitops.errors import UsageError
from gitops.runs.context import Context
from gitops.runs.workspace import Workspace
from gitops.suites import places
from gitops.suites.loaded import Loaded as Loaded
from gitops.suites.reading import BadSuite
from gitops.suites.suite_files import Files
from gitops.wiki.disk import DiskSnapshot
from gitops.wiki.snapshot import Snapshot


def suites_at(context: Context, workspace: Workspace, commit: str, *, organic: bool | None = None) -> list[Loaded]:
    """The suites of a workspace as a commit has them, by their folders' names. BadSuite for files that make none.

    `organic` adds the cases of real sessions that lie in the worktree: by default where the workspace opts in.
    """
    tree = context.tree(commit)
    found = _every(tree, workspace)
    if found.faults:
        raise BadSuite(found.faults)
    return [_with_organic(context, workspace, each, organic, tree) for each in found.loaded]


def suites_in_worktree(context: Context, workspace: Workspace, *, organic: bool | None = None) -> list[Loaded]:
    """The same as they stand in the worktree. UsageError in a bare repository."""
    found = _every(DiskSnapshot(places.worktree(context)), workspace)
    if found.faults:
        raise BadSuite(found.faults)
    return [_with_organic(context, workspace, each, organic) for each in found.loaded]


def suite_at(context: Context, workspace: Workspace, commit: str, name: str, *, organic: bool | None = None) -> Loaded:
    """The suite of that id, folder's name, skill or repository path. UsageError where there is none.

    A fault of another suite does not matter, unless it takes the same id.
    """
    tree = context.tree(commit)
    return _with_organic(context, workspace, _named(_every(tree, workspace), name), organic, tree)


def suite_in_worktree(
    context: Context, workspace: Workspace, name: str, *, organic: bool | None = None, is_begun: bool = False
) -> Loaded:
    """The same as it stands in the worktree; `is_begun` takes one that has no case yet."""
    every = _every(DiskSnapshot(places.worktree(context)), workspace, is_begun=is_begun)
    return _with_organic(context, workspace, _named(every, name), organic)


@dataclass(frozen=True, slots=True)
class Every:
    """All suites of a tree: those that could be read, and what is wrong, each with the folder that it is in."""

    loaded: tuple[Loaded, ...]
    wrong: Mapping[str, Sequence[str]]

    @property
    def faults(self) -> list[str]:
        """All that is wrong."""
        return [told for each in self.wrong.values() for told in each]


def every_in(folder: Path, called: str) -> Every:
    """The suite in a folder, wherever that is, or all that is wrong in it; `called` is what faults call the folder."""
    files = Files(DiskSnapshot(folder), "", called.rstrip("/"))
    loaded = _read(files, called.rstrip("/"))
    return Every((), {called: files.faults}) if loaded is None else Every((loaded,), {})


def only(every: Every, name: str) -> Every:
    """Of all suites the one of that name, or what is wrong with it. UsageError where there is none."""
    try:
        return Every((_named(every, name),), {})
    except BadSuite as error:
        return Every((), {name: error.told})


def every_in_worktree(context: Context, workspace: Workspace) -> Every:
    """All suites in the worktree, with their organic cases where the workspace opts in, and all faults in them."""
    tree = DiskSnapshot(places.worktree(context))
    found = _every(tree, workspace)
    wrong, loaded = dict(found.wrong), list[Loaded]()
    for one in found.loaded:
        try:
            loaded.append(with_organic(tree, workspace, one) if workspace.config.benchmarks.organic else one)
        except BadSuite as error:
            wrong[one.folder] = error.told
    return Every(tuple(loaded), wrong)


def every_at(context: Context, workspace: Workspace, commit: str) -> Every:
    """The same of a commit."""
    return _every(context.tree(commit), workspace)


def _every(tree: Snapshot, workspace: Workspace, *, is_begun: bool = False) -> Every:
    wrong: dict[str, list[str]] = {}
    loaded: list[Loaded] = []
    for folder in places.folders(tree, workspace.layout, wrong):
        files = Files(tree, folder, folder, is_begun=is_begun)
        found = _read(files, folder)
        if found is None:
            wrong[folder] = files.faults
        else:
            loaded.append(found)
    for folder, told in _of_one_id(loaded):
        wrong.setdefault(folder, []).append(told)
    return Every(tuple(one for one in loaded if one.folder not in wrong), wrong)


def _read(files: Files, folder: str) -> Loaded | None:
    """The suite of some files; None where they have faults, which `files` then knows."""
    suite = files.suite()
    baseline = files.baseline(suite)
    digests = files.digests(suite)
    return None if files.faults or suite is None else Loaded(suite, folder, baseline, digests)


def _of_one_id(loaded: Iterable[Loaded]) -> Iterable[tuple[str, str]]:
    """The suites whose id another has already: both are told, neither counts."""
    first: dict[str, Loaded] = {}
    for one in loaded:
        other = first.setdefault(one.suite.suite_id, one)
        if other is not one:
            for this, that in ((other, one), (one, other)):
                yield this.folder, f"{this.path}: suite_id: '{one.suite.suite_id}' is the id of {that.path} too"


def _named(every: Every, name: str) -> Loaded:
    asked = name.rstrip("/")
    for one in every.loaded:
        if asked == one.suite.suite_id:
            return one
    for one in every.loaded:
        if asked and asked in (one.folder, one.folder.rpartition("/")[2], one.skill):
            return one
    for folder, told in every.wrong.items():
        if asked in (folder, *folder.split("/")[-2:]) or any(f"'{asked}'" in each for each in told):
            raise BadSuite(told)
    known = [one.suite.suite_id for one in every.loaded]
    near = difflib.get_close_matches(asked, known, n=1)
    hint = f"did you mean '{near[0]}'?" if near else f"there are: {', '.join(known) or 'none'}"
    if every.faults:
        hint += f"; one that cannot be read: {every.faults[0]}"
    raise UsageError(f"no suite is called '{name}'", hint)


def _with_organic(
    context: Context, workspace: Workspace, loaded: Loaded, organic: bool | None, committed: Snapshot | None = None
) -> Loaded:
    """The suite with the cases of real sessions that lie in the worktree for it. BadSuite where a commit has some."""
    worktree = context.repository.worktree
    wanted = workspace.config.benchmarks.organic if organic is None else organic
    if not wanted or worktree is None:
        return loaded
    folder = places.organic(workspace.layout, loaded.suite.suite_id)
    if committed is not None and (there := next(iter(committed.paths(folder)), "")):
        told = f"{there} is committed, and real sessions belong into no commit"
        raise BadSuite([told], "git rm --cached it, and think of the commits that have it")
    return with_organic(DiskSnapshot(worktree), workspace, loaded)


def with_organic(tree: Snapshot, workspace: Workspace, loaded: Loaded) -> Loaded:
    """The suite with its organic cases in a tree. BadSuite where one has a fault, or the id of another case."""
    folder = places.organic(workspace.layout, loaded.suite.suite_id)
    if link := places.link_above(tree, folder):
        raise BadSuite([f"{link} is a symbolic link: organic cases lie in the worktree itself"])
    files = Files(tree, folder, folder, is_organic=True)
    found = files.cases()
    known = {case.case_id for case in loaded.suite.cases}
    files.faults += [
        f"{folder}: the case {one.case_id} is in {loaded.folder} too" for one in found if one.case_id in known
    ]
    if files.faults:
        raise BadSuite(files.faults)
    if not found:
        return loaded
    suite = loaded.suite.model_copy(update={"cases": [*loaded.suite.cases, *found]})
    return replace(loaded, suite=suite, organic=tuple(case.case_id for case in found))
