from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.errors import Absent, UsageError
from gitops.git.repository import open_repository
from gitops.git.snapshot import IndexSnapshot, TreeSnapshot, resolve, tree_of
from gitops.wiki.snapshot import Snapshot

FILES = {"wiki/a.md": "alpha", "wiki/sub/b.md": "beta", "wiki.md": "root", "raw/näme.txt": "ünï"}


def _snapshot(repository: Path) -> TreeSnapshot:
    found = open_repository(repository)
    return TreeSnapshot(found, tree_of(found, "HEAD"))


def test_what_is_not_there_is_none_or_a_key_error(make_repository: Callable[..., Path]) -> None:
    snapshot: Snapshot = _snapshot(make_repository(FILES))
    for path in ("wiki/none.md", "wiki/a.md/below", "", "wiki//a.md", "/wiki/a.md"):
        assert (snapshot.blob(path), snapshot.mode(path)) == (None, None)
        with pytest.raises(KeyError):
            snapshot.read(path)
    with pytest.raises(KeyError):
        snapshot.read("wiki")
    assert list(snapshot.paths("wiki/a.md")) == []
    assert list(snapshot.paths("wik")) == []


def test_a_blob_that_a_partial_clone_lacks_is_absent(
    make_repository: Callable[..., Path], git: Callable[..., str]
) -> None:
    origin = make_repository(FILES)
    git(origin, "config", "uploadpack.allowFilter", "true")
    git(origin.parent, "clone", "-q", "--no-checkout", "--filter=blob:none", f"file://{origin}", "partial")
    snapshot = _snapshot(origin.parent / "partial")
    assert sorted(snapshot.paths()) == sorted(FILES)
    assert snapshot.blob("wiki/a.md") == git(origin, "rev-parse", "HEAD:wiki/a.md")
    with pytest.raises(Absent):
        snapshot.read("wiki/a.md")
    with pytest.raises(Absent):
        snapshot.size("wiki/a.md")


def test_files_are_listed_and_read_as_git_has_them(
    make_repository: Callable[..., Path], git: Callable[..., str]
) -> None:
    repository = make_repository(FILES)
    snapshot = _snapshot(repository)
    assert list(snapshot.paths()) == git(repository, "ls-tree", "-r", "-z", "--name-only", "HEAD").split("\0")[:-1]
    assert list(snapshot.paths("wiki")) == list(snapshot.paths("wiki/")) == ["wiki/a.md", "wiki/sub/b.md"]
    assert snapshot.read("raw/näme.txt") == "ünï".encode()
    assert snapshot.size("raw/näme.txt") == 5
    assert (snapshot.mode("wiki"), snapshot.mode("wiki.md")) == (0o040000, 0o100644)


def test_names_that_are_not_utf8_come_and_go(make_repository: Callable[..., Path], git: Callable[..., str]) -> None:
    repository = make_repository(FILES)
    blob = git(repository, "rev-parse", "HEAD:wiki.md")
    tree = git(repository, "mktree", "-z", input=b"100644 blob " + blob.encode() + b"\tcaf\xe9.md\0")
    snapshot = TreeSnapshot(open_repository(repository), tree)
    assert list(snapshot.paths()) == ["caf\udce9.md"]
    assert snapshot.read("caf\udce9.md") == b"root"


def test_symlinks_are_blobs_and_submodules_are_not(
    make_repository: Callable[..., Path], git: Callable[..., str]
) -> None:
    repository = make_repository({"a": "1"})
    (repository / "link").symlink_to("a")
    git(repository, "add", "link")
    commit = git(repository, "rev-parse", "HEAD")
    git(repository, "update-index", "--add", "--cacheinfo", f"160000,{commit},module")
    git(repository, "commit", "-qm", "odd entries")
    snapshot = _snapshot(repository)
    assert sorted(snapshot.paths()) == ["a", "link", "module"]
    assert (snapshot.mode("link"), snapshot.read("link")) == (0o120000, b"a")
    assert (snapshot.mode("module"), snapshot.blob("module")) == (0o160000, None)
    with pytest.raises(Absent, match="submodule"):
        snapshot.read("module")


