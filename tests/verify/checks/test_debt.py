from __future__ import annotations

from collections.abc import Callable

from gitops.verify import debt
from gitops.verify.finding import Finding
from gitops.verify.view import RunFacts

SaidBy = Callable[..., list[Finding]]
PEOPLE = RunFacts(is_run=False)
FILE = "assay.debt.jsonl"


def kept(*marks: str) -> str:
    return debt.written(debt.Entry("wiki/a.md", "links", "broken", "warning", mark) for mark in marks).decode()


def test_a_debt_that_shrinks_goes_or_stays_is_silent(said_by: SaidBy) -> None:
    before = {FILE: kept("1", "2"), "wiki/a.md": "Words.\n"}
    for change in ({FILE: kept("2")}, {FILE: None}, {FILE: ""}, {"wiki/a.md": "Other words.\n"}):
        assert said_by("debt", before, change, run=PEOPLE) == []


def test_each_finding_that_is_newly_accepted_is_told(said_by: SaidBy) -> None:
    (found,) = said_by("debt", {FILE: kept("1")}, {FILE: kept("1", "2")}, run=PEOPLE)
    assert (found.result, found.level.value, found.path) == ("grown", "error", FILE)
    assert found.message == ("the change accepts a finding that was not accepted before: links broken on wiki/a.md")


def test_one_taken_off_does_not_pay_for_another(said_by: SaidBy) -> None:
    assert [one.result for one in said_by("debt", {FILE: kept("1")}, {FILE: kept("2")}, run=PEOPLE)] == ["grown"]


def test_a_debt_where_none_was_is_grown(said_by: SaidBy) -> None:
    assert [one.result for one in said_by("debt", {"wiki/a.md": "A.\n"}, {FILE: kept("1")}, run=PEOPLE)] == ["grown"]


def test_lines_that_nobody_can_read_are_told(said_by: SaidBy) -> None:
    (found,) = said_by("debt", {FILE: kept("1")}, {FILE: kept("1") + "<<<<<<< main\n"}, run=PEOPLE)
    assert (found.result, found.level.value) == ("unreadable", "warning")
    assert "line 2" in found.message


def entry(path: str, message: str, mark: str) -> str:
    return debt.written([debt.Entry(path, "links", "broken", "warning", mark, message)]).decode()


def test_what_was_accepted_moves_along_with_its_page_once(said_by: SaidBy) -> None:
    before = {FILE: entry("wiki/a.md", "'x' leads nowhere", "1"), "wiki/a.md": "Words.\n"}
    move = {"wiki/a.md": None, "wiki/b.md": "Words.\n"}
    moved = entry("wiki/b.md", "'x' leads nowhere", "2")
    assert said_by("debt", before, {**move, FILE: moved}, run=PEOPLE) == []
    twice = moved + entry("wiki/b.md", "'x' leads nowhere", "3")
    assert [one.result for one in said_by("debt", before, {**move, FILE: twice}, run=PEOPLE)] == ["grown"]
    other = entry("wiki/b.md", "'y' leads nowhere", "2")
    assert [one.result for one in said_by("debt", before, {**move, FILE: other}, run=PEOPLE)] == ["grown"]
    assert [one.result for one in said_by("debt", before, {FILE: moved}, run=PEOPLE)] == ["grown"]
