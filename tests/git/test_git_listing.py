from __future__ import annotations

import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.errors import CannotRun
from gitops.git import objects
from gitops.git.listing import ListedSnapshot, bulk_reads
from gitops.git.repository import open_repository
from gitops.git.snapshot import TreeSnapshot

FILES = {"raw/a.md": "a", "raw/x/b.md": "b", "wiki/é/c d.md": "c", "wiki-2/d.md": "d", "e.md": "e"}
ASKED = ("raw", "raw/a.md", "raw/x", "raw/x/b.md", "raw/none.md", "raw/a.md/x", "wiki/é/c d.md", "wiki-2/d.md", "e.md")


@pytest.fixture
def trees(make_repository: Callable[..., Path]) -> Callable[..., tuple[TreeSnapshot, ListedSnapshot]]:
    def make(*listed: str) -> tuple[TreeSnapshot, ListedSnapshot]:
        repository = open_repository(make_repository(FILES))
        plain = TreeSnapshot.at(repository, "HEAD")
        return plain, ListedSnapshot(repository, plain.tree_id, listed)

    return make


@pytest.mark.parametrize("listed", [("raw", "wiki"), ("",), (), ("raw", "gone")])
def test_it_answers_as_the_tree_itself_does(
    trees: Callable[..., tuple[TreeSnapshot, ListedSnapshot]], listed: tuple[str, ...]
) -> None:
    plain, at_once = trees(*listed)
    for path in (*ASKED, "none.md"):
        assert (at_once.mode(path), at_once.blob(path)) == (plain.mode(path), plain.blob(path)), path
    for folder in ("", "raw", "raw/x", "wiki", "wiki-2", "none"):
        assert list(at_once.paths(folder)) == list(plain.paths(folder)), folder
        assert at_once.folder_id(folder) == plain.folder_id(folder)
    assert at_once.read("wiki/é/c d.md") == b"c"


def test_what_is_not_there_cannot_be_read(trees: Callable[..., tuple[TreeSnapshot, ListedSnapshot]]) -> None:
    _, at_once = trees("raw")
    with pytest.raises(KeyError):
        at_once.read("raw/none.md")


def test_objects_are_hashed_again_unless_they_are_read_in_bulk(make_repository: Callable[..., Path]) -> None:
    folder = make_repository({"a.md": "a"})
    blob = TreeSnapshot.at(open_repository(folder), "HEAD").blob("a.md") or ""
    file = folder / ".git/objects" / blob[:2] / blob[2:]
    file.chmod(0o644)
    file.write_bytes(zlib.compress(b"blob 1\0b"))
    with bulk_reads():
        assert objects.read(open_repository(folder), blob) == b"b"
    with pytest.raises(CannotRun):
        objects.read(open_repository(folder), blob)
