"""What commands say in repositories that are not as they should be; and that they leave them as they were."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

Command = Callable[..., Any]


@pytest.mark.parametrize(
    "words",
    [
        ("init",),
        ("status",),
        ("doctor",),
        ("log",),
        ("verify",),
        ("run", "list"),
        ("run", "finish", "abc"),
        ("hooks", "status"),
    ],
    ids=" ".join,
)
def test_outside_every_repository(tmp_path: Path, assay: Command, refused: Command, words: tuple[str, ...]) -> None:
    refused(assay(tmp_path, *words), 3, f"{tmp_path}: not inside a git repository", "git init")


def test_a_folder_that_is_not_there(tmp_path: Path, assay: Command, refused: Command) -> None:
    refused(assay(tmp_path / "nowhere", "status"), 2, "nowhere", "-C")


@pytest.mark.parametrize(
    "words", [("run", "start"), ("verify", "--base", "HEAD"), ("raw", "add", "x.md")], ids=" ".join
)
def test_a_repository_without_a_policy(
    make_repository: Command, assay: Command, refused: Command, state: Command, words: tuple[str, ...]
) -> None:
    repository = make_repository({"readme.md": "Hello.\n"})
    (repository / "x.md").write_text("A source.\n")
    before = state(repository)
    refused(assay(repository, *words), 2, "there is no assay.toml", "git assay init")
    assert state(repository) == before


def test_a_policy_that_is_not_committed(
    make_repository: Command, assay: Command, refused: Command, state: Command
) -> None:
    repository = make_repository({"readme.md": "Hello.\n"})
    (repository / "assay.toml").write_text("")
    before = state(repository)
    refused(assay(repository, "run", "start"), 2, "assay.toml is not committed", "git add assay.toml")
    assert state(repository) == before


def test_doctor_names_a_missing_policy(make_repository: Command, assay: Command) -> None:
    done = assay(make_repository({"readme.md": "Hello.\n"}), "doctor")
    assert done.code == 1
    assert "no assay.toml" in done.out
    assert "git assay init" in done.out


def test_an_unborn_branch(make_repository: Command, assay: Command, refused: Command, state: Command) -> None:
    repository = make_repository()
    before = state(repository)
    refused(assay(repository, "run", "start"), 3, "main has no commit yet")
    refused(assay(repository, "raw", "add", "x.md"), 3, "main has no commit yet", "git assay init")
    refused(assay(repository, "verify"), 2)
    for words in (("status",), ("log",), ("run", "list")):
        assert assay(repository, *words).code == 0
    assert state(repository) == before


def test_a_configured_target_that_is_not_there(wiki: Path, assay: Command, refused: Command, git: Command) -> None:
    git(wiki, "config", "assay.target", "trunk")
    refused(assay(wiki, "run", "start"), 2, "there is no branch 'trunk'", "branches: main")


def test_init_says_that_notes_are_fetched_only_where_there_is_a_remote(
    make_repository: Command, assay: Command, git: Command
) -> None:
    repository = make_repository({"readme.md": "Hello.\n"})
    first = assay(repository, "init").out
    assert "notes merge without loss" in first
    assert "fetched" not in first
    git(repository, "remote", "add", "origin", "elsewhere.git")
    assert "are fetched" in assay(repository, "init").out


def test_a_list_of_no_runs_of_a_status_does_not_say_that_there_are_none(
    wiki: Path, assay: Command, staged: Command
) -> None:
    assert "no runs yet" in assay(wiki, "run", "list", "--status", "rejected").out
    staged(wiki)
    assert assay(wiki, "run", "list", "--status", "rejected").out == "no run is rejected\n"


def test_init_begins_an_unborn_branch(make_repository: Command, assay: Command, git: Command) -> None:
    repository = make_repository()
    assert assay(repository, "init").code == 0
    assert git(repository, "ls-tree", "-r", "--name-only", "main").split() == [
        "assay.toml",
        "wiki/index.md",
        "wiki/log.md",
    ]
    assert git(repository, "status", "--porcelain") == ""
    again = assay(repository, "init")
    assert again.code == 0
    assert "there" in again.out
    assert git(repository, "rev-list", "--count", "main") == "1"


def test_a_bare_repository_stages_verifies_and_lands(
    make_wiki: Command, assay: Command, staged: Command, git: Command
) -> None:
    bare = make_wiki(bare=True)
    run = staged(bare)
    assert assay(bare, "verify", f"run/{run}").code == 0
    assert assay(bare, "run", "finish", run).code == 0
    assert "Solvents" in git(bare, "show", "main:wiki/solvents.md")
    for words in (("status",), ("log",), ("run", "show", run), ("run", "diff", run), ("doctor",)):
        assert assay(bare, *words).code == 0


@pytest.mark.parametrize("words", [("init",), ("hooks", "install"), ("verify", "--staged")], ids=" ".join)
def test_what_a_bare_repository_cannot_do(
    make_wiki: Command, assay: Command, refused: Command, state: Command, words: tuple[str, ...]
) -> None:
    bare = make_wiki(bare=True)
    before = state(bare)
    refused(assay(bare, *words), 3)
    assert state(bare) == before


def test_a_detached_head(wiki: Path, assay: Command, refused: Command, state: Command, git: Command) -> None:
    git(wiki, "switch", "--quiet", "--detach")
    before = state(wiki)
    refused(assay(wiki, "run", "start"), 2, "HEAD is detached", "--target")
    refused(assay(wiki, "init"), 2, "HEAD is detached")
    assert state(wiki) == before
    started = assay(wiki, "run", "start", "--target", "main")
    assert started.code == 0


def test_a_detached_head_does_not_hinder_a_run_that_knows_its_target(
    wiki: Path, assay: Command, staged: Command, git: Command
) -> None:
    run = staged(wiki)
    git(wiki, "switch", "--quiet", "--detach")
    at = git(wiki, "rev-parse", "HEAD")
    assert assay(wiki, "run", "finish", run).code == 0
    assert git(wiki, "rev-parse", "HEAD") == at
    assert git(wiki, "status", "--porcelain") == ""
    assert git(wiki, "rev-parse", "main") != at


def test_a_target_that_is_not_there(wiki: Path, assay: Command, refused: Command) -> None:
    refused(assay(wiki, "run", "start", "--target", "mian"), 2, "there is no branch 'mian'", "main")


def test_a_head_on_a_run(wiki: Path, assay: Command, staged: Command, refused: Command, git: Command) -> None:
    run = staged(wiki)
    git(wiki, "switch", "--quiet", f"run/{run}")
    refused(assay(wiki, "run", "start"), 2, f"run/{run}", "--target")


def test_an_edit_in_the_way_is_left_alone_and_lands_once_it_is_gone(
    wiki: Path, assay: Command, staged: Command, refused: Command, git: Command
) -> None:
    run = staged(wiki)
    at = git(wiki, "rev-parse", "main")
    (wiki / "wiki/index.md").write_text("# Mine, not committed\n")
    refused(assay(wiki, "run", "finish", run), 3, "verified, not landed", "wiki/index.md", str(wiki))
    assert (wiki / "wiki/index.md").read_text() == "# Mine, not committed\n"
    assert git(wiki, "rev-parse", "main") == at
    git(wiki, "checkout", "--quiet", "wiki/index.md")
    assert assay(wiki, "run", "finish", run).code == 0
    assert git(wiki, "status", "--porcelain") == ""
    assert "solvents.md" in (wiki / "wiki/index.md").read_text()


def test_not_landed_is_told_in_json_too(wiki: Path, assay: Command, staged: Command, refused: Command) -> None:
    import json

    run = staged(wiki)
    (wiki / "wiki/solvents.md").write_text("untracked, and in the way\n")
    done = assay(wiki, "run", "finish", run, "--json")
    refused(done, 3, "verified, not landed")
    body = json.loads(done.out)
    assert (body["result"], body["status"], body["commit"]) == ("not_landed", "pending", None)
    assert body["verdict"]["verdict"] == "commit"
    assert (wiki / "wiki/solvents.md").read_text() == "untracked, and in the way\n"


def test_an_edit_elsewhere_stays_and_does_not_hinder(wiki: Path, assay: Command, staged: Command, git: Command) -> None:
    run = staged(wiki)
    (wiki / "raw/other.md").write_text("An edit of mine.\n")
    (wiki / "notes.txt").write_text("Untracked.\n")
    assert assay(wiki, "run", "finish", run).code == 0
    assert (wiki / "raw/other.md").read_text() == "An edit of mine.\n"
    assert git(wiki, "status", "--porcelain") == " M raw/other.md\n?? notes.txt"


def test_a_linked_worktree_on_the_target_follows(
    wiki: Path, tmp_path: Path, assay: Command, staged: Command, git: Command
) -> None:
    git(wiki, "switch", "--quiet", "--create", "work")
    linked = tmp_path / "linked tree"
    git(wiki, "worktree", "add", "--quiet", os.fspath(linked), "main")
    run = staged(linked)
    assert assay(wiki, "run", "finish", run).code == 0
    assert (linked / "wiki/solvents.md").exists()
    assert git(linked, "status", "--porcelain") == ""
    assert not (wiki / "wiki/solvents.md").exists()


def test_a_dirty_linked_worktree_on_the_target_refuses(
    wiki: Path, tmp_path: Path, assay: Command, staged: Command, refused: Command, state: Command, git: Command
) -> None:
    git(wiki, "switch", "--quiet", "--create", "work")
    linked = tmp_path / "linked"
    git(wiki, "worktree", "add", "--quiet", os.fspath(linked), "main")
    run = staged(linked)
    (linked / "wiki/index.md").write_text("mine\n")
    at = git(wiki, "rev-parse", "main")
    refused(assay(wiki, "run", "finish", run), 3, "verified, not landed", os.fspath(linked))
    assert git(wiki, "rev-parse", "main") == at
    assert (linked / "wiki/index.md").read_text() == "mine\n"


def test_a_target_that_moved_is_merged_again(
    wiki: Path, assay: Command, staged: Command, git: Command, commit_files: Command
) -> None:
    run = staged(wiki)
    moved = commit_files(wiki, {"wiki/notes.md": "# Notes\n"})
    assert assay(wiki, "run", "finish", run).code == 0
    assert git(wiki, "rev-parse", "main^1") == moved
    assert (wiki / "wiki/notes.md").exists()


def test_a_target_that_moved_into_the_same_lines_is_a_conflict_that_rebase_solves(
    wiki: Path, assay: Command, staged: Command, refused: Command, state: Command, commit_files: Command
) -> None:
    run = staged(wiki)
    commit_files(wiki, {"wiki/index.md": "# Index\n\nSomebody else wrote here.\n"})
    before = state(wiki)
    refused(assay(wiki, "run", "finish", run), 3, "conflicts with main in wiki/index.md", f"git assay run rebase {run}")
    assert state(wiki) == before
    refused(assay(wiki, "run", "rebase", run), 3, "wiki/index.md", "--take")
    assert assay(wiki, "run", "rebase", run, "--take", "run").code == 0
    assert assay(wiki, "run", "finish", run).code == 0


def test_a_run_that_cannot_be_taken_up_is_told_with_the_id_of_the_one_begun(
    wiki: Path, assay: Command, staged: Command, refused: Command, commit_files: Command
) -> None:
    old = staged(wiki)
    assert assay(wiki, "run", "abandon", old).code == 0
    commit_files(wiki, {"wiki/index.md": "# Index\n\nSomebody else wrote here.\n"})
    done = assay(wiki, "run", "start", "--from", old, "--id", "anew")
    refused(done, 3, "conflicts with its target in wiki/index.md; run anew is begun", "git assay run write anew PATH")
    assert done.out == ""
    assert assay(wiki, "run", "write", "anew", "wiki/solvents.md", stdin=b"# Solvents\n").code == 0


def test_a_branch_called_run(wiki: Path, assay: Command, refused: Command, state: Command, git: Command) -> None:
    git(wiki, "branch", "run")
    before = state(wiki)
    refused(assay(wiki, "run", "start"), 3, "branch 'run'", "git branch -m run")
    assert state(wiki) == before


def test_a_run_whose_branch_is_gone(
    wiki: Path, assay: Command, staged: Command, refused: Command, git: Command
) -> None:
    run = staged(wiki)
    git(wiki, "branch", "--quiet", "-D", f"run/{run}")
    refused(assay(wiki, "run", "finish", run), 3, f"run/{run} is gone")
    refused(assay(wiki, "run", "write", run, "wiki/a.md", stdin=b"# A\n"), 3, f"run/{run} is gone")
    assert assay(wiki, "run", "show", run).code == 0


def test_a_stray_branch_is_told_and_not_adopted(wiki: Path, assay: Command, refused: Command, git: Command) -> None:
    git(wiki, "branch", "run/Not.An.Id")
    assert "run/Not.An.Id" in assay(wiki, "status").out
    refused(assay(wiki, "run", "finish", "Not.An.Id"), 2, "is no run id")


def test_a_shallow_clone_that_lacks_nothing_needed_works_and_doctor_says_shallow(
    wiki: Path, tmp_path: Path, assay: Command, staged: Command, git: Command, commit_files: Command
) -> None:
    commit_files(wiki, {"wiki/notes.md": "# Notes\n"})
    clone = tmp_path / "shallow"
    git(tmp_path, "clone", "--quiet", "--depth", "1", f"file://{wiki}", os.fspath(clone))
    run = staged(clone)
    assert assay(clone, "run", "finish", run).code == 0
    doctor = assay(clone, "doctor")
    assert doctor.code == 1
    assert "shallow" in doctor.out


def test_a_partial_clone_that_lacks_what_must_be_read_says_so(
    wiki: Path, tmp_path: Path, assay: Command, refused: Command, state: Command, git: Command
) -> None:
    git(wiki, "config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "partial"
    git(tmp_path, "clone", "--quiet", "--no-checkout", "--filter=blob:none", f"file://{wiki}", os.fspath(clone))
    before = git(clone, "for-each-ref")
    refused(assay(clone, "run", "start"), 3, "this clone lacks an object", "git fetch --refetch")
    assert git(clone, "for-each-ref") == before


def forged(repository: Path, extension: str, git: Command) -> None:
    git(repository, "config", "core.repositoryformatversion", "1")
    git(repository, "config", f"extensions.{extension.split()[0]}", extension.split()[1])


@pytest.mark.parametrize(
    ("extension", "said"), [("objectformat sha256", "sha256"), ("refstorage reftable", "reftable")]
)
def test_formats_that_libgit2_does_not_open(
    wiki: Path, assay: Command, refused: Command, git: Command, extension: str, said: str
) -> None:
    forged(wiki, extension, git)
    config = (wiki / ".git/config").read_bytes()
    refused(assay(wiki, "status"), 3, said, "convert it")
    assert (wiki / ".git/config").read_bytes() == config


def test_a_repository_that_is_damaged(wiki: Path, assay: Command, refused: Command) -> None:
    (wiki / ".git/HEAD").write_text("nonsense\n")
    refused(assay(wiki, "status"), 3, "damaged", "git fsck")


def test_a_lock_that_a_killed_git_left_is_named(
    wiki: Path, assay: Command, staged: Command, refused: Command, state: Command
) -> None:
    run = staged(wiki)
    (wiki / ".git/refs/heads/main.lock").write_text("")
    at = (wiki / ".git/refs/heads/main").read_text()
    refused(assay(wiki, "run", "finish", run), 3, "main.lock", "rm ")
    assert (wiki / ".git/refs/heads/main").read_text() == at
    doctor = assay(wiki, "doctor")
    assert doctor.code == 1
    assert "main.lock" in doctor.out
    (wiki / ".git/refs/heads/main.lock").unlink()
    assert assay(wiki, "run", "finish", run).code == 0


def test_commands_work_from_below_and_by_git_dir(
    wiki: Path, tmp_path: Path, assay: Command, staged: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = staged(wiki / "wiki")
    monkeypatch.setenv("GIT_DIR", os.fspath(wiki / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", os.fspath(wiki))
    assert run in assay(tmp_path, "run", "list").out
    assert assay(tmp_path, "run", "finish", run).code == 0
    assert (wiki / "wiki/solvents.md").exists()


def test_several_workspaces_in_one_repository(
    make_repository: Command, assay: Command, staged: Command, refused: Command, git: Command
) -> None:
    files: dict[str, str] = {}
    for name in ("plant one", "größe"):
        files |= {
            f"{name}/assay.toml": f'[workspace]\nname = "{"one" if name == "plant one" else "two"}"\n',
            f"{name}/raw/report.md": "Consumption declined by two fifths.\n",
            f"{name}/wiki/index.md": "# Index\n",
            f"{name}/wiki/log.md": "# Log\n",
        }
    repository = make_repository(files)
    refused(assay(repository, "run", "start"), 2, "which workspace? There are one, two", "git assay --workspace one …")
    refused(assay(repository, "--workspace", "tow", "run", "start"), 2, "'tow'", "did you mean 'two'?")
    by_folder, by_name = staged(repository / "größe"), staged(repository, None, "--workspace", "one")
    for run in (by_folder, by_name):
        done = assay(repository, "run", "finish", run)
        assert done.code == 0, done
    landed = git(repository, "-c", "core.quotePath=no", "ls-files", "*solvents.md").splitlines()
    assert landed == ["größe/wiki/solvents.md", "plant one/wiki/solvents.md"]
    stale = staged(repository / "größe")
    assert assay(repository, "run", "abandon", stale).code == 0
    again = assay(repository / "plant one", "run", "start", "--from", stale).out.strip()
    assert f'"run_id":"{again}"' in assay(repository, "--workspace", "two", "run", "list", "--json").out
    for words in (("status",), ("log",), ("run", "list")):
        refused(assay(repository, "--workspace", "tow", *words), 2, "'tow'", "did you mean 'two'?")
    assert by_folder not in assay(repository, "--workspace", "one", "run", "list").out
    assert by_name in assay(repository, "--workspace", "one", "run", "list").out
