"""`verify --staged` as the pre-commit framework runs it: at the top, whatever workspaces there are."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import INDEX, LINKED, PAGE, SOURCE

Command = Callable[..., Any]
ALTERED = PAGE.replace("two fifths", "three fifths")


@pytest.fixture
def two(make_repository: Command) -> Path:
    """A repository with two workspaces."""
    files: dict[str, str] = {}
    for name in ("one", "two"):
        files |= {
            f"{name}/assay.toml": "",
            f"{name}/raw/report.md": SOURCE,
            f"{name}/wiki/index.md": INDEX,
            f"{name}/wiki/log.md": "# Log\n",
        }
    folder: Path = make_repository(files)
    return folder


def stage(git: Command, top: Path, name: str, page: str) -> None:
    (top / name / "wiki/solvents.md").write_text(page)
    (top / name / "wiki/index.md").write_text(LINKED)
    git(top, "add", ".")


def test_of_several_workspaces_the_worst_decides(two: Path, assay: Command, git: Command) -> None:
    stage(git, two, "one", PAGE)
    stage(git, two, "two", ALTERED)
    done = assay(two, "verify", "--staged", "--json")
    body = json.loads(done.out)
    assert (done.code, body["schema"]) == (1, "assay/verdicts/1")
    assert [(v["workspace"], v["verdict"]) for v in body["verdicts"]] == [("one", "commit"), ("two", "reject")]
    assert assay(two, "verify", "--staged", "--sarif").code == 1
    text = assay(two, "verify", "--staged").out
    assert "one: " in text
    assert "two: " in text


def test_only_workspaces_with_something_staged_are_judged(two: Path, assay: Command, git: Command) -> None:
    stage(git, two, "two", ALTERED)
    assert [v["workspace"] for v in json.loads(assay(two, "verify", "--staged", "--json").out)["verdicts"]] == ["two"]
    only = assay(two, "--workspace", "one", "verify", "--staged", "--json")
    assert (only.code, json.loads(only.out)["reasoning"]) == (0, "nothing is staged in workspace one")


def test_nothing_staged_is_a_verdict_that_says_so(two: Path, assay: Command, git: Command) -> None:
    (two / "elsewhere.txt").write_text("of no workspace\n")
    git(two, "add", ".")
    done = assay(two, "verify", "--staged")
    assert done.code == 0
    assert "nothing is staged in workspace one" in done.out
    assert "nothing is staged in workspace two" in done.out


def test_one_workspace_has_one_verdict(wiki: Path, assay: Command) -> None:
    body = json.loads(assay(wiki, "verify", "--staged", "--json").out)
    assert (body["schema"], body["reasoning"]) == ("assay/verdict/1", "nothing is staged in workspace plant")


@pytest.mark.parametrize("files", [{}, {"readme.txt": "no policy\n"}], ids=["unborn", "without-policy"])
def test_where_no_policy_is_yet_nothing_is_blocked(
    make_repository: Command, assay: Command, git: Command, files: dict[str, str]
) -> None:
    folder = make_repository(files)
    (folder / "assay.toml").write_text("")
    git(folder, "add", ".")
    done = assay(folder, "verify", "--staged")
    assert (done.code, done.out) == (0, "there is no policy to judge by yet: no assay.toml is committed\n")
    empty = assay(folder, "verify", "--staged", "--json")
    assert (empty.code, json.loads(empty.out)) == (0, {"schema": "assay/verdicts/1", "verdicts": []})
