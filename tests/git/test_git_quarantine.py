"""A repository opened as its own pre-receive hook: what is pushed is seen, nothing is written."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.errors import CannotRun
from gitops.git import bulk, commits, merging, notes, objects, refs
from gitops.git.commits import Identity
from gitops.git.process import git as asked
from gitops.git.repository import open_repository

WHO = Identity("Ada Writer", "ada@example.org")


@pytest.fixture
def other(make_repository: Callable[..., Path]) -> Path:
    return make_repository({"two.txt": "two\n"}, name="other")


@pytest.fixture
def quarantine(
    make_repository: Callable[..., Path], git: Callable[..., str], other: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A bare repository with a branch beside main, in the middle of a push; run where git would run its hook."""
    folder = make_repository({"one.txt": "one\n"}, bare=True, name="server")
    tree = git(folder, "rev-parse", "main^{tree}")
    for branch in ("one", "two"):
        commit = git(folder, "commit-tree", "-m", branch, "-p", "main", tree)
        git(folder, "update-ref", f"refs/heads/{branch}", commit)
    incoming = folder / "objects" / "tmp_objdir-incoming-x"
    incoming.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("GIT_DIR", ".")
    monkeypatch.setenv("GIT_QUARANTINE_PATH", os.fspath(incoming))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", os.fspath(incoming))
    monkeypatch.setenv("GIT_ALTERNATE_OBJECT_DIRECTORIES", os.fspath(folder / "objects"))
    return folder


def _pushed(text: str) -> str:
    """A blob as git-receive-pack would have put it there."""
    done = subprocess.run(
        ["git", "hash-object", "-w", "--stdin"], input=text, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_what_is_pushed_is_seen_by_libgit2_and_by_git(quarantine: Path) -> None:
    blob = _pushed("pushed\n")
    repository = open_repository()
    assert repository.is_quarantined
    assert objects.read(repository, blob) == b"pushed\n"
    assert asked(repository, "cat-file", "-p", blob).text == "pushed"
    assert refs.read(repository, "refs/heads/main") is not None


def test_nothing_is_written_while_a_push_is_looked_at(quarantine: Path) -> None:
    repository = open_repository()
    main = str(refs.read(repository, "refs/heads/main"))
    one, two = str(refs.read(repository, "refs/heads/one")), str(refs.read(repository, "refs/heads/two"))
    tree = commits.read(repository, main).tree
    before = sorted(quarantine.rglob("*"))
    for write in (
        lambda: refs.move(repository, "refs/heads/new", main, None, "x"),
        lambda: refs.delete(repository, "refs/heads/main", main),
        lambda: refs.publish(repository, "refs/heads/main", one, main, "refs/heads/main", main),
        lambda: objects.write_blob(repository, b"x"),
        lambda: objects.write_tree(repository, ()),
        lambda: commits.write(repository, tree, [main], "x", WHO, 0),
        lambda: commits.write(repository, tree, [main], "x", WHO, 0, sign=True),
        lambda: bulk.commit(repository, {}, [main], "x", WHO, 0),
        lambda: notes.append(repository, "refs/notes/x", {main: ["x"]}, "x", WHO, 0),
        lambda: merging.merge(repository, one, two),
    ):
        with pytest.raises(CannotRun, match="not while a push is looked at"):
            write()
    assert sorted(quarantine.rglob("*")) == before


def test_another_repository_is_itself(quarantine: Path, other: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blob = _pushed("pushed\n")
    monkeypatch.delenv("GIT_DIR")
    repository = open_repository(other)
    assert not repository.is_quarantined
    assert not objects.exists(repository, blob)
    assert asked(repository, "cat-file", "-e", blob, check=False).code != 0
    assert objects.exists(repository, objects.write_blob(repository, b"x"))


def test_refs_are_read_as_the_push_would_have_them(quarantine: Path) -> None:
    from dataclasses import replace

    repository = open_repository()
    seen = replace(repository, incoming={"refs/notes/x": "1" * 40})
    assert refs.read(seen, "refs/notes/x") == "1" * 40
    assert refs.read(repository, "refs/notes/x") is None
    assert refs.read(seen, "refs/heads/main") == refs.read(repository, "refs/heads/main")
