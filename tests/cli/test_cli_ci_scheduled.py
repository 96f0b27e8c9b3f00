"""`git assay ci scheduled`: what is due, one command after the other, and one exit code for all of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gitops.runs import names
from tests.cli.conftest import LINKED, PAGE

Command = Callable[..., Any]


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
    seed = make_wiki({"wiki/solvents.md": PAGE, "wiki/index.md": LINKED})
    git(tmp_path, "clone", "--quiet", "--bare", f"file://{seed}", "origin.git")
    git(tmp_path, "clone", "--quiet", f"file://{tmp_path}/origin.git", "first")
    first = assay(tmp_path / "first", "ci", "scheduled", "--push")
    assert "$ git assay --workspace plant eval run --due --push" in first.out
    assert "M1  citation fidelity" in first.out
    assert (first.code, "could not run" in first.out, "held up by a metric" in first.out) == (3, True, True), first.err
    assert names.EVALS in git(tmp_path / "origin.git", "for-each-ref")
    assert "Land eval" in git(tmp_path / "origin.git", "log", "--format=%s", "main")
    git(tmp_path, "clone", "--quiet", f"file://{tmp_path}/origin.git", "second")
    second = assay(tmp_path / "second", "ci", "scheduled", "--push")
    assert "nothing is due" in second.out
    assert (second.code, "M1  citation fidelity" in second.out) == (4, False)