def test_a_conflicted_index_is_refused(
    make_repository: Callable[..., Path], commit_files: Callable[..., str], git: Callable[..., str]
) -> None:
    repository = make_repository({"wiki/a b.md": "1"})
    git(repository, "checkout", "-qb", "side")
    commit_files(repository, {"wiki/a b.md": "2"})
    git(repository, "checkout", "-q", "main")
    commit_files(repository, {"wiki/a b.md": "3"})
    git(repository, "merge", "side", check=False)
    with pytest.raises(UsageError, match=r"conflict in wiki/a b\.md") as caught:
        IndexSnapshot(open_repository(repository))
    assert "git add" in caught.value.hint


def test_what_is_staged_is_read_and_the_index_left_alone(
    make_repository: Callable[..., Path], git: Callable[..., str]
) -> None:
    repository = make_repository(FILES)
    (repository / "wiki/a.md").write_text("staged")
    git(repository, "add", "wiki/a.md")
    (repository / "wiki/a.md").write_text("not staged")
    (repository / "new.md").write_text("intended")
    git(repository, "add", "--intent-to-add", "new.md")
    before = (repository / ".git/index").read_bytes()
    snapshot = IndexSnapshot(open_repository(repository))
    assert snapshot.read("wiki/a.md") == b"staged"
    assert snapshot.mode("new.md") is None
    assert (repository / ".git/index").read_bytes() == before


def test_a_hooks_index_is_the_one_that_is_read(
    make_repository: Callable[..., Path], git: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = make_repository(FILES)
    other = repository / ".git/next-index.lock"
    git(repository, "read-tree", "--empty", env={"GIT_INDEX_FILE": str(other)})
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/next-index.lock")
    assert list(IndexSnapshot(open_repository(repository)).paths()) == []


def test_nothing_staged_in_a_new_repository_is_an_empty_tree(make_repository: Callable[..., Path]) -> None:
    assert list(IndexSnapshot(open_repository(make_repository())).paths()) == []


@pytest.mark.parametrize("rev", ["--all", "-n1", "", "main..side", "^main", "nothing", "a\0b", "HEAD^{blob}", "f" * 40])
def test_what_names_no_revision_is_a_usage_error(make_repository: Callable[..., Path], rev: str) -> None:
    with pytest.raises(UsageError, match="name") as caught:
        resolve(open_repository(make_repository(FILES)), rev)
    assert caught.value.hint


def test_an_ambiguous_name_is_refused(make_repository: Callable[..., Path], git: Callable[..., str]) -> None:
    repository = make_repository(FILES)
    git(repository, "branch", "twice")
    git(repository, "tag", "twice")
    git(repository, "config", "core.warnAmbiguousRefs", "false")
    with pytest.raises(UsageError, match="'twice' is ambiguous") as caught:
        resolve(open_repository(repository), "twice")
    assert "refs/heads/twice" in caught.value.hint


def test_head_of_an_unborn_branch_is_told(make_repository: Callable[..., Path]) -> None:
    with pytest.raises(UsageError, match="refs/heads/main has no commit yet"):
        resolve(open_repository(make_repository()), "HEAD")


def test_tags_are_peeled_and_ids_are_taken(make_repository: Callable[..., Path], git: Callable[..., str]) -> None:
    repository = make_repository(FILES)
    git(repository, "tag", "-am", "a release", "v1")
    commit = git(repository, "rev-parse", "HEAD")
    found = open_repository(repository)
    for rev in ("v1", "HEAD", "main", commit, commit[:12]):
        assert resolve(found, rev) == commit
        assert tree_of(found, rev) == git(repository, "rev-parse", "HEAD^{tree}")
    wiki = git(repository, "rev-parse", "HEAD:wiki")
    assert tree_of(found, wiki) == wiki


def test_folders_are_told_by_tree_and_by_name(make_repository: Callable[..., Path], git: Callable[..., str]) -> None:
    repository = make_repository(FILES)
    snapshot = TreeSnapshot.at(open_repository(repository), "main")
    assert snapshot.folder_id("") == git(repository, "rev-parse", "HEAD^{tree}")
    assert snapshot.folder_id("wiki/sub") == git(repository, "rev-parse", "HEAD:wiki/sub")
    assert snapshot.folder_id("wiki/a.md") is snapshot.folder_id("none") is None
    assert (snapshot.folders(""), snapshot.folders("wiki"), snapshot.folders("none")) == (
        ["raw", "wiki"],
        ["wiki/sub"],
        [],
    )
