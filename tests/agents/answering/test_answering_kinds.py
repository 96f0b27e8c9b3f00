from __future__ import annotations

import pytest

from gitops.agents.answering import kinds


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Does the sea fall?", "anything"),
        ("Why does the sea fall?", "anything"),
        ("Must those who measure the tide be told?", "anything"),
        ("Can you tell who measured the tide?", "person"),
        ("What do two tides share?", "anything"),
        ("What share of the tides is high?", "number"),
        ("Who is Ada Lovelace?", "anything"),
        ("How does it fall?", "anything"),
        ("How many tides are there?", "number"),
        ("What water temperature is best?", "number"),
        ("how long does it take", "number"),
        ("When does the sea fall?", "date"),
        ("In which year did it fall?", "date"),
        ("Who measured the tide?", "person"),
        ("Whose measure is it?", "person"),
        ("누가 쟀나?", "anything"),
    ],
)
def test_the_kind_of_answer_is_read_off_the_words(question: str, wanted: str) -> None:
    assert kinds.wanted(question) == wanted


@pytest.mark.parametrize(
    ("question", "said", "lacks"),
    [
        ("How hot is it?", "It is 80 warm.", "a temperature"),
        ("How hot is it?", "It is 80 °C.", ""),
        ("What is the boiling point?", "At 373 K.", ""),
        ("What does it cost?", "It costs 16.", "a price"),
        ("What is the price?", "It is 16.", "a price"),
        ("What is the price?", "It is €16.", ""),
        ("How long is it?", "After long hours.", "a length of time"),
        ("How long is it?", "For 12-18 hours.", ""),
        ("How long is it?", "A few metres.", ""),
        ("How long is the chain?", "Chains are at most 50 long.", ""),
        ("How much in milligrams?", "It is 95 grams.", "milligrams"),
        ("What percentage is it?", "It is 18 %.", ""),
        ("Why is it?", "No reason.", ""),
    ],
)
def test_some_answers_must_show_what_they_count(question: str, said: str, lacks: str) -> None:
    missing = [name for pattern, name in kinds.demands(question) if not pattern.search(said)]
    assert missing == ([lacks] if lacks else [])


@pytest.mark.parametrize(
    "question", ["What is a tide?", "Who was Mei Lin?", "조수란 무엇인가?", "潮汐とは何か", "什么是潮汐"]
)
def test_a_definition_is_wanted(question: str) -> None:
    assert kinds.asks_what_it_is(question)


@pytest.mark.parametrize("question", ["What is the height of the tide?", "Who measured it?", "How is it?"])
def test_no_definition_is_wanted(question: str) -> None:
    assert not kinds.asks_what_it_is(question)


def test_a_list_is_wanted() -> None:
    assert kinds.asks_for_several("What are the three causes?")
    assert kinds.asks_for_several("Which kinds are there?")
    assert not kinds.asks_for_several("What is the cause?")
