from __future__ import annotations

import pytest

from gitops.verify.judging.copying import altered
from gitops.verify.judging.reading import Reading
from gitops.verify.judging.words import tokens

TEA = "A cup of black tea contains about 47 mg of caffeine, while a cup of green tea contains about 28 mg."
COFFEE = "The species used, with Robusta carrying roughly twice the caffeine of Arabica, matters more than the roast."


def found(claim: str, source: str) -> list[tuple[str, str]]:
    reading = Reading(source)
    return [(one.said, one.found) for one in altered(tokens(claim), reading.lines, reading.lines)]


@pytest.mark.parametrize(
    ("sentence", "old", "new"),
    [
        pytest.param(TEA, "", "", id="the sentence itself"),
        pytest.param(TEA, "47 mg", "47 milligrams", id="the same unit written out"),
        pytest.param(TEA, "about 47", "roughly 47", id="another word for about"),
        pytest.param(TEA, "green tea", "white tea", id="another thing"),
        pytest.param(TEA, "47 mg of caffeine", "97 mg of theine", id="a number of another thing"),
        pytest.param(TEA, ", while a cup of green tea contains about 28 mg", "", id="half of it"),
        pytest.param("It cost 1,247 euros in the year in which it was made.", "1,247", "1,250", id="rounded"),
        pytest.param("It weighed 46.8 kg on the day on which it was found.", "46.8", "47", id="rounded to whole ones"),
    ],
)
def test_what_is_no_alteration(sentence: str, old: str, new: str) -> None:
    assert found(sentence.replace(old, new) if old else sentence, sentence) == []


@pytest.mark.parametrize(
    ("sentence", "old", "new"),
    [
        pytest.param(TEA, "47", "97", id="a number"),
        pytest.param(TEA, "28 mg", "28 g", id="a unit"),
        pytest.param(COFFEE, "twice", "half", id="a multiple"),
        pytest.param(TEA, "about", "exactly", id="a hedge"),
        pytest.param("The tower is two hundred feet high and stands by the river.", "two", "four", id="a number word"),
        pytest.param("It cost 1,247 euros in the year in which it was made.", "1,247", "1,350", id="a large number"),
    ],
)
def test_one_thing_that_is_altered_in_a_copy(sentence: str, old: str, new: str) -> None:
    assert (new.split()[-1], old.split()[-1]) in found(sentence.replace(old, new, 1), sentence)


def test_a_copy_of_half_a_sentence_is_one() -> None:
    assert found("A cup of black tea contains about 97 mg of caffeine.", TEA) == [("97", "47")]


def test_what_the_source_says_in_another_sentence_stands() -> None:
    other = "By another count a cup of black tea contains 97 mg of caffeine."
    assert found(TEA.replace("47", "97"), f"{TEA} {other}") == []
    assert found(TEA.replace("47", "97"), f"{TEA} The train takes 97 minutes.") == [("97", "47")]


def test_a_short_claim_is_left_alone() -> None:
    assert found("It cost 15 euros.", "It cost 12 euros.") == []
