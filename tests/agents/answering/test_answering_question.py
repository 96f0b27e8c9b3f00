from __future__ import annotations

from collections.abc import Iterable

import pytest

from gitops.agents.answering.question import parse, stem_of, stems


def rarity(words: Iterable[str]) -> dict[str, float]:
    return {word: {"sea": 0.5, "use": 0.05}.get(word, 0.0) for word in words}


def test_a_question_without_words_has_no_terms() -> None:
    asked = parse("?!", rarity)
    assert (asked.terms, asked.weight) == ((), 0)


def test_rare_words_count_more_and_common_ones_less() -> None:
    weight = {term.word: term.weight for term in parse("Does the sea use tides?", rarity).terms}
    assert weight["tides"] > weight["use"] > weight["sea"] > 0


def test_names_and_numbers_must_be_there() -> None:
    terms = parse("How many tides did Edmund Thornbury see in 1657 on the shore?", rarity).terms
    assert [term.word for term in terms if term.is_required] == ["edmund", "thornbury", "1657"]


@pytest.mark.parametrize(("one", "other"), [("dries", "drying"), ("brewed", "brewing"), ("tide", "tides")])
def test_forms_of_a_word_are_compared_alike(one: str, other: str) -> None:
    assert stem_of(one) == stem_of(other)


def test_pairs_and_numbers_are_compared_as_they_are() -> None:
    assert stems("1,180 조수를") == ["1,180", "조수", "수를"]
