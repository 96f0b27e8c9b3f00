from __future__ import annotations

from pathlib import Path

import pytest

from gitops.errors import CannotRun
from gitops.runs import pushed
from gitops.runs.pushed import Arrival

ZERO, A, B, C = "0" * 40, "a" * 40, "b" * 40, "c" * 40


def gone() -> None:
    """No branch."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "assay"


@pytest.mark.parametrize(
    ("line", "run_id"),
    [
        (f"{ZERO} {A} refs/heads/run/abc", "abc"),
        (f"{A} {B} refs/heads/run/abc", "abc"),
        (f"{A} {ZERO} refs/heads/run/abc", ""),
        (f"{ZERO} {A} refs/heads/run/No-Id", ""),
        (f"{ZERO} {A} refs/heads/run/a/b/c", ""),
        (f"{ZERO} {A} refs/heads/running", ""),
        (f"{ZERO} {A} refs/heads/main", ""),
        (f"{ZERO} {A} refs/tags/run/abc", ""),
    ],
)
def test_which_lines_are_runs(line: str, run_id: str) -> None:
    [arrival] = pushed.arrivals(f"{line}\n")
    assert arrival.run_id == run_id


def test_every_line_is_read_and_nothing_else() -> None:
    text = f"{ZERO} {A} refs/heads/run/one\n\nnonsense\n{A} {B} refs/heads/has a space\n"
    assert pushed.arrivals(text) == [Arrival(ZERO, A, "refs/heads/run/one"), Arrival(A, B, "refs/heads/has a space")]
    assert pushed.arrivals("") == []


@pytest.mark.parametrize(
    ("environment", "waits"),
    [
        ({}, False),
        ({"GIT_PUSH_OPTION_COUNT": "0", "GIT_PUSH_OPTION_0": "assay.wait"}, False),
        ({"GIT_PUSH_OPTION_COUNT": "nonsense", "GIT_PUSH_OPTION_0": "assay.wait"}, False),
        ({"GIT_PUSH_OPTION_COUNT": "1", "GIT_PUSH_OPTION_0": "ci.skip"}, False),
        ({"GIT_PUSH_OPTION_COUNT": "2", "GIT_PUSH_OPTION_0": "ci.skip", "GIT_PUSH_OPTION_1": "assay.wait"}, True),
    ],
)
def test_who_wants_to_wait(environment: dict[str, str], waits: bool) -> None:
    assert pushed.wants_to_wait(environment) is waits


def test_nothing_waits_where_nothing_was_pushed(folder: Path) -> None:
    assert pushed.waiting(folder) == {}
    assert pushed.head_of(folder, "abc") == ""
    assert pushed.answered(folder, "abc", [A], gone)


def test_what_was_noted_down_waits_until_it_is_answered(folder: Path) -> None:
    pushed.put(folder, "abc", A)
    assert pushed.waiting(folder) == {"abc": A}
    assert not pushed.answered(folder, "abc", [B], gone)
    assert pushed.waiting(folder) == {"abc": A}
    assert pushed.answered(folder, "abc", [B, A], gone)
    assert pushed.waiting(folder) == {}


def test_what_was_pushed_again_meanwhile_still_waits(folder: Path) -> None:
    pushed.put(folder, "abc", A)
    pushed.put(folder, "abc", C)
    assert not pushed.answered(folder, "abc", [A, B], lambda: C)
    assert pushed.waiting(folder) == {"abc": C}


def test_a_head_that_came_back_while_another_was_answered_for_still_waits(folder: Path) -> None:
    pushed.put(folder, "abc", A)
    assert not pushed.answered(folder, "abc", [A, B], lambda: A)
    assert pushed.waiting(folder) == {"abc": A}


@pytest.mark.parametrize("stands", [B, None])
def test_what_waits_with_an_older_head_is_answered_with_the_newer(folder: Path, stands: str | None) -> None:
    pushed.put(folder, "abc", A)
    assert pushed.answered(folder, "abc", [A, B], lambda: stands)
    assert pushed.waiting(folder) == {}


def test_what_a_push_that_was_cut_short_left_is_in_nobodys_way(folder: Path) -> None:
    pushed.put(folder, "abc", A)
    (folder / "pushed" / ".new").write_text("half")
    pushed.put(folder, "def", B)
    assert pushed.waiting(folder) == {"abc": A, "def": B}


def test_who_waits_longest_comes_first_and_stray_files_never(folder: Path) -> None:
    for name in ("zzz", "aaa", "mmm"):
        pushed.put(folder, name, A)
    (folder / "pushed" / ".aaa.123").write_text(A)
    (folder / "pushed" / "NO").write_text(A)
    assert list(pushed.waiting(folder)) == ["zzz", "aaa", "mmm"]


def test_a_folder_that_cannot_be_made_is_told(folder: Path) -> None:
    folder.mkdir()
    (folder / "pushed").write_text("in the way")
    with pytest.raises(CannotRun, match="File exists"):
        pushed.put(folder, "abc", A)
