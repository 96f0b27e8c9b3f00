"""Whole changes, judged in memory: files before, then one dictionary for each commit (None deletes a file)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import pytest

from gitops.config import Config, parse
from gitops.errors import Absent
from gitops.verify.finding import Finding, Level
from gitops.verify.panel import Panel
from gitops.verify.registry import refuse_unknown
from gitops.verify.verifier import Judged, verify
from gitops.verify.view import Corpus, Library, RunFacts, View
from gitops.wiki import names
from gitops.wiki.graph import MemoryGraph, facts
from gitops.wiki.layout import Layout
from gitops.wiki.snapshot import (
    REGULAR,
    SUBMODULE,
    Change,
    CommitChange,
    MemorySnapshot,
    PathVersion,
    Touched,
)
from gitops.wiki.terms import tokens

Files = Mapping[str, "str | bytes | None"]
Modes = Mapping[str, int]
Versions = Mapping[str, Sequence[tuple[str, str, str]]]


class Tree(MemorySnapshot):
    """A tree in memory whose submodules, as git's, are no files, and which may lack some objects."""

    __slots__ = ()

    def blob(self, path: str) -> str | None:
        return None if self.mode(path) == SUBMODULE else super().blob(path)

    def read(self, path: str) -> bytes:
        data = super().read(path)
        if self.mode(path) == SUBMODULE or data == b"\0absent":
            raise Absent(path)
        return data


LOOKED_AT: list[tuple[str, str]] = []


class Watched(Tree):
    """A tree that tells its folders, as git's does, and writes down what is listed and read."""

    __slots__ = ()

    def folders(self, path: str) -> Iterable[str]:
        depth = path.count("/") + 2
        return {"/".join(one.split("/")[:depth]) for one in self.files if one.startswith(path + "/")}

    def paths(self, prefix: str = "") -> Iterable[str]:
        LOOKED_AT.append(("listed", prefix))
        return super().paths(prefix)

    def read(self, path: str) -> bytes:
        LOOKED_AT.append(("read", path))
        return super().read(path)


@dataclass
class MemoryTerms:
    """The corpus of a change: terms of the base's sources, and of its pages."""

    sources: list[set[str]]
    pages: dict[str, set[str]]

    @property
    def documents(self) -> int:
        return len(self.sources)

    def frequency(self, terms: Iterable[str]) -> Mapping[str, int]:
        return {term: sum(term in source for source in self.sources) for term in terms}

    def mentioning(self, term: str) -> Iterable[str]:
        return [path for path, words in self.pages.items() if term in words]


