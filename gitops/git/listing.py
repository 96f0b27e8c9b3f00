"""A tree of which some folders are listed at once: for work on all of their files, where every path is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from gitops.git import objects
from gitops.git.objects import FOLDER
from gitops.git.repository import Repository
from gitops.git.snapshot import TreeSnapshot


class ListedSnapshot(TreeSnapshot):
    """The files below one tree. What lies in the `listed` folders ('' is all) is answered from one dictionary."""

    def __init__(self, repository: Repository, tree_id: str, listed: Iterable[str]) -> None:
        super().__init__(repository, tree_id)
        self._known: dict[str, tuple[int, str]] = {}
        self._listed: tuple[str, ...] = ()
        for folder in listed:
            self._list(folder)
        self._listed = tuple(folder + "/" if folder else "" for folder in listed)

    def paths(self, prefix: str = "") -> Iterator[str]:
        """Every blob, symlink and submodule below the folder `prefix`, in git's order."""
        start = prefix.strip("/") + "/" if prefix.strip("/") else ""
        if not start.startswith(self._listed):
            yield from super().paths(prefix)
            return
        for path, (mode, _) in self._known.items():
            if mode != FOLDER and path.startswith(start):
                yield path

    def _find(self, path: str) -> tuple[int, str] | None:
        if (known := self._known.get(path)) is not None:
            return known
        return None if path.startswith(self._listed) else super()._find(path)

    def _list(self, folder: str) -> None:
        top = self.folder_id(folder)
        if top is not None:
            self._list_below(top, folder + "/" if folder else "")

    def _list_below(self, tree_id: str, start: str) -> None:
        for mode, raw_name, raw_id in objects.raw_items(objects.read(self.repository, tree_id)):
            path, kind = start + objects.decode(raw_name), int(mode, 8)
            self._known[path] = kind, raw_id.hex()
            if kind == FOLDER:
                self._list_below(raw_id.hex(), path + "/")


_WINDOW, _MAPPED = 8 << 20, 64 << 20
"""libgit2 would map packs whole, by the gigabyte, and never let go of what was read."""


@contextmanager
def bulk_reads() -> Iterator[None]:
    """Every object is read once: not hashed again, as git itself does not, which is a fifth of the time; and packs are
    mapped in pieces. The settings are of the whole process.
    """
    from pygit2 import option, settings
    from pygit2.enums import Option

    before = settings.mwindow_size, settings.mwindow_mapped_limit
    option(Option.ENABLE_STRICT_HASH_VERIFICATION, False)
    settings.mwindow_size, settings.mwindow_mapped_limit = _WINDOW, _MAPPED
    try:
        yield
    finally:
        settings.mwindow_size, settings.mwindow_mapped_limit = before
        option(Option.ENABLE_STRICT_HASH_VERIFICATION, True)
