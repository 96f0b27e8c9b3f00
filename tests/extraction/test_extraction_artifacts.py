"""The folders that runs leave behind: made, written, and removed when there are too many."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitops.errors import CannotRun
from gitops.extraction import artifacts


def test_the_oldest_runs_go_and_what_is_no_run_stays(tmp_path: Path) -> None:
    runs = [f"2026112{day}-120000-abcdef01" for day in range(5)]
    for name in runs:
        artifacts.write(artifacts.opened(tmp_path, name), {"report.md": "x"})
    (tmp_path / artifacts.FOLDER / "Notes of mine").mkdir()
    (tmp_path / artifacts.FOLDER / "a-file").write_text("x")
    assert artifacts.prune(tmp_path, 2) == runs[:3]
    left = sorted(each.name for each in (tmp_path / artifacts.FOLDER).iterdir())
    assert left == [*runs[3:], "Notes of mine", "a-file"]
    assert artifacts.prune(tmp_path, 2) == []


def test_where_no_run_was_there_is_nothing_to_remove(tmp_path: Path) -> None:
    assert artifacts.prune(tmp_path) == []


def test_a_run_that_came_to_nothing_leaves_its_atoms_or_nothing(tmp_path: Path) -> None:
    one, other = (artifacts.opened(tmp_path, f"20261122-120000-abcdef0{at}") for at in range(2))
    (one / artifacts.ATOMS / "tea").mkdir()
    (other / artifacts.ATOMS / "tea.md").write_text("paid for")
    assert (artifacts.abandon(one), artifacts.abandon(other)) == (False, True)
    assert list((tmp_path / artifacts.FOLDER).iterdir()) == [other]


def test_what_cannot_be_written_says_how_to_go_on(tmp_path: Path) -> None:
    (tmp_path / artifacts.FOLDER).write_text("in the way")
    with pytest.raises(CannotRun, match="cannot write") as caught:
        artifacts.opened(tmp_path, "20261122-120000-abcdef01")
    assert caught.value.hint == "make room there, or give --no-keep"


def test_text_that_is_no_utf_8_is_written_all_the_same(tmp_path: Path) -> None:
    folder = artifacts.opened(tmp_path, "20261122-120000-abcdef01")
    artifacts.write(folder, {"report.md": "a \udcff name"})
    assert (folder / "report.md").read_text() == "a \\udcff name"
