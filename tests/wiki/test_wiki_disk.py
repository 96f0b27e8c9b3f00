"""Files on disk as a commit would hold them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

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
