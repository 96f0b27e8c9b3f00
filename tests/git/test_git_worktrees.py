from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.errors import CannotRun
from gitops.git.repository import open_repository
from gitops.git.worktrees import Worktree, behind, checked_out, follow, rehearse

MAIN = "refs/heads/main"
Landing = tuple[Path, Worktree, str, str]


@pytest.fixture
def landing(make_repository: Callable[..., Path], commit_files: Callable[..., str], git: Callable[..., str]) -> Landing:
    """A worktree at the old commit of main, and a new commit that changes a.md, removes b.md and adds new/c.md."""
    repository = make_repository({"a.md": "old\n", "b.md": "goes\n", "other.md": "stays\n", ".gitignore": "*.secret\n"})
    old = git(repository, "rev-parse", "HEAD")
    new = commit_files(repository, {"a.md": "new\n", "b.md": None, "new/c.md": "comes\n", "kept.secret": "theirs\n"})
    git(repository, "reset", "-q", "--hard", old)
    (worktree,) = checked_out(open_repository(repository), MAIN)
    return repository, worktree, old, new


def _files(repository: Path) -> dict[str, bytes]:
    paths = (path for path in repository.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {str(path.relative_to(repository)): path.read_bytes() for path in paths}


def _refused(landing: Landing, told: str, git: Callable[..., str]) -> None:
    repository, worktree, old, new = landing
    before = _files(repository), git(repository, "ls-files", "--stage")
    objection = rehearse(worktree, old, new)
    assert objection is not None
    assert told in objection
    with pytest.raises(CannotRun, match="could not follow") as caught:
        follow(worktree, old, new)
    assert f"read-tree -m -u {old} {new}" in caught.value.hint
    assert (_files(repository), git(repository, "ls-files", "--stage")) == before


def test_an_edit_in_the_way_is_refused(landing: Landing, git: Callable[..., str]) -> None:
    (landing[0] / "a.md").write_text("mine\n")
    _refused(landing, "a.md", git)


def test_a_staged_edit_in_the_way_is_refused(landing: Landing, git: Callable[..., str]) -> None:
    (landing[0] / "a.md").write_text("mine\n")
    git(landing[0], "add", "a.md")
    _refused(landing, "a.md", git)


def test_an_untracked_file_in_the_way_is_refused(landing: Landing, git: Callable[..., str]) -> None:
    (landing[0] / "new").mkdir()
    (landing[0] / "new/c.md").write_text("mine\n")
    _refused(landing, "new/c.md", git)


def test_an_ignored_file_in_the_way_is_refused_though_git_would_overwrite_it(
    landing: Landing, git: Callable[..., str]
) -> None:
    (landing[0] / "kept.secret").write_text("mine\n")
    _refused(landing, "kept.secret", git)


@pytest.mark.parametrize("kind", ["file", "symlink"])
def test_an_ignored_file_where_a_folder_must_be_is_refused(
    landing: Landing, git: Callable[..., str], kind: str
) -> None:
    (landing[0] / ".git/info/exclude").write_text("/new\n")
    if kind == "file":
        (landing[0] / "new").write_text("mine\n")
    else:
        (landing[0] / "new").symlink_to("other.md")
    _refused(landing, "new", git)


def test_an_index_lock_is_refused_with_nothing_touched(landing: Landing, git: Callable[..., str]) -> None:
    (landing[0] / ".git/index.lock").touch()
    _refused(landing, "index.lock", git)


def test_a_rehearsal_changes_nothing(landing: Landing, git: Callable[..., str]) -> None:
    repository, worktree, old, new = landing
    before = _files(repository), git(repository, "ls-files", "--stage")
    assert rehearse(worktree, old, new) is None
    assert (_files(repository), git(repository, "ls-files", "--stage")) == before


def test_files_follow_and_unrelated_edits_stay(landing: Landing, git: Callable[..., str]) -> None:
    repository, worktree, old, new = landing
    (repository / "other.md").write_text("mine\n")
    (repository / "untracked.md").write_text("mine\n")
    (repository / "own.secret").write_text("mine\n")
    git(repository, "update-ref", MAIN, new, old)
    follow(worktree, old, new)
    assert git(repository, "status", "--porcelain").split("\n") == [" M other.md", "?? untracked.md"]
    assert (repository / "new/c.md").read_text() == "comes\n"
    assert (repository / "own.secret").read_text() == "mine\n"
    assert not (repository / "b.md").exists()


def test_a_folder_that_becomes_a_file_is_followed(
    make_repository: Callable[..., Path], commit_files: Callable[..., str], git: Callable[..., str]
) -> None:
    repository = make_repository({"x/a": "1", "y": "1"})
    old = git(repository, "rev-parse", "HEAD")
    git(repository, "rm", "-rq", "x", "y")
    new = commit_files(repository, {"x": "file", "y/b": "file"})
    git(repository, "reset", "-q", "--hard", old)
    (worktree,) = checked_out(open_repository(repository), MAIN)
    follow(worktree, old, new)
    assert _files(repository) == {"x": b"file", "y/b": b"file"}


def test_files_touched_without_a_change_are_no_obstacle(landing: Landing) -> None:
    repository, worktree, old, new = landing
    (repository / "a.md").write_text("old\n")
    assert rehearse(worktree, old, new) is None


def test_what_a_killed_landing_leaves_is_recognised(landing: Landing, git: Callable[..., str]) -> None:
    repository, worktree, old, new = landing
    git(repository, "update-ref", MAIN, new, old)
    (repository / "untracked.md").write_text("mine\n")
    assert behind(worktree, old)
    assert not behind(worktree, new)
    follow(worktree, old, new)
    assert not behind(worktree, old)
    assert behind(worktree, new)


@pytest.mark.parametrize("staged", [False, True])
def test_an_edit_is_not_taken_for_a_killed_landing(landing: Landing, git: Callable[..., str], staged: bool) -> None:
    repository, worktree, old, new = landing
    git(repository, "update-ref", MAIN, new, old)
    (repository / "other.md").write_text("mine\n")
    if staged:
        git(repository, "add", "other.md")
        (repository / "other.md").write_text("stays\n")
    assert not behind(worktree, old)


def test_a_bare_repository_has_no_worktree(make_repository: Callable[..., Path]) -> None:
    assert checked_out(open_repository(make_repository({"a": "1"}, bare=True)), MAIN) == []


def test_a_detached_head_and_other_branches_are_left_out(
    make_repository: Callable[..., Path], git: Callable[..., str]
) -> None:
    repository = make_repository({"a": "1"})
    git(repository, "worktree", "add", "-q", "-b", "side", "../side")
    git(repository, "checkout", "-q", "--detach")
    found = open_repository(repository)
    assert checked_out(found, MAIN) == []
    assert [worktree.path.name for worktree in checked_out(found, "refs/heads/side")] == ["side"]


def test_linked_worktrees_are_found_from_anywhere_and_gone_ones_left_out(
    make_repository: Callable[..., Path], git: Callable[..., str]
) -> None:
    repository = make_repository({"a": "1"})
    for name in ("one ü", "two"):
        git(repository, "worktree", "add", "-q", "--force", f"../{name}", "main")
    shutil.rmtree(repository.parent / "two")
    for start in (repository, repository.parent / "one ü"):
        found = checked_out(open_repository(start), MAIN)
        assert [worktree.path for worktree in found] == [repository, repository.parent / "one ü"]
        assert found[1].git_dir == repository / ".git/worktrees/one-ü"


def test_a_linked_worktree_of_a_bare_repository_follows(
    make_repository: Callable[..., Path], git: Callable[..., str]
) -> None:
    repository = make_repository({"a": "1"}, bare=True)
    git(repository, "worktree", "add", "-q", "../linked", "main")
    linked = repository.parent / "linked"
    (linked / "a").write_text("2")
    git(linked, "commit", "-qam", "two")
    git(linked, "reset", "-q", "--hard", "HEAD~1")
    old, new = git(linked, "rev-parse", "HEAD", "HEAD@{1}").split()
    (worktree,) = checked_out(open_repository(repository), MAIN)
    follow(worktree, old, new)
    assert (linked / "a").read_text() == "2"


def test_a_worktree_kept_apart_from_its_git_folder_is_known(
    make_repository: Callable[..., Path], git: Callable[..., str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    repository = make_repository({"a": "1"})
    (repository / ".git").rename(tmp_path / "apart.git")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "apart.git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(repository))
    (worktree,) = checked_out(open_repository(repository), MAIN)
    assert (worktree.path, worktree.git_dir) == (repository, tmp_path / "apart.git")
    assert behind(worktree, git(repository, "rev-parse", "HEAD"))
