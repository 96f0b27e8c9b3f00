"""Folders that programs left in any state are measured and emptied, and nothing else is touched."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gitops.suites import clearing

DEEP = 3_000


def dig(folder: Path) -> None:
    """Folders in folders, deeper than any path can tell and than Python calls itself."""
    here = os.open(folder, os.O_RDONLY)
    for _ in range(DEEP):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)


def test_whatever_is_in_a_folder_is_removed(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "a/b/c").mkdir(parents=True)
    (folder / "a/b/file").write_text("x")
    (folder / "a/other").mkdir()
    os.mkfifo(folder / "pipe")
    dig(folder)
    for closed in ("a/b/c", "a/b", "a"):
        os.chmod(folder / closed, 0o500 if closed == "a/b" else 0)
    clearing.empty(os.fspath(folder))
    assert list(folder.iterdir()) == []


def test_links_are_removed_and_what_they_point_to_stays_as_it_is(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").write_text("mine")
    os.chmod(outside, 0o755)
    folder = tmp_path / "folder"
    folder.mkdir()
    os.symlink(outside, folder / "link")
    os.symlink(outside / "file", folder / "file")
    clearing.empty(os.fspath(folder))
    assert list(folder.iterdir()) == []
    assert (outside / "file").read_text() == "mine"
    assert outside.stat().st_mode & 0o777 == 0o755


def test_some_names_are_left(tmp_path: Path) -> None:
    for name in ("keep/keep", "go/keep"):
        (tmp_path / name).mkdir(parents=True)
    clearing.empty(os.fspath(tmp_path), but=("keep",))
    assert [path.relative_to(tmp_path).as_posix() for path in sorted(tmp_path.rglob("*"))] == ["keep", "keep/keep"]


def test_a_folder_that_became_a_link_is_a_folder_again_and_nothing_behind_the_link_is_touched(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir(mode=0o755)
    folder = tmp_path / "case"
    os.symlink(outside, folder)
    clearing.made_anew(os.fspath(folder))
    assert not folder.is_symlink()
    assert folder.is_dir()
    os.symlink(outside, tmp_path / "link")
    with pytest.raises(OSError, match=r"Not a directory|symbolic links"):
        clearing.empty(os.fspath(tmp_path / "link"))
    assert outside.stat().st_mode & 0o777 == 0o755


@pytest.mark.parametrize("is_there", [True, False])
def test_a_folder_that_may_not_be_written_to_or_is_gone_can_be_used_again(tmp_path: Path, is_there: bool) -> None:
    folder = tmp_path / "case"
    if is_there:
        folder.mkdir(mode=0)
    clearing.made_anew(os.fspath(folder))
    assert folder.stat().st_mode & 0o777 == 0o700


def test_the_size_of_a_folder_is_that_of_all_files_below(tmp_path: Path) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    for name, length in (("a/b/one", 1_000), ("a/two", 200), ("three", 30)):
        (tmp_path / name).write_bytes(b"x" * length)
    os.symlink("/etc/passwd", tmp_path / "link")
    assert clearing.size(os.fspath(tmp_path)) == 1_230 + len("/etc/passwd")


def test_what_is_too_deep_to_be_told_has_no_end(tmp_path: Path) -> None:
    dig(tmp_path)
    assert clearing.size(os.fspath(tmp_path)) == float("inf")
    clearing.empty(os.fspath(tmp_path))
