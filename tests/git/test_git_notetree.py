from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.errors import UsageError
from gitops.git import notetree, trees
from gitops.git.notetree import NoteTree, union
from gitops.git.objects import EMPTY_TREE, REGULAR
from gitops.git.repository import Repository, open_repository

TARGET = "ab" + "12" * 19
contents = st.binary(max_size=40) | st.lists(st.sampled_from([b"a", b"b", b"\xff", b"", b"a "])).map(b"\n".join)


@pytest.fixture
def repository(make_repository: Callable[..., Path]) -> Repository:
    return open_repository(make_repository())


def _tree(repository: Repository, files: dict[str, bytes]) -> NoteTree:
    edit: dict[str, trees.File | None] = {path: (content, REGULAR) for path, content in files.items()}
    return NoteTree(repository, trees.edit(repository, EMPTY_TREE, edit))


@given(contents, contents)
def test_union_is_commutative(one: bytes, other: bytes) -> None:
    assert union(one, other) == union(other, one)


@given(contents, contents, contents)
def test_union_is_associative(one: bytes, other: bytes, third: bytes) -> None:
    assert union(union(one, other), third) == union(one, union(other, third))


@given(contents, contents)
def test_union_is_idempotent_and_keeps_every_line(one: bytes, other: bytes) -> None:
    both = union(one, other)
    assert union(both, both) == union(both, one) == union(both, b"") == both
    assert set(both.split(b"\n")) - {b""} == (set(one.split(b"\n")) | set(other.split(b"\n"))) - {b""}


def test_union_sorts_bytes_and_ends_every_line() -> None:
    assert union(b"b\n\n\xc3\xa9\nB", b"a\nb") == b"B\na\nb\n\xc3\xa9\n"
    assert union(b"", b"\n\n") == b""


@pytest.mark.parametrize("target", ["", "ab", "g" * 40, TARGET.upper(), TARGET + "0", "../" + TARGET[3:]])
def test_a_target_that_is_no_full_id_is_refused(repository: Repository, target: str) -> None:
    with pytest.raises(UsageError, match="not the full id"):
        notetree.place(target)
    with pytest.raises(UsageError, match="not the full id"):
        _tree(repository, {}).on(target)


@pytest.mark.parametrize("line", ["", "a\nb", "a\n"])
def test_records_that_a_merge_would_tear_apart_are_refused(line: str) -> None:
    with pytest.raises(UsageError, match="whole lines"):
        notetree.packed(["fine", line])


def test_lines_come_back_as_they_went_in_odd_bytes_included() -> None:
    lines = ["ü", "caf\udce9", '{"a":1}\r']
    assert notetree.unpacked(notetree.packed(lines)) == lines


@pytest.mark.parametrize("cuts", [(), (2,), (2, 4), (2, 4, 6, 8)])
def test_a_note_is_found_at_any_depth(repository: Repository, cuts: tuple[int, ...]) -> None:
    edges = [0, *cuts, 40]
    path = "/".join(TARGET[start:end] for start, end in pairwise(edges))
    tree = _tree(repository, {path: b"line\n", "README": b"no note", "zz/x": b"none", "ab/34": b"none"})
    assert [found for found, _ in tree.on(TARGET)] == [path]
    assert tree.all() == {TARGET: tree.on(TARGET)}
    assert tree.on("cd" + TARGET[2:]) == tree.on("ab" + "00" * 19) == []


def test_notes_at_several_depths_are_one_note(repository: Repository) -> None:
    deep = f"{TARGET[:2]}/{TARGET[2:4]}/{TARGET[4:]}"
    tree = _tree(repository, {TARGET: b"b\n", deep: b"a\n", notetree.place(TARGET): b"c\n"})
    assert len(tree.all()[TARGET]) == 3
    assert tree.content(tree.on(TARGET)) == b"a\nb\nc\n"
    edit = tree.change(TARGET, b"d\n")
    assert edit == {TARGET: None, deep: None, notetree.place(TARGET): (b"a\nb\nc\nd\n", REGULAR)}
    after = NoteTree(repository, trees.edit(repository, tree.tree_id, edit))
    assert [path for path, _ in after.on(TARGET)] == [notetree.place(TARGET)]


def test_lines_that_are_there_change_nothing(repository: Repository) -> None:
    tree = _tree(repository, {notetree.place(TARGET): b"a\nb\n"})
    assert tree.change(TARGET, b"b\n") == {}
    assert tree.change(TARGET, b"c\n") != {}
