from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.errors import CannotRun
from gitops.git import refs, remotes
from gitops.git.repository import Repository, open_repository

Git = Callable[..., str]
HERE, THERE = "refs/assay/remote/hub/x", "refs/notes/x"


@pytest.fixture
def server(make_repository: Callable[..., Path]) -> Path:
    return make_repository({"a": "1"}, bare=True, name="server")


@pytest.fixture
def repository(make_repository: Callable[..., Path], server: Path, git: Git) -> Repository:
    folder = make_repository({"a": "1"})
    git(folder, "remote", "add", "hub", f"file://{server}")
    return open_repository(folder)


def commits(git: Git, folder: Path) -> tuple[str, str, str]:
    """A commit, one after it, and one that knows neither."""
    first = git(folder, "commit-tree", "-m", "1", "main^{tree}")
    second = git(folder, "commit-tree", "-m", "2", "-p", first, "main^{tree}")
    return first, second, git(folder, "commit-tree", "-m", "other", "main^{tree}")


def test_what_a_remote_has(repository: Repository, server: Path, git: Git) -> None:
    tip = git(server, "rev-parse", "main")
    git(server, "update-ref", THERE, tip)
    assert remotes.names(repository) == ["hub"]
    assert remotes.listed(repository, "hub", ["refs/notes/*"]) == {THERE: tip}
    assert remotes.listed(repository, "hub", ["refs/none/*"]) == {}


def test_a_fetch_replaces_ours_only_where_it_may(repository: Repository, server: Path, git: Git) -> None:
    first, second, other = commits(git, server)
    for commit in (first, second):
        git(server, "update-ref", THERE, commit)
        remotes.fetch(repository, "hub", {THERE: HERE})
        assert refs.read(repository, HERE) == commit
    git(server, "update-ref", THERE, other)
    with pytest.raises(CannotRun):
        remotes.fetch(repository, "hub", {THERE: HERE})
    assert refs.read(repository, HERE) == second
    remotes.fetch(repository, "hub", {THERE: HERE}, over=True)
    assert refs.read(repository, HERE) == other


def test_a_fetch_brings_nothing_else_and_minds_no_setting(repository: Repository, server: Path, git: Git) -> None:
    git(repository.common_dir, "config", "remote.hub.fetch", "+refs/heads/*:refs/remotes/hub/*")
    git(server, "tag", "v1")
    git(server, "update-ref", THERE, "main")
    before = git(repository.common_dir, "for-each-ref")
    remotes.fetch(repository, "hub", {THERE: HERE})
    after = git(repository.common_dir, "for-each-ref")
    assert set(after.splitlines()) - set(before.splitlines()) == {f"{git(server, 'rev-parse', 'main')} commit\t{HERE}"}
    assert not (repository.git_dir / "FETCH_HEAD").exists()


def test_a_push_only_moves_forward_and_says_why_it_did_not(repository: Repository, server: Path, git: Git) -> None:
    first, second, other = commits(git, repository.common_dir)
    assert remotes.push(repository, "hub", {THERE: first}) == ""
    assert remotes.push(repository, "hub", {THERE: second}) == ""
    assert "non-fast-forward" in remotes.push(repository, "hub", {THERE: other})
    assert git(server, "rev-parse", THERE) == second
    hook = server / "hooks/pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho 'closed for today' >&2\nexit 1\n")
    hook.chmod(0o755)
    assert remotes.push(repository, "hub", {"refs/notes/y": other}).startswith("closed for today")
    os.rename(server, server.with_name("gone"))
    assert remotes.push(repository, "hub", {THERE: second}) != ""


def test_a_ref_is_replaced_only_where_it_still_stands_as_it_was(repository: Repository, server: Path, git: Git) -> None:
    first, second, other = commits(git, repository.common_dir)
    remotes.push(repository, "hub", {THERE: second})
    assert "stale info" in remotes.replace(repository, "hub", THERE, other, first)
    assert git(server, "rev-parse", THERE) == second
    assert remotes.replace(repository, "hub", THERE, other, second) == ""
    assert git(server, "rev-parse", THERE) == other
    assert remotes.replace(repository, "hub", THERE, other, second) == ""
    assert "stale info" in remotes.replace(repository, "hub", THERE, None, second)
    assert remotes.replace(repository, "hub", THERE, None, other) == ""
    assert git(server, "for-each-ref", THERE) == ""
    assert remotes.replace(repository, "hub", THERE, None, other) == ""
