from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.config import Config
from gitops.git.repository import open_repository
from gitops.git.snapshot import TreeSnapshot
from gitops.verify.collisions import HasFolders, collision, shadowed
from gitops.verify.view import Library, View
from gitops.wiki.graph import MemoryGraph, PageFacts
from gitops.wiki.layout import Layout
from gitops.wiki.names import name_key
from gitops.wiki.snapshot import MemorySnapshot, Snapshot


def view(snapshot: Snapshot, layout: Layout | None = None) -> View:
    layout = layout or Layout()
    pages = {path: PageFacts((name_key(path),)) for path in snapshot.paths() if layout.is_page(path)}
    graph = MemoryGraph(pages, lambda path: snapshot.mode(path) is not None)
    return View(snapshot, layout, Config(), Library(Config()), graph)


def memory(*paths: str) -> View:
    return view(MemorySnapshot(dict.fromkeys(paths, b"")))


@pytest.mark.parametrize("path", ["wiki/a.md", "wiki/topics/b.md", "wiki/deep/er/c.md", "wiki/TOPIC/a.md"])
def test_what_differs_by_more_than_case_collides_with_nothing(path: str) -> None:
    there = ("wiki/b.md", "wiki/topics/a.md", "wiki/log.md")
    assert collision(memory(*there), memory(*there, path), path) is None


def test_the_file_or_the_folder_that_it_would_be_is_named() -> None:
    there = ("wiki/topics/a.md", "wiki/plan.png")
    for path, other in (("wiki/Topics/x/b.md", "wiki/topics"), ("wiki/Plan.png", "wiki/plan.png")):
        assert collision(memory(*there), memory(*there, path), path) == other


def test_folders_that_collided_before_are_nobodys_fault() -> None:
    there = ("wiki/topics/a.md", "wiki/Topics/b.md")
    assert collision(memory(*there), memory(*there, "wiki/Topics/c.md"), "wiki/Topics/c.md") is None


def test_a_workspace_in_a_folder_shadows_its_own_parts_only() -> None:
    beta = view(MemorySnapshot({}), Layout("beta"))
    assert shadowed(beta, "Beta/RAW/a.md") == "beta/raw"
    assert shadowed(beta, "beta/WIKI") == "beta/wiki"
    assert shadowed(beta, "RAW/a.md") is None
    assert shadowed(beta, "beta/raw/a.md") is None


def test_the_trees_of_git_tell_their_folders(
    make_repository: Callable[..., Path], commit_files: Callable[..., str]
) -> None:
    folder = make_repository({"wiki/topics/deep/a.md": "x", "wiki/b.md": "x"})
    repository = open_repository(folder)
    before = TreeSnapshot.at(repository, "HEAD")
    assert isinstance(before, HasFolders)
    after = TreeSnapshot.at(repository, commit_files(folder, {"wiki/Topics/b.md": "x", "wiki/tea/c.md": "x"}))
    assert collision(view(before), view(after), "wiki/Topics/b.md") == "wiki/topics"
    assert collision(view(before), view(after), "wiki/tea/c.md") is None
