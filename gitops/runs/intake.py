"""The way into raw/: commits that add sources (`raw add`), renew or remove them (`raw sync`), by the object store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gitops.errors import UsageError
from gitops.git import commits, refs, signing, trees
from gitops.git.process import git
from gitops.git.snapshot import TreeSnapshot
from gitops.runs import renewing, targets
from gitops.runs.authority import Authority
from gitops.runs.branches import advance_in_place, moving
from gitops.runs.context import Context
from gitops.runs.workspace import Workspace
from gitops.wiki.paths import safe
from gitops.wiki.snapshot import REGULAR
from gitops.wiki.sources import extract


@dataclass(frozen=True, slots=True)
class Taken:
    """What an intake did: the commit ('' if nothing was new), the sources by path, and what to know of them."""

    commit: str
    paths: tuple[str, ...]
    remarks: tuple[str, ...]
    removed: tuple[str, ...] = ()
    """Which of the sources are gone with this commit."""
    signed_by: str = ""
    """Who signed that sources are renewed or removed, where that takes a signature."""


def place_of(workspace: Workspace, file: Path, inside: Path | None, folder: str = "") -> str:
    """Where a file goes: where it lies, if it lies under raw/ already; else its name below raw/ or `folder`."""
    raw = workspace.layout.raw
    if inside is not None and not folder:
        relative = inside.as_posix()
        if relative.startswith(raw + "/"):
            return safe(relative)
    below = safe(folder.rstrip("/")) if folder else ""
    return safe("/".join(part for part in (raw, below, file.name) if part))


def add(context: Context, workspace: Workspace, target: str, files: Mapping[str, bytes]) -> Taken:
    """Commit new sources to the target. UsageError if one is there with other content: that takes `sync`."""
    return _commit(context, workspace, target, files, renew=False)


def sync(context: Context, workspace: Workspace, target: str, files: Mapping[str, bytes | None]) -> Taken:
    """Commit new versions of sources that are there; None removes one. UsageError for one that is not there.

    Where verdicts are signed this is signed too, before the branch moves: CannotRun without a key that may sign.
    """
    return _commit(context, workspace, target, files, renew=True)


def is_deleted_here(context: Context, target: str, path: str) -> bool:
    """Whether somebody deleted a source where it lay: a file that the target has, and its worktree should show.

    Not so where the worktree is on another branch, or leaves the path out (sparse checkout): nobody deleted it there.
    """
    repository = context.repository
    base = refs.read(repository, target)
    if repository.worktree is None or repository.head_branch() != target or base is None:
        return False
    if (repository.worktree / path).exists() or context.tree(base).blob(path) is None:
        return False
    listed = git(repository, "ls-files", "-t", "-z", "--", path).stdout
    return not listed.startswith(b"S ")


def _commit(
    context: Context, workspace: Workspace, target: str, files: Mapping[str, bytes | None], renew: bool
) -> Taken:
    while True:
        base = targets.tip(context.repository, target)
        tree = context.tree(base)
        changes = {path: data for path, data in files.items() if _is_new(workspace, tree, path, data, renew)}
        remarks = tuple(_remarks(files))
        if not changes:
            return Taken("", tuple(files), (*remarks, "nothing to commit: the sources are there already, as they are"))
        authority = Authority(context, workspace.name, base)
        if renew and renewing.is_demanded(authority):
            signing.demand_key(context.repository)
        removed = tuple(path for path, data in changes.items() if data is None)
        written = {path: (data, REGULAR) if data is not None else None for path, data in changes.items()}
        new_tree = trees.edit(context.repository, tree.tree_id, written)
        commit = _write(context, base, new_tree, changes, renew)
        who = renewing.vouch(authority, commit, changes.keys()) if renew else ""
        with moving(context):
            moved = advance_in_place(context, target, commit, base, "assay: intake")
        if moved:
            return Taken(commit, tuple(files), remarks, removed, who)


def _is_new(workspace: Workspace, tree: TreeSnapshot, path: str, data: bytes | None, renew: bool) -> bool:
    if data is not None and (told := workspace.layout.source_objection(path)) is not None:
        raise UsageError(f"{path} {told}", "rename it")
    if tree.mode(path) is None:
        if renew:
            raise UsageError(f"{path} is no source yet", f"git assay raw add {path}")
        return True
    if data is None and tree.blob(path) is not None:
        return True
    if data is None or tree.blob(path) is None or tree.mode(path) != REGULAR:
        raise UsageError(
            f"{path} is there as something else than a plain file",
            "give the file another name, or bring it in with --into FOLDER",
        )
    if tree.read(path) == data:
        return False
    if not renew:
        raise UsageError(f"{path} is there already, with other content", f"git assay raw sync {path}")
    return True


def _write(context: Context, base: str, tree: str, changes: Mapping[str, bytes | None], renew: bool) -> str:
    removed = sorted(path for path, data in changes.items() if data is None)
    there = sorted(changes.keys() - set(removed))
    told = [_done(what, paths) for what, paths in (("Renew" if renew else "Add", there), ("Remove", removed)) if paths]
    subject = ", ".join(told)
    message = commits.with_trailers(subject, "", [("Assay-Raw", path) for path in sorted(changes)])
    return commits.write(context.repository, tree, [base], message, context.identity, context.epoch)


def _done(what: str, paths: Sequence[str]) -> str:
    return f"{what} source {paths[0]}" if len(paths) == 1 else f"{what} {len(paths)} sources"


def _remarks(files: Mapping[str, bytes | None]) -> list[str]:
    """What a person should know before citing a source: that its text cannot be read, for one."""
    told = []
    for path, data in files.items():
        if data is None:
            told.append(f"{path} is removed: pages that still cite it will be found to lack their source")
            continue
        source = extract(path, data)
        if source.problem:
            told.append(f"{path}: {source.message}")
    return told
