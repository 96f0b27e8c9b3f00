from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.errors import CannotRun, UsageError
from gitops.git import trees
from gitops.git.objects import EMPTY_TREE, REGULAR
from gitops.git.repository import Repository, open_repository
from gitops.git.snapshot import TreeSnapshot, tree_of

FILES = {"wiki/a.md": "alpha", "wiki/deep/down/b.md": "beta", "raw/c.txt": "gamma"}


@pytest.fixture
def repository(make_repository: Callable[..., Path]) -> Repository:
    return open_repository(make_repository(FILES))


@pytest.mark.parametrize(
    "path", ["", "/a", "a/", "a//b", "../a", "a/./b", ".git/config", "a/.GIT/b", "a\0b"], ids=lambda path: repr(path)
)
def test_paths_that_git_does_not_allow_are_refused(repository: Repository, path: str) -> None:
    with pytest.raises(UsageError, match="not a path that git allows"):
        trees.edit(repository, EMPTY_TREE, {path: (b"1", REGULAR)})


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"wiki/a.md/b": (b"1", REGULAR)}, "is a file"),
        ({"wiki/deep": (b"1", REGULAR)}, "is a folder"),
        ({"wiki/deep": None}, "is a folder"),
        ({"wiki/none.md": None}, "is not there"),
        ({"new/none.md": None}, "is not there"),
        ({"x": (b"1", REGULAR), "x/y": (b"1", REGULAR)}, "both a file and a folder"),
        ({"x": (b"1", 0o100600)}, "not a file mode"),
    ],
)
def test_edits_that_would_lose_something_are_refused(
    repository: Repository, changes: dict[str, trees.File | None], told: str
) -> None:
    with pytest.raises(UsageError, match=told) as caught:
        trees.edit(repository, tree_of(repository, "HEAD"), changes)
    assert caught.value.hint


def test_a_blob_that_is_not_here_is_refused(repository: Repository) -> None:
    with pytest.raises(CannotRun, match="not in this repository"):
        trees.edit(repository, EMPTY_TREE, {"a": ("1" * 40, REGULAR)})


def test_an_edit_is_the_tree_git_would_make(
    repository: Repository, commit_files: Callable[..., str], git: Callable[..., str]
) -> None:
    assert repository.worktree is not None
    old = tree_of(repository, "HEAD")
    new = trees.edit(
        repository,
        old,
        {
            "wiki/a.md": (b"changed", REGULAR),
            "wiki/deep/down/b.md": None,
            "wiki.md": (b"1", REGULAR),
            "z/ü/y": (b"", 0o100755),
        },
    )
    (repository.worktree / "z/ü").mkdir(parents=True)
    (repository.worktree / "z/ü/y").touch(mode=0o755)
    commit_files(repository.worktree, {"wiki/a.md": "changed", "wiki/deep/down/b.md": None, "wiki.md": "1"})
    assert new == git(repository.worktree, "rev-parse", "HEAD^{tree}")


def test_the_last_file_takes_its_folders_with_it(repository: Repository) -> None:
    edited = trees.edit(repository, tree_of(repository, "HEAD"), {"wiki/deep/down/b.md": None})
    assert TreeSnapshot(repository, edited).mode("wiki/deep") is None
    assert trees.edit(repository, edited, {"wiki/a.md": None, "raw/c.txt": None}) == EMPTY_TREE


def test_a_blob_may_be_given_by_its_id(repository: Repository) -> None:
    head = TreeSnapshot(repository, tree_of(repository, "HEAD"))
    blob = head.blob("raw/c.txt")
    assert blob is not None
    edited = TreeSnapshot(repository, trees.edit(repository, head.tree_id, {"raw/d.txt": (blob, REGULAR)}))
    assert edited.read("raw/d.txt") == b"gamma"
    assert edited.blob("raw/c.txt") == blob


def test_a_file_removed_in_the_same_edit_makes_room_for_a_folder(repository: Repository) -> None:
    edited = trees.edit(repository, tree_of(repository, "HEAD"), {"wiki/a.md": None, "wiki/a.md/b": (b"1", REGULAR)})
    assert TreeSnapshot(repository, edited).read("wiki/a.md/b") == b"1"


def test_index_and_worktree_are_left_alone(repository: Repository, git: Callable[..., str]) -> None:
    assert repository.worktree is not None
    trees.edit(repository, tree_of(repository, "HEAD"), {"wiki/a.md": (b"changed", REGULAR)})
    assert git(repository.worktree, "status", "--porcelain") == ""


def test_a_partial_clone_is_edited_without_its_blobs(
    repository: Repository, git: Callable[..., str], tmp_path: Path
) -> None:
    assert repository.worktree is not None
    git(repository.worktree, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--no-checkout", "--filter=blob:none", f"file://{repository.worktree}", "partial")
    partial = open_repository(tmp_path / "partial")
    edited = TreeSnapshot(partial, trees.edit(partial, tree_of(partial, "HEAD"), {"wiki/new.md": (b"1", REGULAR)}))
    assert set(edited.paths()) == {*FILES, "wiki/new.md"}
