"""What a label accepted, recorded once its pull request is merged."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from gitops.ci import github, labelled
from gitops.ci.events import ACCEPT_LABEL
from gitops.cli import main
from gitops.runs import feedback
from gitops.runs.feedback import AcceptedRegression
from tests.ci.github_server import GitHubServer, Pull
from tests.runs.driving import Wiki, first_files
from tests.runs.signed import POLICY, make_key, signer


@dataclass
class Merging:
    """A repository at its host, and a clone of whoever lands and measures."""

    hub: GitHubServer
    clone: Wiki

    def merged(self, label: str = ACCEPT_LABEL, how: str = "merge") -> tuple[Pull, str]:
        """A pull request that somebody labelled, and that was merged; the commit that it became, fetched."""
        self.clone.git("switch", "--quiet", "--create", f"topic-{len(self.hub.pulls)}", "main")
        (self.clone.folder / "notes.txt").write_text(f"change {len(self.hub.pulls)}\n")
        self.clone.git("commit", "--quiet", "--all", "--message", "Change")
        branch = self.clone.git("branch", "--show-current")
        self.clone.git("push", "--quiet", "origin", branch)
        pull = self.hub.pull(self.clone.git("rev-parse", "HEAD"), head_ref=branch)
        if label:
            self.hub.label(pull, label, "grace")
        made = self.hub.merge(pull, how)
        self.clone.git("switch", "--quiet", "main")
        self.clone.git("pull", "--quiet", "--ff-only")
        return pull, made

    def record(self, permission: str = "pull_requests") -> list[AcceptedRegression]:
        token = self.hub.token("github-actions[bot]", is_installation=True, **{permission: "write"})
        asked = github.from_environment(self.hub.environment(token))
        tip = self.clone.git("rev-parse", "main")
        return labelled.record(self.clone.context(), asked, "main", tip, [self.clone.workspace(tip)])


@pytest.fixture(autouse=True)
def _no_job(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in [each for each in os.environ if each.startswith("GITHUB_")]:
        monkeypatch.delenv(variable)


@pytest.fixture
def merging(make_merging: Callable[..., Merging]) -> Merging:
    return make_merging()


@pytest.fixture
def make_merging(make_repository: Callable[..., Path], tmp_path: Path) -> Iterator[Callable[..., Merging]]:
    hubs: list[GitHubServer] = []

    def make(policy: str = "", **files: str) -> Merging:
        bare = make_repository({**first_files(policy), **files}, bare=True, name="host")
        hubs.append(GitHubServer(git=bare))
        hubs[-1].__enter__()
        Wiki(bare).git("clone", "--quiet", str(bare), str(tmp_path / "clone"))
        return Merging(hubs[-1], Wiki(tmp_path / "clone"))

    yield make
    for each in hubs:
        each.__exit__(None, None, None)


@pytest.mark.parametrize("how", ["merge", "squash"])
def test_what_was_merged_with_the_label_is_recorded_on_what_it_became(merging: Merging, how: str) -> None:
    pull, commit = merging.merged(how=how)
    [made] = merging.record()
    assert (made.commit, made.base, made.workspace) == (commit, merging.clone.git("rev-parse", "main^"), "tides")
    assert made.reason == f"the label {ACCEPT_LABEL} on #{pull.number}, set by grace"
    assert (made.label, made.metrics) == (ACCEPT_LABEL, ())
    assert feedback.accepted_on(merging.clone.context(), commit, made.base) == [made]


def test_it_is_recorded_once(merging: Merging) -> None:
    merging.merged()
    assert len(merging.record()) == 1
    assert merging.record() == []
    merging.merged()
    assert len(merging.record()) == 1


@pytest.mark.parametrize("label", ["", "benchmark:accept-regressions", "git-assay:judge"])
def test_another_label_accepts_nothing(merging: Merging, label: str) -> None:
    merging.merged(label)
    assert merging.record() == []


def test_what_was_closed_and_not_merged_accepted_nothing(merging: Merging) -> None:
    pull = merging.hub.pull(merging.clone.git("rev-parse", "HEAD"))
    merging.hub.label(pull, ACCEPT_LABEL)
    pull.state = "closed"
    assert merging.record() == []


def test_a_commit_that_is_not_on_the_branch_is_left_alone(merging: Merging) -> None:
    pull, _ = merging.merged()
    pull.merge_commit_sha = merging.clone.git("commit-tree", "HEAD^{tree}", "-m", "nobody's")
    assert merging.record() == []
    pull.merge_commit_sha = "a" * 40
    assert merging.record() == []


def test_who_set_it_is_told_as_far_as_the_token_sees(merging: Merging) -> None:
    merging.merged()
    [made] = merging.record("contents")
    assert made.reason.endswith("set by somebody")


def test_where_signatures_are_demanded_it_is_signed_or_not_made(
    make_merging: Callable[..., Merging], tmp_path: Path
) -> None:
    from gitops.errors import CannotRun

    key = make_key(tmp_path, "verifier")
    merging = make_merging(POLICY, **{".assay/allowed_signers": signer(key)})
    _, commit = merging.merged()
    with pytest.raises(CannotRun):
        merging.record()
    assert feedback.accepted_on(merging.clone.context(), commit, "main") == []
    merging.clone.git("config", "assay.signingkey", str(key))
    assert len(merging.record()) == 1
    assert merging.record() == []


def test_the_command_says_what_it_recorded(
    merging: Merging, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, commit = merging.merged()
    for variable, value in merging.hub.environment(merging.hub.token(pull_requests="read")).items():
        monkeypatch.setenv(variable, value)
    words = ["-C", str(merging.clone.folder), "ci", "accepted"]
    assert main(words) == 0
    assert f"accepted on {commit[:10]} for tides: the label" in capsys.readouterr().out
    assert main(words) == 0
    assert "no regression was accepted by a label" in capsys.readouterr().out


def test_without_a_token_it_could_not_run(merging: Merging, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-C", str(merging.clone.folder), "ci", "accepted"]) == 2
    assert "GITHUB_REPOSITORY" in capsys.readouterr().err
