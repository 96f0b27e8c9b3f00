"""`git assay eval floor`: the whole of it offline, and what it leaves behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.cli.conftest import Done

PROJECT = Path(__file__).parents[2]
Assay = Callable[..., Done]
Git = Callable[..., str]


def test_a_preset_that_there_is_not_is_refused_before_anything_is_done(
    assay: Assay, wiki: Path, refused: Callable[..., None]
) -> None:
    refused(assay(wiki, "eval", "floor", "--preset", "gone"), 2, "there is no preset 'gone'")
    assert list((wiki / ".git/assay").glob("floor-*")) == []


def test_a_preset_without_a_key_could_ingest_nothing(assay: Assay, wiki: Path, refused: Callable[..., None]) -> None:
    refused(assay(wiki, "--quiet", "eval", "floor", "--preset", "claude"), 3, "could ingest nothing")
    assert list((wiki / ".git/assay").glob("floor-*")) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
@pytest.mark.slow
def test_killed_it_leaves_no_repository_behind(wiki: Path, tmp_path: Path, number: signal.Signals) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    command = [sys.executable, "-m", "gitops", "-C", os.fspath(wiki), "eval", "floor", "--preset", "offline"]
    env = {**os.environ, "PYTHONPATH": os.fspath(PROJECT), "TMPDIR": os.fspath(temporary)}
    # In the background signals may be ignored, and children inherit that.
    heard = partial(signal.signal, number, signal.SIG_DFL)
    quiet, said = subprocess.DEVNULL, subprocess.PIPE
    with subprocess.Popen(command, env=env, stdout=quiet, stderr=said, text=True, preexec_fn=heard) as started:
        assert started.stderr is not None
        assert "ingesting" in started.stderr.readline()
        assert list(temporary.glob("assay-floor-*")) != []
        started.send_signal(number)
        started.communicate(timeout=60)
    assert started.returncode == 128 + number
    assert list(temporary.iterdir()) == []
    assert list((wiki / ".git/assay").glob("floor-*")) == []


@pytest.mark.slow
def test_where_nobody_judges_the_wiki_cannot_be_measured(
    assay: Assay, wiki: Path, state: Callable[[Path], str]
) -> None:
    before = state(wiki)
    done = assay(wiki, "eval", "floor", "--judge", "none", "--no-keep", "--json")
    assert done.code == 3, done.err
    made = json.loads(done.out)
    assert made["details"]["verdict"] == "not_measured"
    assert made["metrics"]["M1"]["value"] is None
    assert made["metrics"]["M2"]["value"] is not None
    assert made["reason"].startswith("M1: ")
    assert state(wiki) == before
    assert list((wiki / ".git/assay").glob("floor-*")) == []


@pytest.mark.slow
def test_offline_it_says_honestly_what_is_reached(
    assay: Assay, wiki: Path, git: Git, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", os.fspath(temporary))
    environment, head = dict(os.environ), git(wiki, "rev-parse", "HEAD")
    done = assay(wiki, "eval", "floor", "--preset", "offline")
    assert done.code == 0, done.err
    kept = json.loads((wiki / ".git/assay/floor-offline.json").read_text())
    assert kept["ingests"] == {"failed": 0, "landed": 10, "refused": 0}
    assert kept["tool_call_count"] == 0
    assert f"preset offline: {kept['verdict']}" in done.out
    for metric in ("M1", "M2"):
        assert 0 < kept[metric] <= 1
        assert f" {kept[metric]:.2f} " in done.out
    assert "10 of 10 sources landed" in done.out
    assert "ingesting 01-harbour-report.md (1 of 10)" in done.err
    note = json.loads(git(wiki, "notes", "--ref=assay/evals", "show", head))
    assert (note["kind"], note["commit"], note["id"]) == ("floor", head, kept["measurement"])
    assert note["commit"] == head
    assert git(wiki, "rev-parse", "HEAD") == head
    assert git(wiki, "status", "--porcelain") == ""
    assert git(wiki, "for-each-ref", "--format=%(refname)").split() == ["refs/heads/main", "refs/notes/assay/evals"]
    assert list(temporary.iterdir()) == []
    assert dict(os.environ) == environment
