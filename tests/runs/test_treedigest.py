from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.errors import CannotRun
from gitops.git.repository import open_repository
from gitops.runs.context import Context
from gitops.runs.treedigest import tree_sha256

Git = Callable[..., str]
FILES = {f"wiki/p{number}.md": f"# Page {number}\n" for number in range(30)}
FILES |= {"a/b/c.txt": "deep\n", "a.b": "sorts before a/\n", "x.sh": "#!/bin/sh\n", "empty": "", "ü.md": "ü\n"}


def by_git(folder: Path, tmp_path: Path, git: Git) -> str:
    """What git itself calls the same files in a repository of sha256 format."""
    other = tmp_path / "sha256"
    git(tmp_path, "init", "--quiet", "--object-format=sha256", os.fspath(other))
    git(other, f"--work-tree={folder}", "add", "--all", "--force", ".")
    return git(other, "write-tree")


@pytest.fixture
def repository(make_repository: Callable[..., Path]) -> Path:
    return make_repository(FILES)


def context(folder: Path) -> Context:
    return Context(open_repository(folder))


def tree(folder: Path, git: Git, rev: str = "HEAD") -> str:
    return git(folder, "rev-parse", f"{rev}^{{tree}}")


def test_it_is_the_id_that_git_itself_gives_the_tree_in_sha256(
    repository: Path, tmp_path: Path, git: Git, commit_files: Callable[..., str]
) -> None:
    (repository / "x.sh").chmod(0o755)
    (repository / "link").symlink_to("empty")
    commit_files(repository, {})
    assert tree_sha256(context(repository), tree(repository, git)) == by_git(repository, tmp_path, git)


def test_what_changed_is_all_that_is_read(
    repository: Path, tmp_path: Path, git: Git, commit_files: Callable[..., str]
) -> None:
    before = tree(repository, git)
    tree_sha256(context(repository), before)
    known = git(repository, "ls-tree", "-r", "--format=%(objectname)", "HEAD").split()
    commit_files(repository, {"wiki/p3.md": "changed\n", "wiki/p4.md": None, "a/b/d.txt": "new\n"})
    for blob in set(known):  # what was digested before is not read again: it is not even there
        (repository / ".git/objects" / blob[:2] / blob[2:]).unlink()
    found = tree_sha256(context(repository), tree(repository, git), before)
    assert found == by_git(repository, tmp_path, git)
    changed = git(repository, "rev-parse", "HEAD:wiki/p3.md")
    (repository / ".git/objects" / changed[:2] / changed[2:]).unlink()
    assert tree_sha256(context(repository), tree(repository, git)) == found


def test_a_mode_a_name_and_a_content_each_change_it(
    repository: Path, git: Git, commit_files: Callable[..., str]
) -> None:
    seen = {tree_sha256(context(repository), tree(repository, git))}
    (repository / "empty").chmod(0o755)
    for change in ({}, {"empty": None, "blank": ""}, {"blank": "x"}):
        commit_files(repository, change)
        seen.add(tree_sha256(context(repository), tree(repository, git)))
    assert len(seen) == 4


def test_a_submodule_counts_by_its_commit(repository: Path, git: Git) -> None:
    seen = set()
    for commit in ("1" * 40, "2" * 40):
        git(repository, "update-index", "--add", "--cacheinfo", f"160000,{commit},sub")
        seen.add(tree_sha256(context(repository), git(repository, "write-tree")))
    assert len(seen) == 2


def test_what_is_not_in_this_clone_is_said(repository: Path, tmp_path: Path, git: Git) -> None:
    git(repository, "config", "uploadpack.allowFilter", "true")
    partial = tmp_path / "partial"
    filters = ["--filter=blob:none", "--no-checkout", f"file://{repository}", os.fspath(partial)]
    subprocess.run(["git", "clone", "--quiet", *filters], check=True)
    with pytest.raises(CannotRun, match="not in this clone"):
        tree_sha256(context(partial), tree(partial, git))


def test_while_a_push_is_looked_at_what_is_known_is_read_and_nothing_is_kept(
    repository: Path, tmp_path: Path, git: Git, commit_files: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = tree(repository, git)
    tree_sha256(context(repository), before)
    cache, objects = repository / ".git/assay/cache.sqlite3", repository / ".git/objects"
    known = cache.read_bytes()
    commit_files(repository, {"wiki/p3.md": "changed\n"})
    pushed = tree(repository, git)
    incoming = objects / "incoming-1"
    incoming.mkdir()
    monkeypatch.setenv("GIT_QUARANTINE_PATH", str(incoming))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(incoming))
    monkeypatch.setenv("GIT_ALTERNATE_OBJECT_DIRECTORIES", str(objects))
    within = context(repository)
    assert within.repository.is_quarantined
    found = tree_sha256(within, pushed, before)
    assert cache.read_bytes() == known
    assert list(incoming.iterdir()) == []
    for name in ("GIT_QUARANTINE_PATH", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES"):
        monkeypatch.delenv(name)
    assert found == by_git(repository, tmp_path, git)


def test_whatever_changes_it_is_the_same_as_digested_anew(
    repository: Path, git: Git, commit_files: Callable[..., str]
) -> None:
    """Entries before, between and behind those that changed, in one folder and in several."""
    before = tree(repository, git)
    tree_sha256(context(repository), before)
    for change in (
        {"wiki/p0.md": "first\n"},
        {"wiki/p9.md": "last\n"},
        {"wiki/p1.md": "one\n", "wiki/p5.md": "another\n"},
        {"wiki/a.md": "before all\n", "wiki/z.md": "behind all\n"},
        {"wiki/p2.md": None, "wiki/p3.md": None},
        {"wiki/p4.md": None, "wiki/p4.md/inner.md": "a folder now\n"},
        {"a/b/c.txt": "x\n", "wiki/p6.md": "y\n", "a/new/deep/er.txt": "z\n"},
    ):
        commit_files(repository, change)
        after = tree(repository, git)
        found = tree_sha256(context(repository), after, before)
        for file in (repository / ".git/assay").glob("cache.sqlite3*"):
            file.unlink()
        assert tree_sha256(context(repository), after) == found
        before = after
