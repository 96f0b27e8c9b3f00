"""An adopted repository held in memory, whose files can be changed for one judgement at a time."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from benchmarks.accuracy import taking
from gitops import config
from gitops.config import Config
from gitops.verify.finding import Finding
from gitops.verify.verifier import verify
from gitops.verify.view import Library, RunFacts, View
from gitops.wiki import conventions, page
from gitops.wiki.graph import MemoryGraph, Overlay, PageFacts, facts
from gitops.wiki.layout import Layout, joined
from gitops.wiki.names import Files
from gitops.wiki.snapshot import REGULAR, Change, Touched

Edits = Mapping[str, bytes | None]
"""New bytes by path; None for a file that goes."""

_FOLDER = 0o040000
_ASKED = RunFacts(is_run=False)


@dataclass(frozen=True)
class Tree:
    """A tree in memory that knows its object ids and folders without looking twice."""

    files: Mapping[str, bytes]
    blobs: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def _folders(self) -> frozenset[str]:
        return frozenset(path[:at] for path in self.files for at, letter in enumerate(path) if letter == "/")

    def paths(self, prefix: str = "") -> Iterable[str]:
        start = prefix + "/" if prefix else ""
        return sorted(path for path in self.files if path.startswith(start))

    def folders(self, path: str) -> Iterable[str]:
        return [folder for folder in self._folders if folder.rpartition("/")[0] == path]

    def blob(self, path: str) -> str | None:
        return self.blobs.get(path)

    def mode(self, path: str) -> int | None:
        if path in self.files:
            return REGULAR
        return _FOLDER if path in self._folders else None

    def read(self, path: str) -> bytes:
        return self.files[path]

    def size(self, path: str) -> int:
        return len(self.files[path])

    def edited(self, edits: Edits) -> Tree:
        """The tree after some edits."""
        files, blobs = dict(self.files), dict(self.blobs)
        for path, data in edits.items():
            if data is None:
                del files[path], blobs[path]
            else:
                files[path], blobs[path] = data, blob_id(data)
        return Tree(files, blobs)


def blob_id(data: bytes) -> str:
    """What git calls these bytes."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


@dataclass(frozen=True)
class Workspace:
    """One workspace of a repository in memory, with the view of it as it stands."""

    name: str
    tree: Tree
    layout: Layout
    config: Config
    view: View

    def judged(self, edits: Edits) -> list[Finding]:
        """The findings that these edits bring, at any level, and that did not stand before."""
        touched = tuple(_touched(self.tree, path, data) for path, data in edits.items())
        head = self.tree.edited(edits)
        there = Files(head.paths)
        graph = Overlay(self.view.graph, self._facts(edits), lambda path: head.mode(path) is not None, there)
        after = View(head, self.layout, self.config, self.view.library, graph)
        change = Change(self.tree, head, touched)
        return [one for one in verify(self.view, after, change, _ASKED).findings if one.new]

    def _facts(self, edits: Edits) -> dict[str, PageFacts | None]:
        how = conventions.of(self.config)
        pages = [path for path in edits if self.layout.is_page(path) and path != self.layout.log]
        parsed = {path: page.parse(data, how) for path in pages if (data := edits[path]) is not None}
        return {path: facts(parsed[path], path, self.layout) if path in parsed else None for path in pages}


def read(folder: Path) -> list[Workspace]:
    """The workspaces of an adopted repository, as its HEAD has them."""
    tree = _tree(folder)
    roots = taking.roots(folder)
    return [_workspace(folder.name, tree, root, roots) for root in roots]


def _tree(folder: Path) -> Tree:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=folder, capture_output=True, check=True).stdout
    paths = [name.decode() for name in listed.split(b"\0") if name]
    files = {path: (folder / path).read_bytes() for path in paths}
    return Tree(files, {path: blob_id(data) for path, data in files.items()})


def _workspace(name: str, tree: Tree, root: str, roots: Iterable[str]) -> Workspace:
    policy = config.parse(tree.read(joined(root, config.FILE_NAME)))
    layout = Layout(root, policy.workspace)
    library = Library(policy)
    paths = [path for path in tree.paths(layout.wiki) if layout.is_page(path) and path != layout.log]
    graph = MemoryGraph(
        {path: facts(library.page(tree, path), path, layout) for path in paths},
        lambda path: tree.mode(path) is not None,
        Files(tree.paths),
    )
    return Workspace(name, tree, layout, policy, View(tree, layout, policy, library, graph))


def _touched(tree: Tree, path: str, data: bytes | None) -> Touched:
    old = tree.blob(path)
    mode = REGULAR if data is not None else None
    return Touched(path, old, blob_id(data) if data is not None else None, REGULAR if old else None, mode)
