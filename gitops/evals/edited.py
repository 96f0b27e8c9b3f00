"""A revision with one page changed in memory: neither tree nor index of the repository hears of it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from gitops.verify.view import View
from gitops.wiki.graph import Overlay, facts
from gitops.wiki.names import Files
from gitops.wiki.snapshot import Change, Snapshot, Touched


@dataclass(frozen=True, slots=True)
class Edited:
    """A snapshot with other bytes at one path."""

    base: Snapshot
    path: str
    data: bytes

    def paths(self, prefix: str = "") -> Iterable[str]:
        """The base's: no file comes or goes."""
        return self.base.paths(prefix)

    def blob(self, path: str) -> str | None:
        """The object id that git would give the changed bytes; the base's of anything else."""
        if path == self.path:
            return hashlib.sha1(b"blob %d\0" % len(self.data) + self.data).hexdigest()
        return self.base.blob(path)

    def mode(self, path: str) -> int | None:
        """The base's."""
        return self.base.mode(path)

    def read(self, path: str) -> bytes:
        """The changed bytes, or the base's."""
        return self.data if path == self.path else self.base.read(path)

    def size(self, path: str) -> int:
        """The number of bytes."""
        return len(self.data) if path == self.path else self.base.size(path)


def edited(view: View, path: str, data: bytes, held: Files) -> View:
    """The same revision with a page's bytes changed. `held` are the revision's files by name: listed once for all."""
    snapshot = Edited(view.snapshot, path, data)
    page = view.library.page(snapshot, path)
    over = {path: facts(page, path, view.layout)}
    graph = Overlay(view.graph, over, lambda asked: snapshot.mode(asked) is not None, held)
    return View(snapshot, view.layout, view.config, view.library, graph, view.history)


def change(before: View, after: View, path: str) -> Change:
    """What differs between two views of which one has the page at a path edited."""
    old, new = before.snapshot, after.snapshot
    touched = Touched(path, old.blob(path), new.blob(path), old.mode(path), new.mode(path))
    return Change(old, new, (touched,), before.history)
