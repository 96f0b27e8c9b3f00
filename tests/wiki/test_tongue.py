from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.wiki.tongue import language, not_english


@pytest.mark.parametrize("text", ["", "12 %", "Solvent recovery doubled throughput", "Berlin 2019"])
def test_too_little_tells_nothing(text: str) -> None:
    assert language(text) == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the sea falls back twice a day and it is not told to", "en"),
        ("das Meer fällt zweimal am Tag und niemand muss es ihm sagen, wie auch bei uns", "de"),
        ("la mer se retire deux fois par jour et personne ne le lui dit dans les ports", "fr"),
        ("el mar se retira dos veces al día y nadie se lo dice, pero es así por los vientos", "es"),
        ("潮は一日に二度引く", "ja"),
        ("潮水每天退去两次", "zh"),
        ("바다는 하루에 두 번 물러난다", "ko"),
        ("море отступает дважды в день", "cyrillic"),
        ("潮水每天退去两次 (RAG)", "zh"),
        ("Agent는 도구로 행동한다", "ko"),
    ],
)
def test_a_sentence_tells_its_language(text: str, expected: str) -> None:
    assert language(text) == expected


@given(st.text())
def test_no_text_raises(text: str) -> None:
    language(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Berlin 2019",
        "the sea falls back twice a day",
        "He died in a war, as a man of 40.",
        "Caffè Aurora pays more for its coffee.",
        "It is the El Niño of that year.",
        "The word 潮 is written so.",
    ],
)
def test_what_may_be_english_is_taken_for_it(text: str) -> None:
    assert not_english(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        "Die Produktion stieg 2019 um 40 %.",
        "Der Hafen wurde 1994 vertieft.",
        "El puerto fue dragado en 1994.",
        "Le port a été dragué en 1994.",
        "Il porto è stato dragato nel 1994.",
        "De haven werd in 1994 uitgebaggerd.",
        "O porto foi dragado em 1994.",
        "Hamnen muddrades 1994 och är djup.",
        "Port został pogłębiony w 1994 roku i jest głęboki.",
    ],
)
def test_another_language_of_latin_letters_is_told_by_its_small_words(text: str) -> None:
    assert not_english(text) == "not English"


@pytest.mark.parametrize("text", ["潮水每天退去两次", "море отступает", "바다는 하루에", "הים נסוג", "ทะเลลดลง"])
def test_another_script_is_told_whichever_it_is(text: str) -> None:
    assert not_english(text) == "written in another script than Latin"


def test_a_beginning_that_is_english_hides_nothing() -> None:
    assert (
        not_english("A title of the page. " + "Der Hafen wurde nicht vertieft, und das war gut. " * 60) == "not English"
    )


@given(st.text())
def test_no_text_is_refused_with_an_error(text: str) -> None:
    not_english(text)
