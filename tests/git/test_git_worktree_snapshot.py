"""The working tree as it stands, read without a trace in the user's index."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.errors import UsageError
from gitops.git.repository import open_repository
from gitops.git.snapshot import WorktreeSnapshot


def status(folder: Path) -> tuple[str, bytes]:
    shown = subprocess.run(["git", "status", "--porcelain"], cwd=folder, capture_output=True, text=True, check=True)
    return shown.stdout, (folder / ".git/index").read_bytes()


def test_a_bare_repository_has_none(make_repository: Callable[..., Path]) -> None:
    repository = open_repository(make_repository({"a.md": "a"}, bare=True))
    with pytest.raises(UsageError, match="bare"):
        WorktreeSnapshot(repository)


def test_it_has_what_lies_there_and_not_what_is_ignored(make_repository: Callable[..., Path]) -> None:
    folder = make_repository({"a.md": "a", "gone.md": "b", ".gitignore": "*.tmp\n", "b.md": "b"})
    (folder / "a.md").write_text("changed")
    (folder / "gone.md").unlink()
    (folder / "new").mkdir()
    (folder / "new/é.md").write_text("new")
    (folder / "x.tmp").write_text("x")
    tree = WorktreeSnapshot(open_repository(folder))
    assert sorted(tree.paths()) == [".gitignore", "a.md", "b.md", "new/é.md"]
    assert tree.read("a.md") == b"changed"


def test_index_refs_and_files_stay_as_they_are(make_repository: Callable[..., Path], git: Callable[..., str]) -> None:
    folder = make_repository({"a.md": "a", "b.md": "b"})
    (folder / "a.md").write_text("staged")
    git(folder, "add", "a.md")
    (folder / "a.md").write_text("and changed")
    (folder / "c.md").write_text("new")
    before = status(folder)
    hook = folder / ".git/hooks/post-index-change"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\ntouch hook-ran\n")
    hook.chmod(0o755)
    WorktreeSnapshot(open_repository(folder))
    hook.unlink()
    assert status(folder) == before
    assert not (folder / "hook-ran").exists()


def test_outside_the_folders_it_has_what_is_staged(make_repository: Callable[..., Path]) -> None:
    folder = make_repository({"in/a.md": "a", "out/b.md": "b"})
    (folder / "in/a.md").write_text("A")
    (folder / "out/b.md").write_text("B")
    tree = WorktreeSnapshot(open_repository(folder), ["in"])
    assert (tree.read("in/a.md"), tree.read("out/b.md")) == (b"A", b"b")


def test_it_works_before_the_first_commit(make_repository: Callable[..., Path]) -> None:
    folder = make_repository()
    (folder / "a.md").write_text("a")
    assert list(WorktreeSnapshot(open_repository(folder)).paths()) == ["a.md"]
