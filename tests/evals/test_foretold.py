from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gitops.evals.foretold import Foretold
from gitops.verify.judge import Question, Vote

AGAINST = Vote("does_not_support", 0.9, "so it is", may_gate=True)


def test_a_dear_judge_is_asked_only_when_told_to_and_each_question_once(make_judge: Callable[..., Any]) -> None:
    judge = make_judge(lambda question: AGAINST)
    foretold = Foretold(judge)
    first = foretold.votes([Question("a"), Question("b")])
    foretold.votes([Question("b"), Question("c")])
    assert judge.asked == []
    assert {vote.reason for vote in first} == {"not asked yet"}
    assert foretold.provisional == 4
    foretold.ask()
    assert [question.claim for question in judge.asked[0]] == ["a", "b", "c"]
    assert foretold.votes([Question("b")]) == [AGAINST]
    assert (len(judge.asked), foretold.provisional) == (1, 4)


def test_questions_about_one_source_come_together(make_judge: Callable[..., Any]) -> None:
    judge = make_judge(lambda question: AGAINST)
    foretold = Foretold(judge)
    foretold.votes([Question("a", source="x"), Question("b", source="y"), Question("c", source="x")])
    foretold.ask()
    assert [question.source for question in judge.asked[0]] == ["x", "x", "y"]


def test_who_costs_nothing_is_asked_at_once_and_once(make_judge: Callable[..., Any]) -> None:
    judge = make_judge(lambda question: AGAINST, is_free=True)
    foretold = Foretold(judge)
    assert foretold.votes([Question("a")]) == foretold.votes([Question("a")]) == [AGAINST]
    assert sum(map(len, judge.asked)) == 1
    assert foretold.provisional == 0


def test_it_is_who_its_judge_is(make_judge: Callable[..., Any]) -> None:
    judge = make_judge(lambda question: AGAINST)
    foretold = Foretold(judge)
    same = ("id", "version", "digest", "is_free", "used")
    assert [getattr(foretold, name) for name in same] == [getattr(judge, name) for name in same]
    assert foretold.gate("supports") == judge.gate("supports")
