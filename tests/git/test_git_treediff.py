from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from gitops.errors import Absent
from gitops.git import trees
from gitops.git.objects import EMPTY_TREE
from gitops.git.repository import Repository, open_repository
from gitops.git.treediff import Entry, changed

NAMES = ["a", "a.b", "a-b", "é", "caf\udce9", "b", "a0"]
MODES = [0o100644, 0o100755, 0o120000]


def _expected(git: Callable[..., str], repository: Path, old: str, new: str) -> set[Entry]:
    fields = git(repository, "diff-tree", "-r", "-z", "--no-renames", "--no-abbrev", old, new).split("\0")[:-1]
    found = set()
    for raw, path in zip(fields[::2], fields[1::2], strict=True):
        old_mode, new_mode, old_id, new_id, _ = raw[1:].split(" ")
        was = (old_id, int(old_mode, 8)) if old_mode != "000000" else (None, None)
        now = (new_id, int(new_mode, 8)) if new_mode != "000000" else (None, None)
        found.add(Entry(path, was[0], now[0], was[1], now[1]))
    return found


def _random_tree(repository: Repository, dice: random.Random) -> str:
    files: dict[str, trees.File | None] = {}
    for _ in range(dice.randrange(1, 14)):
        path = "/".join(dice.choice(NAMES) for _ in range(dice.randrange(1, 4)))
        if not any(path.startswith(f"{other}/") or other.startswith(f"{path}/") for other in files):
            files[path] = (b"%d" % dice.randrange(3), dice.choice(MODES))
    return trees.edit(repository, EMPTY_TREE, files)


def test_a_tree_that_is_absent_is_told(make_repository: Callable[..., Path]) -> None:
    found = open_repository(make_repository())
    with pytest.raises(Absent):
        list(changed(found, None, "1" * 40))


@pytest.mark.slow
def test_random_trees_differ_as_git_says(make_repository: Callable[..., Path], git: Callable[..., str]) -> None:
    repository = make_repository()
    found = open_repository(repository)
    dice = random.Random(7)
    made = [_random_tree(found, dice) for _ in range(60)]
    pairs = list(pairwise(made))
    assert sum(len(_expected(git, repository, old, new)) for old, new in pairs) > 300
    for old, new in pairs:
        entries = list(changed(found, old, new))
        assert set(entries) == _expected(git, repository, old, new)
        assert len(entries) == len(set(entries))


def test_random_trees_are_what_git_makes_of_the_same_files(
    make_repository: Callable[..., Path], git: Callable[..., str]
) -> None:
    repository = make_repository()
    found = open_repository(repository)
    dice = random.Random(11)
    for tree in (_random_tree(found, dice) for _ in range(20)):
        listing = git(repository, "ls-tree", "-r", "-z", tree).encode("utf-8", "surrogateescape")
        git(repository, "read-tree", "--empty")
        git(repository, "update-index", "-z", "--index-info", input=listing)
        assert git(repository, "write-tree") == tree


def test_nothing_against_a_tree_is_all_of_it(make_repository: Callable[..., Path]) -> None:
    found = open_repository(make_repository())
    tree = trees.edit(found, EMPTY_TREE, {"a/b": (b"1", 0o100644), "c": (b"2", 0o100644)})
    assert [(entry.path, entry.old_mode) for entry in changed(found, None, tree)] == [("a/b", None), ("c", None)]
    assert [(entry.path, entry.new_blob) for entry in changed(found, tree, None)] == [("a/b", None), ("c", None)]
    assert list(changed(found, tree, tree)) == list(changed(found, None, None)) == []


def test_a_file_that_became_a_folder_is_one_gone_and_its_files_come(make_repository: Callable[..., Path]) -> None:
    found = open_repository(make_repository())
    old = trees.edit(found, EMPTY_TREE, {"a": (b"1", 0o100644)})
    new = trees.edit(found, EMPTY_TREE, {"a/b": (b"1", 0o100644)})
    entries = {entry.path: (entry.old_mode, entry.new_mode) for entry in changed(found, old, new)}
    assert entries == {"a": (0o100644, None), "a/b": (None, 0o100644)}


def test_only_what_is_below_the_prefix_is_told(make_repository: Callable[..., Path]) -> None:
    found = open_repository(make_repository())
    old = trees.edit(found, EMPTY_TREE, {"a/b/c": (b"1", 0o100644), "a/d": (b"1", 0o100644), "ab": (b"1", 0o100644)})
    new = trees.edit(found, EMPTY_TREE, {"a/b/c": (b"2", 0o100644), "a/d": (b"2", 0o100644), "ab": (b"2", 0o100644)})
    assert [entry.path for entry in changed(found, old, new, "a")] == ["a/b/c", "a/d"]
    assert [entry.path for entry in changed(found, old, new, "a/b/")] == ["a/b/c"]
    assert list(changed(found, old, new, "ab")) == list(changed(found, old, new, "none/at/all")) == []
    assert [entry.path for entry in changed(found, None, new, "a/b")] == ["a/b/c"]


def test_a_submodules_move_is_told_with_its_commits(make_repository: Callable[..., Path]) -> None:
    found = open_repository(make_repository())
    old = trees.edit(found, EMPTY_TREE, {"module": ("1" * 40, 0o160000)})
    new = trees.edit(found, EMPTY_TREE, {"module": ("2" * 40, 0o160000)})
    assert list(changed(found, old, new)) == [Entry("module", "1" * 40, "2" * 40, 0o160000, 0o160000)]
