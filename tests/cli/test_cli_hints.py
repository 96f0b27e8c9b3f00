"""What a command says where something is amiss: the way out that it names is one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import LINKED, PAGE, WIKI

Command = Callable[..., Any]


def test_a_base_without_policy_is_told_as_such(
    make_repository: Command, assay: Command, refused: Command, git: Command
) -> None:
    folder = make_repository({"readme.txt": "old\n"})
    assert assay(folder, "init").code == 0
    refused(assay(folder, "verify"), 2, "the base", "has no assay.toml", "--base REV names another")
    assert assay(folder, "verify", "--base", "HEAD").code == 0


def test_the_edge_of_a_shallow_clone_is_no_first_commit(
    wiki: Path, tmp_path: Path, assay: Command, refused: Command, commit_files: Command, git: Command
) -> None:
    refused(assay(wiki, "verify"), 2, "is the first commit")
    commit_files(wiki, {"notes.txt": "more\n"})
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{wiki}", "cut")
    refused(assay(tmp_path / "cut", "verify"), 3, "is where this clone was cut off", "git fetch --unshallow")


def test_a_branch_that_cannot_be_adopted_names_a_way_that_is_one(
    make_wiki: Command, assay: Command, refused: Command, git: Command, commit_files: Command
) -> None:
    wiki = make_wiki({"assay.toml": '[runs]\nadopt_from = ["ada@example.org"]\n'})
    git(wiki, "switch", "--quiet", "--create", "run/by-hand")
    commit_files(wiki, {"wiki/solvents.md": PAGE, "wiki/index.md": LINKED})
    refused(assay(wiki, "run", "finish", "by-hand"), 2, "is a run and no target", "git config assay.target BRANCH")
    git(wiki, "config", "assay.target", "main")
    assert assay(wiki, "run", "finish", "by-hand").code == 0


def test_a_landing_without_its_record_says_where_the_records_are(
    wiki: Path, tmp_path: Path, assay: Command, staged: Command, git: Command
) -> None:
    run = staged(wiki)
    assert assay(wiki, "run", "finish", run).code == 0
    git(tmp_path, "clone", "--quiet", str(wiki), "clone")
    clone = tmp_path / "clone"
    done = assay(clone, "verify", "main", "--base", "main~1")
    assert f"(run {run})" in done.err
    assert "git fetch REMOTE 'refs/notes/assay/*:refs/notes/assay/*'" in done.err
    git(clone, "fetch", "--quiet", "origin", "refs/notes/assay/*:refs/notes/assay/*")
    after = assay(clone, "verify", "main", "--base", "main~1")
    assert (after.code, after.err) == (0, "")


@pytest.mark.parametrize("path", ["z.md", "raw/report.md", "wiki/log.md"])
def test_a_write_that_will_be_refused_is_told_and_staged(wiki: Path, assay: Command, path: str) -> None:
    run = assay(wiki, "run", "start").out.strip()
    done = assay(wiki, "run", "write", run, path, stdin=b"# Z\n")
    assert done.code == 0
    assert f"note: {path} is not for runs to write" in done.err
    finished = json.loads(assay(wiki, "run", "finish", run, "--json").out)
    assert finished["result"] == "rejected"
    assert {each["check"] for each in finished["findings"] if each["path"] == path} & {"path_acl", "raw_sealed"}


@pytest.mark.slow
def test_judged_n_of_m_is_said_in_words(wiki: Path, assay: Command, staged: Command) -> None:
    run = staged(wiki)
    for words in (("verify", f"run/{run}"), ("run", "finish", run)):
        assert "judged 1 of 1 claims" in assay(wiki, *words).out


@pytest.mark.parametrize("committed", [True, False], ids=["committed", "on-disk"])
def test_init_begins_where_the_policy_says(
    make_repository: Command, assay: Command, git: Command, committed: bool
) -> None:
    policy = '[workspace]\nwiki = "docs"\nindex = "home.md"\nlog = "changes.md"\n'
    folder = make_repository({"readme.txt": "old\n", **({"assay.toml": policy} if committed else {})})
    (folder / "assay.toml").write_text(policy)
    assert assay(folder, "init").code == 0
    expected = {"assay.toml", "docs/home.md", "docs/changes.md", "readme.txt"}
    assert set(git(folder, "ls-files").splitlines()) == expected
    assert git(folder, "status", "--porcelain") == ""


@pytest.mark.parametrize("by_git", [True, False], ids=["git-rm", "rm"])
def test_a_deleted_source_is_removed_by_sync(wiki: Path, assay: Command, git: Command, by_git: bool) -> None:
    if by_git:
        git(wiki, "rm", "--quiet", "raw/report.md")
    else:
        (wiki / "raw/report.md").unlink()
    done = assay(wiki, "raw", "sync", "raw/report.md", "--json")
    body = json.loads(done.out)
    assert (done.code, body["removed"]) == (0, ["raw/report.md"])
    assert "pages that still cite it" in done.err
    assert git(wiki, "log", "-1", "--format=%s") == "Remove source raw/report.md"
    assert git(wiki, "ls-files", "raw") == "raw/other.md"
    assert git(wiki, "status", "--porcelain") == ""


def test_what_another_branch_lacks_is_not_deleted(
    wiki: Path, assay: Command, git: Command, refused: Command, state: Command
) -> None:
    git(wiki, "switch", "--quiet", "--orphan", "empty")
    before = state(wiki)
    refused(assay(wiki, "raw", "sync", "raw/report.md", "--target", "main"), 2, "No such file")
    assert state(wiki) == before


def test_what_a_sparse_checkout_leaves_out_is_not_deleted(
    wiki: Path, assay: Command, git: Command, refused: Command
) -> None:
    git(wiki, "sparse-checkout", "set", "wiki")
    assert not (wiki / "raw/report.md").exists()
    refused(assay(wiki, "raw", "sync", "raw/report.md"), 2, "No such file")
    assert WIKI["raw/report.md"].strip() == git(wiki, "show", "main:raw/report.md")


def test_a_source_that_never_was_cannot_be_removed(wiki: Path, assay: Command, refused: Command) -> None:
    refused(assay(wiki, "raw", "sync", "raw/nowhere.md"), 2, "No such file")
    refused(assay(wiki, "raw", "add", "raw/nowhere.md"), 2, "No such file")


def test_without_git_the_version_that_is_needed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from gitops import hooks
    from gitops.errors import CannotRun

    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CannotRun) as caught:
        hooks.locate(tmp_path)
    assert caught.value.hint == "install git 2.38 or later"
