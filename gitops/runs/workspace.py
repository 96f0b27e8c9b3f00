"""Finds the workspace: the nearest `assay.toml` above, or the one that is named, always as the base commit has it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from gitops import config as configuration
from gitops.config import FILE_NAME, Config
from gitops.errors import UsageError
from gitops.git import snapshot
from gitops.git.repository import Repository
from gitops.runs.roots import roots as roots
from gitops.wiki.layout import Layout, joined
from gitops.wiki.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Workspace:
    """A workspace at one commit: where it lies and what its policy is."""

    layout: Layout
    config: Config
    policy: str
    """The blob id of its `assay.toml` at that commit."""

    @property
    def name(self) -> str:
        """What it is called."""
        return self.layout.name


def find(repository: Repository, commit: str, name: str | None = None, prefix: str = "") -> Workspace:
    """The workspace called `name`, else the nearest one at or above the folder `prefix`, else the only one."""
    tree = snapshot.TreeSnapshot(repository, snapshot.tree_of(repository, commit))
    if name is None:
        folder = prefix.strip("/")
        while True:
            if tree.blob(joined(folder, FILE_NAME)) is not None:
                return at(tree, folder, commit)
            if not folder:
                break
            folder = folder.rpartition("/")[0]
    found = by_name(at(tree, root, commit) for root in roots(tree))
    if name is None:
        return _only(found, repository, commit)
    if name not in found:
        import difflib

        near = difflib.get_close_matches(name, found, n=1)
        known = f"did you mean '{near[0]}'?" if near else f"there are: {', '.join(sorted(found)) or 'none'}"
        raise UsageError(f"no workspace is called '{name}' at {commit[:10]}", known)
    return found[name]


def rooted(repository: Repository, commit: str, root: str) -> Workspace:
    """The workspace at a known folder, as a commit has it. UsageError where its `assay.toml` is gone."""
    tree = snapshot.TreeSnapshot(repository, snapshot.tree_of(repository, commit))
    if tree.blob(joined(root, FILE_NAME)) is None:
        raise UsageError(f"there is no {joined(root, FILE_NAME)} at {commit[:10]}", "git assay init")
    return at(tree, root, commit)


def at(tree: Snapshot, root: str, commit: str) -> Workspace:
    """The workspace whose `assay.toml` lies in the folder `root`."""
    path = joined(root, FILE_NAME)
    config = _read(tree.read(path), f"{path} at {commit[:10]}")
    return Workspace(Layout(root, config.workspace, _nested(tree, root, config)), config, tree.blob(path) or "")


def _read(data: bytes, where: str) -> Config:
    try:
        return _read_before(data)
    except UsageError:
        return _checked(data, where)  # which says where the mistake is


@lru_cache(maxsize=32)
def _read_before(data: bytes) -> Config:
    """The same bytes are the same policy: of a hundred commits few change it, and one command asks several times."""
    return _checked(data, FILE_NAME)


def _checked(data: bytes, where: str) -> Config:
    config = configuration.parse(data, where)
    if config.checks:  # to know every check is to load them all, and most policies name none
        from gitops.verify.registry import refuse_unknown

        refuse_unknown(config, where)
    return config


def _nested(tree: Snapshot, root: str, config: Config) -> tuple[str, ...]:
    """The workspaces below one that is its own wiki; a wiki in a folder of its own holds none."""
    if config.workspace.wiki != "." or not isinstance(tree, snapshot.TreeSnapshot):
        return ()
    return tuple(folder for folder in roots(tree, root) if folder != root)


def by_name(workspaces: Iterable[Workspace]) -> dict[str, Workspace]:
    """Workspaces by what they are called. UsageError where two have one name."""
    found: dict[str, Workspace] = {}
    for workspace in workspaces:
        other = found.setdefault(workspace.name, workspace)
        if other is not workspace:
            files = f"{other.layout.config} and {workspace.layout.config}"
            raise UsageError(
                f"two workspaces are called '{workspace.name}': {files}", "give one another [workspace] name"
            )
    return found


def _only(found: dict[str, Workspace], repository: Repository, commit: str) -> Workspace:
    if len(found) == 1:
        return next(iter(found.values()))
    if found:
        names = sorted(found)
        raise UsageError(f"which workspace? There are {', '.join(names)}", f"git assay --workspace {names[0]} …")
    if (since := _policy_of_today(repository, commit)) is not None:
        told = f"there is no {FILE_NAME} at {commit[:10]} yet, so no policy to read it by"
        raise UsageError(told, f"a commit since it came in: git log --oneline -- {since}")
    if repository.worktree is not None and (repository.worktree / FILE_NAME).exists():
        raise UsageError(f"{FILE_NAME} is not committed at {commit[:10]}", f"git add {FILE_NAME} && git commit")
    raise UsageError(f"there is no {FILE_NAME} at {commit[:10]}, so no workspace", "git assay init")


def _policy_of_today(repository: Repository, commit: str) -> str | None:
    """A policy that HEAD has, where another commit is asked about."""
    if repository.is_unborn or (tip := snapshot.resolve(repository, "HEAD")) == commit:
        return None
    root = next(iter(roots(snapshot.TreeSnapshot.at(repository, tip))), None)
    return None if root is None else joined(root, FILE_NAME)
