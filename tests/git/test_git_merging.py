from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.errors import CannotRun
from gitops.git.merging import Merge, merge
from gitops.git.repository import open_repository
from gitops.git.snapshot import TreeSnapshot, tree_of

Sides = tuple[Path, str, str]


@pytest.fixture
def diverge(
    make_repository: Callable[..., Path], commit_files: Callable[..., str], git: Callable[..., str]
) -> Callable[[dict[str, str], dict[str, str]], Sides]:
    def make(ours: dict[str, str], theirs: dict[str, str]) -> Sides:
        repository = make_repository({"a": "1\n2\n3\n4\n5\n6\n7\n8\n", "b": "1\n", "ü/c d": "1\n"})
        git(repository, "checkout", "-qb", "side")
        theirs_id = commit_files(repository, theirs)
        git(repository, "checkout", "-q", "main")
        return repository, commit_files(repository, ours), theirs_id

    return make


def test_conflicts_are_named_and_nothing_is_touched(diverge: Callable[..., Sides], git: Callable[..., str]) -> None:
    repository, ours, theirs = diverge({"b": "2\n", "ü/c d": "2\n"}, {"b": "3\n", "ü/c d": "3\n"})
    assert merge(open_repository(repository), ours, theirs) == Merge(None, ("b", "ü/c d"))
    assert git(repository, "status", "--porcelain") == ""


def test_unrelated_histories_cannot_be_merged(
    make_repository: Callable[..., Path], commit_files: Callable[..., str], git: Callable[..., str]
) -> None:
    repository = make_repository({"a": "1"})
    git(repository, "checkout", "-q", "--orphan", "other")
    other = commit_files(repository, {"b": "2"})
    with pytest.raises(CannotRun, match="unrelated histories"):
        merge(open_repository(repository), git(repository, "rev-parse", "main"), other)


def test_a_history_cut_off_is_told(diverge: Callable[..., Sides], git: Callable[..., str]) -> None:
    repository, ours, theirs = diverge({"b": "2\n"}, {"a": "2\n"})
    git(repository.parent, "clone", "-q", "--depth=1", "--no-single-branch", f"file://{repository}", "shallow")
    with pytest.raises(CannotRun, match="cut off") as caught:
        merge(open_repository(repository.parent / "shallow"), ours, theirs)
    assert caught.value.hint == "git fetch --unshallow"


def test_objects_a_partial_clone_lacks_are_told_and_not_fetched(
    diverge: Callable[..., Sides], git: Callable[..., str]
) -> None:
    repository, ours, theirs = diverge({"a": "0\n2\n3\n4\n5\n6\n7\n8\n"}, {"a": "1\n2\n3\n4\n5\n6\n7\n9\n"})
    git(repository, "config", "uploadpack.allowFilter", "true")
    git(repository.parent, "clone", "-q", "--no-checkout", "--filter=blob:none", f"file://{repository}", "partial")
    partial = repository.parent / "partial"
    with pytest.raises(CannotRun) as caught:
        merge(open_repository(partial), ours, theirs)
    assert "git fetch" in caught.value.hint
    missing = git(partial, "rev-list", "--objects", "--all", "--missing=print").count("?")
    assert missing == 4


def test_a_commit_that_is_not_here_is_told(make_repository: Callable[..., Path], git: Callable[..., str]) -> None:
    repository = make_repository({"a": "1"})
    with pytest.raises(CannotRun):
        merge(open_repository(repository), git(repository, "rev-parse", "HEAD"), "1" * 40)


def test_edits_far_apart_are_merged_as_git_merges(diverge: Callable[..., Sides], git: Callable[..., str]) -> None:
    repository, ours, theirs = diverge({"a": "0\n2\n3\n4\n5\n6\n7\n8\n"}, {"a": "1\n2\n3\n4\n5\n6\n7\n9\n", "new": "x"})
    found = open_repository(repository)
    merged = merge(found, ours, theirs)
    assert merged.tree is not None
    assert TreeSnapshot(found, merged.tree).read("a") == b"0\n2\n3\n4\n5\n6\n7\n9\n"
    git(repository, "merge", "-q", theirs)
    assert merged == Merge(git(repository, "rev-parse", "HEAD^{tree}"))


def test_a_fast_forward_is_their_tree_and_an_old_side_is_ours(
    diverge: Callable[..., Sides], git: Callable[..., str]
) -> None:
    repository, ours, _ = diverge({"b": "2\n"}, {"a": "2\n"})
    found = open_repository(repository)
    base = git(repository, "rev-parse", "main~1")
    assert merge(found, base, ours) == merge(found, ours, base) == Merge(tree_of(found, ours))
