from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from gitops.git import permissions


@pytest.fixture(autouse=True)
def _umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def modes(folder: Path) -> tuple[int, int]:
    """Of a folder and a file that are made now, what they allow."""
    (folder / "inner").mkdir()
    (folder / "file").write_text("")
    return (folder / "inner").stat().st_mode & 0o777, (folder / "file").stat().st_mode & 0o777


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
@pytest.mark.parametrize(
    "shared", ["umask", "false", "group", "true", "1", "all", "world", "2", "0640", "0660", "0664"]
)
def test_files_come_out_as_gits_own(tmp_path: Path, shared: str, mask: int) -> None:
    os.umask(mask)
    bare = tmp_path / "bare.git"
    subprocess.run(["git", "init", "--quiet", "--bare", f"--shared={shared}", bare], check=True)
    permissions.share(shared)
    folder, file = modes(tmp_path)
    assert folder == (bare / "refs").stat().st_mode & 0o777
    assert file == (bare / "HEAD").stat().st_mode & 0o777


@pytest.mark.parametrize("shared", [None, "", "nonsense", "9", "0044"])
def test_what_git_does_not_know_changes_nothing(shared: str | None) -> None:
    permissions.share(shared)
    assert os.umask(0o022) == 0o022
