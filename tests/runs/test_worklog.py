from __future__ import annotations

import os
from pathlib import Path

import pytest

from gitops.runs import worklog
from gitops.runs.worklog import Follower


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return worklog.path_of(tmp_path, "abc")


def test_lines_are_added(log: Path) -> None:
    worklog.write(log, "one\ntwo")
    worklog.write(log, "three\n")
    assert log.read_text() == "one\ntwo\nthree\n"


def test_what_is_no_text_is_written_escaped(log: Path) -> None:
    worklog.write(log, "odd \udc80 name")
    assert log.read_text() == "odd \\udc80 name\n"


def test_nothing_in_it_steers_a_terminal_or_passes_for_a_line_of_its_own(log: Path) -> None:
    worklog.write(log, "  a \033[2J b \u202e c\rrun abc: landed\u2028run abc: landed\x0brun abc: landed\nwell")
    assert log.read_text().split("\n") == [
        "  a ?[2J b ? c?run abc: landed?run abc: landed?run abc: landed",
        "well",
        "",
    ]


def test_of_an_enormous_answer_the_beginning_and_the_end_are_written(log: Path) -> None:
    worklog.write(log, "\n".join(["x" * 1_000_000, *(f"line {number}" for number in range(100_000)), "the outcome"]))
    written = log.read_text().splitlines()
    assert log.stat().st_size < worklog.LONGEST
    assert (len(written), written[1], written[-1]) == (401, "line 0", "the outcome")
    assert "… 99,602 lines are left out" in written[-21]


def test_a_long_log_is_put_aside_and_no_more_than_once(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worklog, "LONGEST", 100)
    for number in range(100):
        worklog.write(log, f"line {number}")
    kept = list(log.parent.iterdir())
    assert sorted(path.name for path in kept) == ["abc.log", "abc.log.old"]
    assert sum(path.stat().st_size for path in kept) <= 220
    assert log.read_text().endswith("line 99\n")


def test_the_oldest_logs_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worklog, "KEPT", 2)
    for age, name in enumerate(("new", "old", "older")):
        worklog.write(worklog.path_of(tmp_path, name), "a line")
        os.utime(worklog.path_of(tmp_path, name), (1000 - age, 1000 - age))
    worklog.prune(tmp_path)
    assert sorted(path.name for path in (tmp_path / "log").iterdir()) == ["new.log", "old.log"]
    worklog.prune(tmp_path / "nowhere")


def test_a_follower_reads_what_comes_and_nothing_before(log: Path) -> None:
    worklog.write(log, "before")
    follower = Follower(log)
    assert list(follower.lines()) == []
    worklog.write(log, "one\ntwo")
    assert list(follower.lines()) == ["one", "two"]
    assert list(follower.lines()) == []


def test_a_follower_waits_for_a_log_that_is_not_there_yet(log: Path) -> None:
    follower = Follower(log)
    assert list(follower.lines()) == []
    worklog.write(log, "one")
    assert list(follower.lines()) == ["one"]


def test_a_follower_gives_whole_lines(log: Path) -> None:
    follower = Follower(log)
    worklog.write(log, "one")
    with log.open("a") as file:
        file.write("half")
    assert list(follower.lines()) == ["one"]
    with log.open("a") as file:
        file.write(" and half\n")
    assert list(follower.lines()) == ["half and half"]


def test_a_follower_loses_nothing_when_the_log_is_put_aside(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worklog.write(log, "before")
    follower = Follower(log)
    worklog.write(log, "one")
    monkeypatch.setattr(worklog, "LONGEST", 10)
    worklog.write(log, "two")
    assert list(follower.lines()) == ["one", "two"]
