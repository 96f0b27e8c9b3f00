"""Names that are one file where case or Unicode form does not count: what an added path collides with.

Looks beside the added path only, never through the wiki: pages are found by their name in the link graph, folders
by asking the tree for those of one folder.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol, runtime_checkable

from gitops.verify.view import View
from gitops.wiki.names import name_key
from gitops.wiki.paths import collision_key
from gitops.wiki.snapshot import Snapshot


@runtime_checkable
class HasFolders(Protocol):
    """A tree that tells the folders of a folder without opening them, as git's can."""

    def folders(self, path: str) -> Iterable[str]:
        """The paths of the folders directly below a folder."""
        ...


def collision(base: View, head: View, path: str) -> str | None:
    """What the added `path`, or a folder that came with it, would be the same as; None where nothing is."""
    added = [path, *_new_folders(base, path)]
    return next((other for one in added if (other := _other(head, one, is_folder=one != path)) is not None), None)


def shadowed(view: View, path: str) -> str | None:
    """The workspace's own folder or file that `path` only differs from by case or Unicode form."""
    for own in (view.layout.raw, view.layout.wiki, view.layout.gold, view.layout.config, view.layout.debt):
        start = "/".join(path.split("/")[: own.count("/") + 1])
        if start != own and collision_key(start) == collision_key(own):
            return own
    return None


def _other(view: View, path: str, *, is_folder: bool) -> str | None:
    key = collision_key(path)
    for beside in _beside(view, path, is_folder):
        if beside != path and collision_key(beside) == key:
            return beside
    return None


def _beside(view: View, path: str, is_folder: bool) -> Iterator[str]:
    parent = path.rpartition("/")[0]
    yield from view.graph.named(name_key(path))
    if view.snapshot.mode(view.layout.log) is not None:  # the graph leaves the log out
        yield view.layout.log
    yield from _folders(view.snapshot, parent)
    if not is_folder and not view.layout.is_page(path):
        yield from (other for other in view.snapshot.paths(parent) if other.count("/") == path.count("/"))


def _folders(snapshot: Snapshot, parent: str) -> Iterable[str]:
    if isinstance(snapshot, HasFolders):
        return snapshot.folders(parent)
    depth = parent.count("/") + 2 if parent else 1
    return {"/".join(path.split("/")[:depth]) for path in snapshot.paths(parent) if path.count("/") >= depth}


def _new_folders(base: View, path: str) -> Iterator[str]:
    folder = path.rpartition("/")[0]
    while len(folder) > len(base.layout.wiki) and base.snapshot.mode(folder) is None:
        yield folder
        folder = folder.rpartition("/")[0]