@dataclass
class Bench:
    """What a case may set besides its files."""

    before: Files
    commits: Sequence[Files]
    toml: str = ""
    run: RunFacts = field(default_factory=RunFacts)
    modes: Modes = field(default_factory=dict)
    modes_before: Modes = field(default_factory=dict)
    versions: Versions = field(default_factory=dict)
    root: str = ""
    tree: type[Tree] = Tree
    panel: Panel | None = None
    renewed_by: str = ""
    unsigned: str = ""

    def judged(self) -> Judged:
        config = parse(self.toml.encode())
        refuse_unknown(config, "assay.toml")
        layout = Layout(self.root, config.workspace)
        trees = [self._tree(self.before, self.modes_before)]
        for files in self.commits:
            present: dict[str, str | bytes | None] = {**trees[-1].files, **files}
            trees.append(self._tree(present, {**self.modes_before, **self.modes}))
        steps = [self._step(at, trees[at], trees[at + 1], layout) for at in range(len(self.commits))]
        library = Library(config)
        base, head = (self._view(tree, layout, config, library) for tree in (trees[0], trees[-1]))
        library._pages.clear()  # what was parsed for the graph is not read yet
        change = Change(trees[0], trees[-1], _touched(trees[0], trees[-1]), self._history, tuple(steps))
        LOOKED_AT.clear()
        return verify(base, head, change, self.run, self._corpus(base) if self.run.sources else None, self.panel)

    def _tree(self, files: Files, modes: Modes) -> Tree:
        held = {path: _bytes(data) for path, data in files.items() if data is not None}
        return self.tree(held, {path: mode for path, mode in modes.items() if path in held})

    def _view(self, tree: Tree, layout: Layout, config: Config, library: Library) -> View:
        pages = [path for path in tree.files if layout.is_page(path) and path != layout.log and tree.blob(path)]
        rows = {
            path: facts(library.page(tree, path), path, layout) for path in pages if tree.files[path] != b"\0absent"
        }
        graph = MemoryGraph(rows, lambda path: tree.mode(path) is not None, names.Files(tree.paths))
        return View(tree, layout, config, library, graph, self._history)

    def _step(self, number: int, before: Tree, after: Tree, layout: Layout) -> CommitChange:
        touched = _touched(before, after)
        intake = bool(touched) and all(
            entry.old_mode is None and entry.new_mode == REGULAR and layout.is_source(entry.path) for entry in touched
        )
        subject = f"Commit {number + 1}"
        return CommitChange(f"{number + 1:040x}", subject, touched, intake, self.renewed_by, self.unsigned)

    def _history(self, path: str) -> Iterator[PathVersion]:
        for commit, date, content in self.versions.get(path, ()):
            data = content.encode()
            blob = MemorySnapshot({path: data}).blob(path) or ""
            yield PathVersion(commit * 40, date, blob, lambda data=data: data)  # type: ignore[misc]

    def _corpus(self, base: View) -> Corpus:
        tree, layout = base.snapshot, base.layout
        sources = [set(tokens(base.source(path).text)) for path in tree.paths(layout.raw) if tree.blob(path)]
        held = [path for path in tree.paths(layout.wiki) if layout.is_page(path) and tree.blob(path)]
        pages = {path: set(tokens(base.page(path).prose)) for path in held}
        return MemoryTerms(sources, pages)


def _bytes(data: str | bytes) -> bytes:
    return data.encode() if isinstance(data, str) else data


def _touched(before: Tree, after: Tree) -> tuple[Touched, ...]:
    def entry(tree: Tree, path: str) -> tuple[str | None, int | None]:
        mode = tree.mode(path) if path in tree.files else None
        return (MemorySnapshot.blob(tree, path), mode) if mode is not None else (None, None)

    found = []
    for path in sorted({*before.files, *after.files}):
        (old_blob, old_mode), (new_blob, new_mode) = entry(before, path), entry(after, path)
        if (old_blob, old_mode) != (new_blob, new_mode):
            found.append(Touched(path, old_blob, new_blob, old_mode, new_mode))
    return tuple(found)


def _judged(before: Files, *commits: Files, **settings: object) -> Judged:
    return Bench(before, commits, **settings).judged()  # type: ignore[arg-type]


def _said_by(check: str, before: Files, *commits: Files, **settings: object) -> list[Finding]:
    found = _judged(before, *commits, **settings).findings
    return [finding for finding in found if finding.check == check and finding.level is not Level.NONE]


@pytest.fixture
def judged() -> Callable[..., Judged]:
    """judged(before, *commits, toml=, run=, modes=, modes_before=, versions=, root=) -> Judged."""
    return _judged


@pytest.fixture
def looked_at() -> Callable[..., list[tuple[str, str]]]:
    """looked_at(before, *commits, …) -> ("listed", folder) and ("read", path), in the order it was done."""

    def look(before: Files, *commits: Files, **settings: object) -> list[tuple[str, str]]:
        _judged(before, *commits, tree=Watched, **settings)
        return list(LOOKED_AT)

    return look


@pytest.fixture
def said_by() -> Callable[..., list[Finding]]:
    """said_by(check, before, *commits, …) -> the findings of one check that say something is wrong."""
    return _said_by


@pytest.fixture
def results() -> Callable[..., list[tuple[str, str, str, int, bool]]]:
    """results(check, before, *commits, …) -> (result, level, path, line, new) of each finding of one check."""

    def told(check: str, before: Files, *commits: Files, **settings: object) -> list[tuple[str, str, str, int, bool]]:
        found = _said_by(check, before, *commits, **settings)
        return [(one.result, one.level.value, one.path, one.line, one.new) for one in found]

    return told
