"""`git assay ci verify-run`: a pushed run, judged and left alone."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gitops.ci.result import parse
from tests.cli.conftest import LINKED, PAGE

Command = Callable[..., Any]
INVENTED = PAGE.replace("declined by two fifths", "declined by one half")


@pytest.fixture(autouse=True)
def _no_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith(("GITHUB_", "CI_"))]:
        monkeypatch.delenv(name)


@pytest.fixture
def pushed(
    make_wiki: Command, commit_files: Command, git: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Path]:
    """A clone as a CI job has it after a push of `run/pushed-by-an-agent`: that branch is checked out, no notes are
    here, main is the remote's, and the event says what was pushed.
    """

    def push(files: dict[str, str], policy: str = "") -> Path:
        origin = make_wiki({"assay.toml": f'[workspace]\nname = "plant"\n{policy}'}, name="origin")
        git(origin, "switch", "--quiet", "--create", "run/pushed-by-an-agent")
        head = commit_files(origin, files, "Write")
        git(origin, "switch", "--quiet", "main")
        git(tmp_path, "clone", "--quiet", "--branch=run/pushed-by-an-agent", f"file://{origin}", "job")
        told = {"ref": "refs/heads/run/pushed-by-an-agent", "before": "0" * 40, "after": head}
        path = tmp_path / "event.json"
        path.write_text(json.dumps({**told, "repository": {"default_branch": "main"}}))
        monkeypatch.setenv("GITHUB_EVENT_PATH", str(path))
        return tmp_path / "job"

    return push


SOUND = {"wiki/solvents.md": PAGE, "wiki/index.md": LINKED}


def test_where_no_run_is_meant_somebody_has_to_name_one(wiki: Path, assay: Command, refused: Command) -> None:
    refused(assay(wiki, "ci", "verify-run"), 2, "which run is meant is not known")
    refused(assay(wiki, "ci", "verify-run", "no-such-run"), 2, "there is no branch run/no-such-run")
    refused(assay(wiki, "ci", "verify-run", "No Such Run"), 2)


def test_a_run_that_wrote_nothing_yet_is_no_answer(wiki: Path, assay: Command, refused: Command) -> None:
    run = assay(wiki, "run", "start").out.strip()
    refused(assay(wiki, "ci", "verify-run", run), 3, "changes nothing yet")


def test_a_run_that_has_ended_has_its_verdict_already(
    wiki: Path, assay: Command, staged: Command, git: Command, refused: Command
) -> None:
    run = staged(wiki, {"wiki/solvents.md": INVENTED})
    assert assay(wiki, "run", "finish", run).code == 1
    git(wiki, "branch", f"run/{run}", "main")
    refused(assay(wiki, "ci", "verify-run", run), 3, "is rejected already")


def test_a_run_with_an_invented_quotation_is_refused_and_stays_as_it_was(
    wiki: Path, assay: Command, staged: Command, state: Command
) -> None:
    run = staged(wiki, {"wiki/solvents.md": INVENTED})
    before = state(wiki)
    done = assay(wiki, "ci", "verify-run", f"run/{run}", "--json")
    told = json.loads(done.out)
    assert (done.code, told["outcome"], told["decision"]) == (1, "failed", "reject")
    assert told["reproduce"] == f"git assay ci verify-run {run}"
    assert state(wiki) == before


def test_a_pushed_branch_that_writes_a_policy_is_refused(pushed: Command, assay: Command) -> None:
    done = assay(pushed({**SOUND, "assay.toml": '[workspace]\nname = "mine"\n'}), "ci", "verify-run", "--json")
    told = json.loads(done.out)
    assert (done.code, told["decision"]) == (1, "reject")
    assert told["findings"][0]["check"] == "path_acl"


def test_a_pushed_branch_of_a_stranger_is_refused(pushed: Command, assay: Command) -> None:
    done = assay(pushed(SOUND, '[runs]\nadopt_from = ["*@trusted.example"]\n'), "ci", "verify-run", "--json")
    told = json.loads(done.out)
    assert (done.code, told["decision"]) == (1, "reject")
    assert "ada@example.org, whom [runs] adopt_from does not allow" in told["cause"]


def test_without_the_votes_that_the_policy_wants_there_is_no_verdict(pushed: Command, assay: Command) -> None:
    done = assay(pushed(SOUND, '[verify]\njudge = "claude"\n'), "ci", "verify-run", "--json")
    told = json.loads(done.out)
    assert (done.code, told["outcome"], told["decision"]) == (3, "neutral", "none")
    assert "have a vote" in done.err


def test_a_sound_run_is_told_and_does_not_land(
    wiki: Path, assay: Command, staged: Command, state: Command, tmp_path: Path
) -> None:
    run = staged(wiki)
    before = state(wiki)
    words = ("--result", str(tmp_path / "r.json"), "--summary", str(tmp_path / "s.md"))
    done = assay(wiki, "ci", "verify-run", run, *words)
    assert (done.code, done.out.splitlines()[0][:20]) == (0, "passed  plant  commi"), done.err
    assert parse((tmp_path / "r.json").read_bytes(), "r.json").decision == "commit"
    assert "plant" in (tmp_path / "s.md").read_text()
    assert state(wiki) == before


def test_a_branch_that_was_pushed_alone_is_judged_as_adopting_would_have_it(
    pushed: Command, assay: Command, state: Command
) -> None:
    job = pushed(SOUND)
    before = state(job)
    done = assay(job, "ci", "verify-run", "--json")
    told = json.loads(done.out)
    assert (done.code, told["outcome"], told["decision"]) == (0, "passed", "commit")
    assert "nothing was recorded" in " ".join(told["remarks"])
    assert state(job) == before


def test_a_policy_without_a_judge_lets_a_run_land_and_so_says_this(pushed: Command, assay: Command) -> None:
    done = assay(pushed(SOUND, '[verify]\njudge = "none"\n'), "ci", "verify-run", "--json")
    told = json.loads(done.out)
    assert (done.code, told["outcome"], told["decision"]) == (0, "passed", "commit")
