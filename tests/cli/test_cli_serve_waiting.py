"""What a push of runs prints, by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitops.cli import serve_waiting, serve_words
from gitops.runs import pushed, worklog
from gitops.runs.serving import Answer

A = "a" * 40
RUNS = [f"run-{number:03}" for number in range(500)]


def answered(folder: Path, run_id: str, ended: str) -> None:
    worklog.write(worklog.path_of(folder, run_id), f"2024-01-02T03:04:05Z run {run_id}: {ended}")
    pushed.answered(folder, run_id, [A], lambda: None)


def test_of_many_runs_some_are_named_and_the_others_counted(capsys: pytest.CaptureFixture[str]) -> None:
    serve_waiting.tell_where(RUNS)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 22
    assert lines[20] == "assay: and 480 runs more; git assay run list has them all"


def test_how_many_runs_ended_is_one_short_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "assay"
    waiting = serve_waiting.Waiting(folder, RUNS)
    for run_id in RUNS:
        pushed.put(folder, run_id, A)
    ends = ["landed on main as 0123456789", "rejected", "no verdict: the disk is full", "landed on main as 123456789a"]
    for number, run_id in enumerate(RUNS):
        answered(folder, run_id, ends[number % 4])
    waiting.stream(60, pytest.fail)
    assert capsys.readouterr().err.splitlines()[-1] == "assay: outcome: 250 landed, 125 rejected, 125 no verdict"


def test_nothing_in_a_log_steers_who_pushed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "assay"
    waiting = serve_waiting.Waiting(folder, ["abc"])
    log = worklog.path_of(folder, "abc")
    log.parent.mkdir(parents=True)
    log.write_bytes(b"\033[2J\xe2\x80\xae run abc: rejected\n")
    waiting.stream(60, pytest.fail)
    assert capsys.readouterr().err.splitlines() == [
        "assay: ?[2J? run abc: rejected",
        "assay: outcome: run/abc rejected",
    ]


def test_the_outcome_is_said_once() -> None:
    answer = Answer("abc", (A,), "not_landed", "verified, not landed: a worktree cannot follow", "git stash")
    assert serve_words.in_words(answer, "NOW").splitlines() == [
        "  git stash",
        "NOW run abc: verified, not landed: a worktree cannot follow",
    ]
