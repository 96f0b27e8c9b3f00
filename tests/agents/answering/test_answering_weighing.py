from __future__ import annotations

import pytest

from gitops.agents.answering.question import Question, parse
from gitops.agents.answering.weighing import ABOVE, ALIKE, BEFORE, Weighed, Words, weigh

NOTHING = Words.of("")


def question(text: str) -> Question:
    return parse(text, lambda words: dict.fromkeys(words, 0.01))


def weighed(asked: str, said: str, *, title: str = "", above: str = "", before: str = "") -> Weighed:
    return weigh(question(asked), said, Words.of(title), Words.of(f"{title} {above}"), Words.of(before))


def test_nothing_said_holds_nothing() -> None:
    assert weighed("What is a tide?", "").share == 0


def test_a_sentence_that_says_all_holds_all() -> None:
    found = weighed("Does the moon pull tides?", "The moon pulls the tide.")
    assert (found.share, found.alone, found.lacks) == (1.0, 1.0, "")


def test_what_stands_above_and_before_counts_less_and_not_alone() -> None:
    above = weighed("Is the tide high?", "It is high.", above="Tides")
    before = weighed("Is the tide high?", "It is high.", before="The tide comes.")
    tide, high = (term.weight for term in question("Is the tide high?").terms)
    assert above.share == pytest.approx((ABOVE * tide + high) / (tide + high))
    assert before.share == pytest.approx((BEFORE * tide + high) / (tide + high))
    assert above.alone == before.alone == pytest.approx(high / (tide + high))


def test_a_word_in_another_form_counts_less() -> None:
    assert Words.of("the company").holds(question("firm").terms[0]) == ALIKE
    assert Words.of("sponsorship").holds(question("sponsor").terms[0]) == ALIKE
    assert Words.of("tide").holds(question("firm").terms[0]) == 0


@pytest.mark.parametrize(
    ("asked", "said", "lacks"),
    [
        ("How many tides did Ada see in the year?", "She saw 3 tides.", "ada"),
        ("How high was the tide of 1953?", "The tide was 5 m high.", "1953"),
        ("How many tides are there?", "There are tides.", "a number"),
        ("How many tides are there?", "There are two tides.", ""),
        ("How many of the 12 tides fell?", "Of the 12 tides some fell.", "a number"),
        ("Who measured the tide?", "The tide was measured.", "a name"),
        ("Who measured the tide?", "The tide was measured by Ada Lovelace.", ""),
        ("When was the tide measured?", "The tide was measured.", "a date"),
        ("When was the tide measured?", "The tide was measured in 1953.", ""),
        ("When is the tide measured?", "The tide is measured when the moon is full.", ""),
        ("What is the price of the tide?", "The tide costs 5.", "a price"),
    ],
)
def test_what_the_question_demands_must_be_there(asked: str, said: str, lacks: str) -> None:
    assert weighed(asked, said).lacks == lacks


def test_neighbouring_words_and_titles_are_seen() -> None:
    near = weighed("What is the half-life of caffeine?", "The half-life of caffeine is long.", title="Caffeine")
    far = weighed("What is the half-life of caffeine?", "Half of a life is caffeine.")
    assert near.joined > far.joined
    assert near.titled > far.titled == 0


def test_words_without_spaces_are_held_pair_by_pair() -> None:
    assert weighed("조수란 무엇인가?", "조수는 바다의 움직임이다.").share == 1.0
    assert weighed("조수란 무엇인가?", "바다의 움직임이다.").share == 0.0
