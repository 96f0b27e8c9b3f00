"""Shelves in memory for tests: files, what they were before, and the versions that they have had."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from gitops.agents.calling import Tool
from gitops.agents.reading.shelf import Ranked, Shelf
from gitops.agents.tools import reading_tools
from gitops.config import parse
from gitops.verify.view import Library, View
from gitops.wiki.graph import MemoryGraph, facts
from gitops.wiki.layout import Layout
from gitops.wiki.names import Files
from gitops.wiki.snapshot import MemorySnapshot, PathVersion

Written = Mapping[str, "str | bytes"]
Versions = Mapping[str, list[tuple[str, str, str]]]
"""Path → (commit, day, message), newest first."""


def view_of(
    files: Written,
    policy: str = "",
    root: str = "",
    versions: Versions | None = None,
    modes: Mapping[str, int] | None = None,
) -> View:
    """A revision of a workspace in memory."""
    config = parse(policy.encode())
    data = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}
    snapshot, layout, library = MemorySnapshot(data, modes or {}), Layout(root, config.workspace), Library(config)
    pages = {path: library.page(snapshot, path) for path in data if layout.is_page(path)}
    known = {path: facts(page, path, layout) for path, page in pages.items()}
    graph = MemoryGraph(known, lambda path: snapshot.mode(path) is not None, Files(snapshot.paths))

    def history(path: str) -> Iterator[PathVersion]:
        for commit, day, message in (versions or {}).get(path, ()):
            yield PathVersion(commit, day, "0" * 40, partial(bytes), partial(str, message))

    return View(snapshot, layout, config, library, graph, history)


def shelf_of(files: Written, before: Written | None = None, ranked: Ranked | None = None) -> Shelf:
    """A shelf of files, with what they were before where that is told."""
    return Shelf.of(view_of(files), view_of(before) if before is not None else None, ranked)


def tool(shelf: Shelf, name: str) -> Tool:
    """One of the reading tools."""
    return {one.name: one for one in reading_tools(shelf)}[name]


def use(shelf: Shelf, name: str, **arguments: object) -> str:
    """What a reading tool says."""
    one = tool(shelf, name)
    return one.run(one.arguments.model_validate(arguments))
