from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

Command = Callable[..., Any]


@pytest.fixture
def clone(wiki: Path, tmp_path: Path, git: Command, make_repository: Command) -> Path:
    """A clone of a bare server that has the wiki and no notes."""
    server = make_repository(bare=True, name="server")
    git(wiki, "push", "--quiet", os.fspath(server), "main")
    git(tmp_path, "clone", "--quiet", f"file://{server}", os.fspath(tmp_path / "clone"))
    return tmp_path / "clone"


def test_notes_go_and_json_says_what_its_schema_says(clone: Path, assay: Command, staged: Command) -> None:
    staged(clone)
    would = assay(clone, "sync", "--dry-run")
    assert would.code == 0
    assert would.out.startswith("origin: nothing was united or pushed (--dry-run)\n  refs/notes/assay/runs: 0 lines")
    done = assay(clone, "sync", "--json")
    assert (done.code, done.err) == (0, "")
    body = json.loads(done.out)
    jsonschema.validate(body, json.loads(assay(clone, "schema", "sync").out))
    assert (body["schema"], body["remote"], body["dry_run"]) == ("assay/sync/1", "origin", False)
    assert {each["ref"]: each["went"] for each in body["notes"]}["refs/notes/assay/runs"] == 2
    assert body["kept"] == {"came": [], "went": [], "differing": [], "refused": None}
    assert assay(clone, "sync", "origin").out == "in step with origin already\n"
    assert assay(clone, "-q", "sync", "--transcripts").out == ""
    assert assay(clone, "sync", "--dry-run").out.endswith("\n  in step already\n")


def test_a_person_reads_what_went(clone: Path, assay: Command, staged: Command) -> None:
    assay(clone, "run", "abandon", staged(clone))
    lines = assay(clone, "sync").out.splitlines()
    assert lines[0] == "in step with origin"
    assert lines[1] == "  refs/notes/assay/runs: 0 lines came, 3 lines went"
    assert lines[2] == "  refs/assay/kept/*: 0 commits came, 1 commit went"


def test_a_remote_that_is_not_there_and_one_that_nobody_named(
    clone: Path, assay: Command, refused: Command, git: Command
) -> None:
    refused(assay(clone, "sync", "elsewhere"), 2, "there is no remote 'elsewhere'", "there are: origin")
    git(clone, "remote", "remove", "origin")
    refused(assay(clone, "sync"), 2, "no remote", "git remote add origin URL")


def test_a_server_that_cannot_be_reached_is_3(
    clone: Path, tmp_path: Path, assay: Command, staged: Command, refused: Command
) -> None:
    staged(clone)
    (tmp_path / "server").rename(tmp_path / "gone")
    refused(assay(clone, "sync"), 3)
