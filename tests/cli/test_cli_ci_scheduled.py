"""`git assay ci scheduled`: what is due, one command after the other, and one exit code for all of it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gitops.runs import names
from tests.cli.conftest import LINKED, PAGE

Command = Callable[..., Any]
QUOTED = PAGE.replace("Solvent use fell by two fifths.", "Solvent consumption declined by two fifths in 2019.")
"""A page whose claim the offline judge can vote on: it is its source's own sentence."""


@pytest.fixture(autouse=True)
def _no_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith(("GITHUB_", "CI_"))]:
        monkeypatch.delenv(name)


def test_without_a_workspace_nothing_is_ever_due(make_repository: Command, assay: Command, refused: Command) -> None:
    refused(assay(make_repository({"README.md": "A repository.\n"}), "ci", "scheduled"), 2, "there is no workspace")


def test_pushing_without_a_remote_is_told_and_the_rest_is_done(wiki: Path, assay: Command, git: Command) -> None:
    done = assay(wiki, "ci", "scheduled", "--push")
    assert done.code == 2
    assert "there is no remote" in done.err
    assert names.EVALS in git(wiki, "for-each-ref")


@pytest.mark.slow
def test_what_is_due_is_measured_once_and_goes_to_the_remote(
    make_wiki: Command, git: Command, assay: Command, tmp_path: Path
) -> None:
    seed = make_wiki({"wiki/solvents.md": QUOTED, "wiki/index.md": LINKED})
    git(tmp_path, "clone", "--quiet", "--bare", f"file://{seed}", "origin.git")
    git(tmp_path, "clone", "--quiet", f"file://{tmp_path}/origin.git", "first")
    first = assay(tmp_path / "first", "ci", "scheduled", "--push")
    assert "$ git assay --workspace plant eval run --due --push" in first.out
    assert "M1  citation fidelity" in first.out
    assert "there are no gold queries" in first.out
    assert (first.code, "could not run" in first.out, "held up by a metric" in first.out) == (0, False, True), first.err
    assert names.EVALS in git(tmp_path / "origin.git", "for-each-ref")
    assert "Land eval" in git(tmp_path / "origin.git", "log", "--format=%s", "main")
    git(tmp_path, "clone", "--quiet", f"file://{tmp_path}/origin.git", "second")
    second = assay(tmp_path / "second", "ci", "scheduled", "--push")
    assert "nothing is due" in second.out
    assert (second.code, "M1  citation fidelity" in second.out) == (0, False)


@pytest.mark.slow
def test_gold_that_cannot_be_asked_is_a_failure_and_the_summary_says_what_waits(
    make_wiki: Command, git: Command, assay: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy = '[workspace]\nname = "plant"\n\n[llm]\nwriter = "claude"\n'
    wiki = make_wiki({"wiki/solvents.md": QUOTED, "wiki/index.md": LINKED, "assay.toml": policy})
    asked = ("--query", "How far did solvent use fall?", "--topics", "solvents", "--citations", "")
    added = assay(wiki, "eval", "gold", "add", *asked)
    assert added.code == 0, added.err
    git(wiki, "add", "--all")
    git(wiki, "commit", "--quiet", "--message", "Ask")
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", os.fspath(tmp_path / "summary.md"))
    done = assay(wiki, "ci", "scheduled")
    assert done.code == 3, done.err
    told = (tmp_path / "summary.md").read_text()
    assert "| `--workspace plant eval run --due` | 3 | could not run |" in told
    assert "| 4 | held up by a metric | scheduled synthesis stays off until" in told


def test_claims_on_which_nobody_votes_are_a_failure_since_they_should_have_been_measured(
    make_wiki: Command, assay: Command
) -> None:
    done = assay(make_wiki({"wiki/solvents.md": PAGE, "wiki/index.md": LINKED}), "ci", "scheduled")
    assert done.code == 3
    assert "1 of 1 claims have no vote that may decide" in done.out


@pytest.mark.slow
def test_the_line_that_a_merge_button_left_out_waits_while_it_must_and_is_pushed(
    make_wiki: Command, git: Command, assay: Command, tmp_path: Path
) -> None:
    seed = make_wiki()
    git(tmp_path, "clone", "--quiet", "--bare", f"file://{seed}", "origin.git")
    git(tmp_path, "clone", "--quiet", f"file://{tmp_path}/origin.git", "one")
    run = assay(tmp_path / "one", "run", "start", "--type", "cascade").out.strip()
    for path, content in {"wiki/solvents.md": QUOTED, "wiki/index.md": LINKED}.items():
        assert assay(tmp_path / "one", "run", "write", run, path, stdin=content.encode()).code == 0
    hook = tmp_path / "origin.git/hooks/update"
    hook.write_text('#!/bin/sh\n[ "$1" != refs/heads/main ]\n')
    hook.chmod(0o755)
    assert assay(tmp_path / "one", "run", "finish", run, "--push").code == 3
    git(tmp_path / "one", "merge", "--quiet", "--no-ff", "-m", "Merge pull request #1", f"run/{run}")
    hook.rename(tmp_path / "protected")
    git(tmp_path / "one", "push", "--quiet", "origin", "main")
    (tmp_path / "protected").rename(hook)
    done = assay(tmp_path / "one", "ci", "scheduled", "--push")
    assert re.search(r"^log sync --push +3 +waits +origin refused the push", done.out, re.MULTILINE)
    assert (done.code, run in git(tmp_path / "origin.git", "show", "main:wiki/log.md")) == (0, False), done.err
    hook.unlink()
    done = assay(tmp_path / "one", "ci", "scheduled", "--push")
    assert "$ git assay log sync --push" in done.out
    assert (done.code, run in git(tmp_path / "origin.git", "show", "main:wiki/log.md")) == (0, True), done.err
