"""Files on disk as a commit would hold them."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from gitops.errors import CannotRun
from gitops.wiki.disk import FOLDER, NOTHING_FOR_GIT, DiskSnapshot
from gitops.wiki.snapshot import REGULAR, SYMLINK


def test_a_symbolic_link_is_where_it_leads_and_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"words")
    (tmp_path / "b.md").symlink_to("../a.md")
    (tmp_path / "c").symlink_to("/etc")
    tree = DiskSnapshot(tmp_path)
    assert list(tree.paths()) == ["a.md", "b.md", "c"]
    assert [tree.mode(path) for path in ("a.md", "b.md", "c", "", "x")] == [REGULAR, SYMLINK, SYMLINK, FOLDER, None]
    assert [tree.link(path) for path in ("b.md", "c")] == [b"../a.md", b"/etc"]
    assert tree.read("a.md") == b"words"


def test_a_pipe_is_never_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    tree = DiskSnapshot(tmp_path)
    assert tree.mode("pipe") == NOTHING_FOR_GIT
    with pytest.raises(KeyError):
        tree.read("pipe")


def test_paths_come_folder_by_folder_in_order_however_deep(tmp_path: Path) -> None:
    for name in ("b/z.md", "b/a/y.md", "a.md", "c.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    tree = DiskSnapshot(tmp_path)
    assert list(tree.paths()) == ["a.md", "b/a/y.md", "b/z.md", "c.md"]
    assert list(tree.paths("b")) == ["b/a/y.md", "b/z.md"]


def test_folders_deeper_than_calls_may_be_are_walked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    depth = sys.getrecursionlimit() + 10
    monkeypatch.chdir(tmp_path)
    for _ in range(depth):  # each from within the one before: a path as long as all of them is refused by some systems
        os.mkdir("d")
        os.chdir("d")
    Path("x.md").write_bytes(b"")
    found = list(DiskSnapshot(tmp_path).paths())
    os.unlink("x.md")
    for _ in range(depth):  # what clears up after tests calls itself too
        os.chdir("..")
        os.rmdir("d")
    assert found == ["d/" * depth + "x.md"]


def test_a_folder_that_cannot_be_opened_is_no_empty_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "locked").mkdir()
    opened = os.scandir

    def scandir(path: Path) -> Any:
        if path.name == "locked":  # root, who may run this, is refused by no mode
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return opened(path)

    monkeypatch.setattr(os, "scandir", scandir)
    with pytest.raises(CannotRun, match="locked cannot be opened: Permission denied"):
        list(DiskSnapshot(tmp_path).paths())
