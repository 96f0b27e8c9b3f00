from __future__ import annotations

import pytest

from gitops.retrieval.answers import answer_scores, is_grounded, is_refusal
from gitops.retrieval.model import Answer, Cited, GoldenQuery

GOLDEN = GoldenQuery("q", "?", {"d": 1}, must_contain=("93 °C", "caf\u00e9"), forbidden=("boiling",))


def scores(answer: Answer, query: GoldenQuery = GOLDEN, *, has_store: bool = True) -> dict[str, float]:
    return dict(answer_scores(query, answer, has_store))


@pytest.mark.parametrize(
    ("text", "is_right"),
    [
        ("At 93 °C, says the café.", True),
        ("At 93\n  °C, says the cafe\u0301.", True),
        ("At 93 °C, says the Café.", False),
        ("At 93 °C.", False),
        ("At 93 °C, says the café: never boiling.", False),
        ("", False),
    ],
)
def test_an_answer_has_all_that_it_must_contain_and_nothing_forbidden(text: str, is_right: bool) -> None:
    assert is_grounded(GOLDEN, Answer(text)) is is_right


def test_space_at_the_ends_of_a_phrase_does_not_count() -> None:
    query = GoldenQuery("q", "?", must_contain=("two lines\nof a block\n",))
    assert is_grounded(query, Answer("two lines of a block"))


def test_an_answer_of_which_nothing_is_asked_is_grounded() -> None:
    assert is_grounded(GoldenQuery("q", "?"), Answer("anything"))


def test_one_citation_that_leads_nowhere_leaves_an_answer_uncovered() -> None:
    broken = Answer("x", (Cited("a", resolves=True), Cited("b", resolves=False)), grounded=True)
    assert scores(broken)["citation_coverage"] == 0.0
    assert scores(Answer("x", (Cited("a"),), grounded=True))["citation_coverage"] == 0.0
    assert scores(Answer("x", (Cited("a", resolves=True),), grounded=True))["citation_coverage"] == 1.0


def test_an_answer_that_cites_nothing_has_no_citation_that_leads_nowhere() -> None:
    assert scores(Answer("x", grounded=True))["citation_coverage"] == 1.0


@pytest.mark.parametrize("grounded", [False, None])
def test_citations_are_those_of_grounded_answers_alone(grounded: bool | None) -> None:
    assert "citation_coverage" not in scores(Answer("x", (Cited("a", resolves=False),), grounded))


def test_without_a_store_citations_are_not_judged() -> None:
    assert "citation_coverage" not in scores(Answer("x", (Cited("a"),), grounded=True), has_store=False)


def test_only_an_answer_that_says_it_is_not_grounded_is_a_refusal() -> None:
    assert is_refusal(Answer("x", grounded=False))
    assert not is_refusal(Answer("I do not know", grounded=None))
    assert not is_refusal(None)


def test_refusing_is_too_much_where_something_should_be_found() -> None:
    refusal = Answer("I do not know", grounded=False)
    assert scores(refusal)["over_refusal"] == 1.0
    assert scores(Answer("x", grounded=None))["over_refusal"] == 0.0
    assert "over_refusal" not in scores(refusal, GoldenQuery("q", "?", should_refuse=True))
    assert "over_refusal" not in scores(refusal, GoldenQuery("q", "?"))
