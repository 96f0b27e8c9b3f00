"""The sources to ingest: files of `raw/` as the target has them, and files from elsewhere that become such."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from gitops.agents.writers.passages import demand_text
from gitops.errors import CannotRun, UsageError
from gitops.git.snapshot import TreeSnapshot
from gitops.runs import incoming, intake, pushing, targets
from gitops.runs.context import Context
from gitops.runs.workspace import Workspace
from gitops.wiki.paths import safe
from gitops.wiki.sources import extract


@dataclass(frozen=True, slots=True)
class Found:
    """A source: its repository path, and its bytes where the target does not hold it yet."""

    path: str
    data: bytes | None = None


def find(
    context: Context, workspace: Workspace, target: str, folder: Path, names: Iterable[str], into: str = ""
) -> list[Found]:
    """The sources that are named, each once. UsageError for what is neither a source nor a file."""
    tree = context.tree(targets.tip(context.repository, target))
    found: dict[str, Found] = {}
    for name in names:
        one = _one(context, workspace, tree, folder, name, into)
        other = found.setdefault(one.path, one)
        if other.data != one.data:
            raise UsageError(f"two of the files would both be {one.path}", "ingest them one by one, with --into")
    return list(found.values())


def _one(context: Context, workspace: Workspace, tree: TreeSnapshot, folder: Path, name: str, into: str) -> Found:
    file = folder / name
    inside = incoming.inside(context, file)
    if not into and (known := _known(workspace, tree, inside.as_posix() if inside is not None else "", name)):
        return Found(known)
    data = incoming.content(file, name)
    path = intake.place_of(workspace, file, inside, incoming.below_raw(into, workspace.layout.names.raw))
    if tree.blob(path) is None:
        return Found(path, data)
    if tree.read(path) != data:
        raise UsageError(f"{path} is there already, with other content", f"git assay raw sync {name}, then ingest it")
    return Found(path)


def _known(workspace: Workspace, tree: TreeSnapshot, inside: str, name: str) -> str:
    """The path of a source that the target has, named from where one stands, the workspace or the repository."""
    layout = workspace.layout
    said = "" if Path(name).is_absolute() or ".." in Path(name).parts else safe(name.removesuffix("/"))
    for path in (inside, layout.source(said) if said else "", said):
        if path and layout.is_source(path) and tree.blob(path) is not None:
            return path
    return ""


def bring_in(context: Context, workspace: Workspace, target: str, source: Found, *, push: bool = False) -> None:
    """Commit a source that the target does not hold, and say so; with `push` it goes to the upstream, too.

    Unreadable, with nothing added, where it has no text.
    """
    data = (
        source.data
        if source.data is not None
        else context.tree(targets.tip(context.repository, target)).read(source.path)
    )
    demand_text(extract(source.path, data), source.path)
    if source.data is None:
        return
    before = pushing.fetched_base(context, target) if push else ""
    taken = intake.add(context, workspace, target, {source.path: source.data})
    for remark in taken.remarks:
        context.warn(remark)
    if not taken.commit:
        return
    short = target.removeprefix("refs/heads/")
    context.warn(f"{source.path} is new: added to the sources by {taken.commit[:10]} on {short}")
    if push and not pushing.push(context, target, taken.commit, before):
        raise CannotRun(f"the upstream of {short} moved while {source.path} was added", "git pull --rebase, and again")
