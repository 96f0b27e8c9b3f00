"""What notes say, note by note: only those that changed are read again."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitops.git import notes
from gitops.runs import names, noted
from tests.runs.driving import Wiki

REF = names.EVALS


class Counting:
    """Tells how many lines a note has, and remembers which notes it was asked about."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, commit: str, lines: list[str]) -> int:
        self.asked.append(commit)
        return len(lines)


@pytest.fixture
def commits(wiki: Wiki) -> list[str]:
    made = []
    for _ in range(3):
        wiki.git("commit", "--quiet", "--allow-empty", "--message", "One more")
        made.append(wiki.git("rev-parse", "HEAD"))
    return made


def write(wiki: Wiki, **lines: str) -> None:
    context = wiki.context()
    on = {commit: [line] for commit, line in lines.items()}
    notes.append(context.repository, REF, on, "x", context.identity, context.epoch)


def count(wiki: Wiki, told: Callable[[str, list[str]], object], version: str = "1") -> dict[str, object]:
    return noted.noted(wiki.context(), REF, "test", version, told)


def test_of_no_notes_there_is_nothing(wiki: Wiki) -> None:
    assert count(wiki, Counting()) == {}


def test_only_notes_that_changed_are_read_again(wiki: Wiki, commits: list[str]) -> None:
    one, two, three = commits
    write(wiki, **{one: "a", two: "b"})
    first = Counting()
    assert count(wiki, first) == {one: 1, two: 1}
    assert sorted(first.asked) == sorted([one, two])
    again = Counting()
    assert count(wiki, again) == {one: 1, two: 1}
    assert again.asked == []
    write(wiki, **{two: "c", three: "d"})
    later = Counting()
    assert count(wiki, later) == {one: 1, two: 2, three: 1}
    assert sorted(later.asked) == sorted([two, three])


def test_another_version_reads_everything(wiki: Wiki, commits: list[str]) -> None:
    write(wiki, **{commits[0]: "a"})
    count(wiki, Counting())
    anew = Counting()
    assert count(wiki, anew, version="2") == {commits[0]: 1}
    assert anew.asked == [commits[0]]


def test_a_note_that_is_gone_says_nothing(wiki: Wiki, commits: list[str]) -> None:
    write(wiki, **{commits[0]: "a", commits[1]: "b"})
    count(wiki, Counting())
    wiki.git("notes", f"--ref={REF}", "remove", commits[0])
    assert count(wiki, Counting()) == {commits[1]: 1}


def test_what_is_empty_is_left_out(wiki: Wiki, commits: list[str]) -> None:
    write(wiki, **{commits[0]: "a"})
    assert count(wiki, lambda commit, lines: []) == {}


def test_where_the_cache_is_gone_everything_is_read(wiki: Wiki, commits: list[str]) -> None:
    write(wiki, **{commits[0]: "a"})
    count(wiki, Counting())
    (wiki.context().folder / "cache.sqlite3").unlink()
    anew = Counting()
    assert count(wiki, anew) == {commits[0]: 1}
    assert anew.asked == [commits[0]]


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 9)), min_size=1, max_size=3), max_size=4))
def test_step_by_step_it_is_what_it_is_at_once(
    wiki: Wiki, commits: list[str], steps: list[list[tuple[int, int]]]
) -> None:
    by_steps = count(wiki, Counting())
    for step in steps:
        write(wiki, **{commits[at]: f"line {number}" for at, number in step})
        by_steps = count(wiki, Counting())
    (wiki.context().folder / "cache.sqlite3").unlink(missing_ok=True)
    assert by_steps == count(wiki, Counting())
