from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.errors import CannotRun, UsageError
from gitops.git.repository import open_repository


def _extend(repository: Path, key: str, value: str) -> None:
    # Forged by hand: the git here can make neither format, and would not write to what it cannot read.
    config = repository / ".git" / "config"
    text = config.read_text().replace("repositoryformatversion = 0", "repositoryformatversion = 1")
    config.write_text(f"{text}[extensions]\n\t{key} = {value}\n")


def test_no_repository_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(CannotRun, match="not inside a git repository") as caught:
        open_repository(tmp_path)
    assert "git init" in caught.value.hint


def test_a_folder_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such folder"):
        open_repository(tmp_path / "gone")


@pytest.mark.parametrize(
    ("key", "value", "told"), [("objectFormat", "sha256", "sha256 format"), ("refStorage", "reftable", "reftable refs")]
)
def test_formats_that_libgit2_does_not_open_are_told(
    make_repository: Callable[..., Path], key: str, value: str, told: str
) -> None:
    repository = make_repository({"a": "1"})
    _extend(repository, key, value)
    with pytest.raises(CannotRun, match=told) as caught:
        open_repository(repository)
    assert "convert" in caught.value.hint


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_another_users_repository_is_told(make_repository: Callable[..., Path]) -> None:
    repository = make_repository({"a": "1"})
    for place in (repository, repository / ".git"):
        os.chown(place, 12345, 12345)
    with pytest.raises(CannotRun, match="belongs to another user") as caught:
        open_repository(repository)
    assert caught.value.hint.startswith("git config --global --add safe.directory")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_another_users_repository_opens_when_git_was_told_it_is_safe(
    make_repository: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    repository = make_repository({"a": "1"})
    os.chown(repository / ".git", 12345, 12345)
    (tmp_path / "config").write_text(f"[safe]\n\tdirectory = {repository}\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "config"))
    assert open_repository(repository).worktree == repository


@pytest.mark.parametrize("lost", ["HEAD", "objects", "refs"])
def test_a_damaged_repository_is_told(make_repository: Callable[..., Path], lost: str) -> None:
    repository = make_repository({"a": "1"})
    path = repository / ".git" / lost
    path.unlink() if path.is_file() else shutil.rmtree(path)
    with pytest.raises(CannotRun, match="damaged"):
        open_repository(repository)


def test_a_subfolder_is_the_prefix(make_repository: Callable[..., Path]) -> None:
    repository = make_repository({"wiki/pages/a.md": "1"})
    found = open_repository(repository / "wiki" / "pages")
    assert (found.worktree, found.prefix, found.git_dir) == (repository, "wiki/pages", repository / ".git")
    assert (found.is_bare, found.is_shallow, found.is_partial, found.is_unborn) == (False,) * 4


def test_the_current_folder_is_where_it_starts(
    make_repository: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = make_repository({"wiki/a.md": "1"})
    monkeypatch.chdir(repository / "wiki")
    assert open_repository().prefix == "wiki"


def test_inside_the_git_folder_the_worktree_is_still_known(make_repository: Callable[..., Path]) -> None:
    repository = make_repository({"a": "1"})
    found = open_repository(repository / ".git" / "refs")
    assert (found.worktree, found.prefix) == (repository, "")


def test_a_linked_worktree_has_its_own_head(make_repository: Callable[..., Path], git: Callable[..., str]) -> None:
    repository = make_repository({"a/b": "1"})
    linked = repository.parent / "linked"
    git(repository, "worktree", "add", "-q", "-b", "side", str(linked))
    found = open_repository(linked / "a")
    assert (found.worktree, found.prefix) == (linked, "a")
    assert found.common_dir == repository / ".git"
    assert found.git_dir == repository / ".git" / "worktrees" / "linked"
    assert found.head_branch() == "refs/heads/side"
    assert open_repository(repository).head_branch() == "refs/heads/main"


def test_a_bare_repository_has_no_worktree(make_repository: Callable[..., Path]) -> None:
    found = open_repository(make_repository({"a": "1"}, bare=True))
    assert found.is_bare
    assert found.worktree is None
    assert found.head_branch() == "refs/heads/main"


def test_an_unborn_branch_is_told_apart(make_repository: Callable[..., Path]) -> None:
    found = open_repository(make_repository())
    assert (found.is_unborn, found.head_branch()) == (True, "refs/heads/main")


def test_a_detached_head_is_on_no_branch(make_repository: Callable[..., Path], git: Callable[..., str]) -> None:
    repository = make_repository({"a": "1"})
    git(repository, "checkout", "-q", "--detach")
    found = open_repository(repository)
    assert (found.is_unborn, found.head_branch()) == (False, None)


def test_git_dir_is_honoured(make_repository: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    repository = make_repository({"a": "1"}, name="here")
    elsewhere = make_repository({"b": "1"}, name="elsewhere")
    monkeypatch.setenv("GIT_DIR", "../here/.git")
    monkeypatch.setenv("GIT_WORK_TREE", "../here")
    found = open_repository(elsewhere)
    assert (found.git_dir, found.worktree) == (repository / ".git", repository)


def test_a_hooks_index_is_honoured(make_repository: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    repository = make_repository({"a": "1"})
    assert open_repository(repository).index_file == repository / ".git" / "index"
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/next-index-1.lock")
    assert open_repository(repository).index_file == repository / ".git" / "next-index-1.lock"


def test_shallow_and_partial_clones_are_known(make_repository: Callable[..., Path], git: Callable[..., str]) -> None:
    origin = make_repository({"a": "1"})
    git(origin, "config", "uploadpack.allowFilter", "true")
    url = f"file://{origin}"
    git(origin.parent, "clone", "-q", "--depth=1", url, "shallow")
    git(origin.parent, "clone", "-q", "--no-checkout", "--filter=blob:none", url, "partial")
    shallow, partial = (open_repository(origin.parent / name) for name in ("shallow", "partial"))
    assert (shallow.is_shallow, shallow.is_partial) == (True, False)
    assert (partial.is_shallow, partial.is_partial) == (False, True)


def test_configuration_is_gits_own(
    make_repository: Callable[..., Path], git: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = make_repository()
    git(repository, "config", "assay.key", "value")
    git(repository, "config", "assay.yes", "on")
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", "'assay.given'='by hand'")
    found = open_repository(repository)
    assert found.git_config("assay.key") == "value"
    assert found.git_config("assay.given") == "by hand"
    assert found.git_config("assay.yes", "bool") == "true"
    assert found.git_config("assay.unset") is None
    with pytest.raises(UsageError, match=r"assay\.key"):
        found.git_config("assay.key", "bool")
