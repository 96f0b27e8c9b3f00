from __future__ import annotations

import pytest

from gitops.errors import CannotRun
from gitops.verify.judge import PairQuestion, Question
from gitops.verify.panel import Panel
from tests.verify.scripted import Scripted, sure, unsure

ASKED = [Question("A."), Question("B."), Question("C.")]


def test_nobody_asked_is_an_abstention() -> None:
    assert [one.vote.vote for one in Panel(()).votes(ASKED)] == ["abstained"] * 3
    assert Panel(()).name == "none"


def test_a_failure_of_one_is_a_failure_of_all() -> None:
    with pytest.raises(CannotRun, match="no key"):
        Panel((Scripted(), Scripted(failure=CannotRun("no key")))).votes(ASKED)


def test_each_is_asked_what_those_before_it_were_unsure_of() -> None:
    first = Scripted({"A": sure("supports"), "B": unsure("does_not_support")}, id="first")
    second = Scripted({"B": sure("supports")}, id="second")
    votes = Panel((first, second)).votes(ASKED)
    assert [one.claim for one in second.asked] == ["B.", "C."]
    assert [(one.vote.vote, one.judge) for one in votes] == [
        ("supports", "first"),
        ("supports", "second"),
        ("abstained", "second"),
    ]


def test_whoever_was_asked_last_counts_also_where_it_abstains() -> None:
    votes = Panel((Scripted({"A": unsure("supports")}, id="first"), Scripted(id="second"))).votes(ASKED[:1])
    assert [(one.vote.vote, one.judge) for one in votes] == [("abstained", "second")]


def test_it_is_called_after_all_and_counts_what_all_spent() -> None:
    panel = Panel((Scripted(id="first"), Scripted(id="second", version="2")))
    panel.votes(ASKED)
    assert panel.name == "first/1+second/2"
    assert (panel.used.calls, panel.used.input) == (2, 20)
    assert Panel((Scripted(digest="other"),)).digest != Panel((Scripted(),)).digest


def test_pairs_go_the_same_way() -> None:
    assert [one.judge for one in Panel((Scripted(),)).pair_votes([PairQuestion("a", "b")])] == ["scripted"]
