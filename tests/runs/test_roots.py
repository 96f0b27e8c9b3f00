from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from gitops import config
from gitops.git.repository import open_repository
from gitops.git.snapshot import TreeSnapshot
from gitops.runs.roots import FILE_NAME, roots


def test_the_policys_name_is_the_configurations() -> None:
    assert FILE_NAME == config.FILE_NAME


def test_policies_are_found_from_the_top_down_and_not_too_deep(make_repository: Callable[..., Path]) -> None:
    folders = ("a/b/", "a/", "z/", "a/b/c/", "a/b/c/d/")
    folder = make_repository({f"{each}{FILE_NAME}": "" for each in folders})
    tree = TreeSnapshot.at(open_repository(folder), "HEAD")
    assert list(roots(tree)) == ["a", "z", "a/b", "a/b/c"]
    assert list(roots(tree, "a/b")) == ["a/b", "a/b/c", "a/b/c/d"]
