"""What of a claim's words stands in a text: hardly any, or nearly all with one changed."""

from __future__ import annotations

import pytest

from gitops.extraction import bearing
from gitops.extraction.rationales import reason
from gitops.verify.judging.reading import Reading
from tests.extraction.rationale_cases import BIRDS, INVENTED, MEMO

TEXT = Reading(MEMO)


def test_a_sentence_of_which_hardly_a_word_is_there_is_absent() -> None:
    assert bearing.absent(INVENTED, TEXT)
    assert not bearing.absent(BIRDS, TEXT)


def test_beyond_what_a_title_says_not_a_word_may_be_there() -> None:
    claim = "The mowing of the dike in May pleases the chairman's cousin and his harvesters."
    title = "The mowing of the dike in May"
    assert not bearing.absent(claim, TEXT)
    assert bearing.baseless(claim, TEXT, title)
    assert bearing.baseless(f"{claim[:-1]} and birds.", TEXT, title)
    assert not bearing.baseless("The mowing of the dike in May pleases the chairman and birds.", TEXT, title)
    assert not bearing.baseless("The mowing of the dike in May pleases the chairman.", TEXT, title)


def test_a_number_that_is_nowhere_counts_as_a_word() -> None:
    assert bearing.absent("It saves forty thousand euros a year.", Reading("The board met that year."))


def test_words_scattered_over_a_long_text_are_no_basis() -> None:
    filler = "The board met and drank its tea by the window of the hall. " * 3
    text = Reading(f"The chairman came late. {filler}A cousin sent a card. {filler}Harvesters were seen. {filler}")
    assert bearing.absent("The chairman's cousin rents out some combine harvesters at cost to villages.", text)


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Der Vetter der Vorsitzenden verleiht Mähdrescher.", MEMO),
        (INVENTED, "Die Deiche werden im Mai gemäht, weil im Juni die Vögel brüten und nicht gestört werden sollen."),
        ("chairman cousin harvesters", MEMO),
        ("It is so.", MEMO),
        ("", MEMO),
        (INVENTED.replace("e", "ε"), MEMO),
    ],
)
def test_where_words_tell_nothing_nothing_is_absent(claim: str, text: str) -> None:
    assert not bearing.absent(claim, Reading(text))
    assert not bearing.baseless(claim, Reading(text), "")


@pytest.mark.parametrize(
    ("claim", "sentence", "word"),
    [
        ("Birds nest in July and must not be disturbed.", BIRDS, "July"),
        (
            "Too late for heroes and too late for brands of old.",
            "Too late for heroes and too early for brands of old.",
            "late",
        ),
        ("All birds nest in June and must not be disturbed.", f"Some {BIRDS}", "All"),
        ("Just after the flood it sold out, after all.", "Just before the flood it sold out, after all.", "after"),
        (
            "Sellers of services know who we are not, what we like to buy and what we do not fear.",
            "Sellers of services know who we are, what we like to buy and what we do not fear.",
            "not",
        ),
        (BIRDS, BIRDS, ""),
        ("Birds that nest in June are not to be disturbed.", BIRDS, ""),
        ("Mowing later would hurt the broods of many species.", BIRDS, ""),
    ],
)
def test_a_near_copy_that_changes_a_word_is_told(claim: str, sentence: str, word: str) -> None:
    assert bearing.altered(claim, sentence) == word


@pytest.mark.parametrize(
    ("claim", "sentence", "word"),
    [
        ("Retention fell from 90 to 30 days.", "Retention fell from 30 to 90 days.", "30"),
        ("The council asked the miller for money.", "The miller asked the council for money.", "asked"),
        (BIRDS, BIRDS, ""),
        ("Birds nest in June.", BIRDS, ""),
        ("In July birds nest.", BIRDS, ""),
    ],
)
def test_a_copy_in_another_order_is_told(claim: str, sentence: str, word: str) -> None:
    assert bearing.reordered(claim, sentence) == word


@pytest.mark.parametrize(
    ("claim", "is_scattered"),
    [
        ("The birds decided to mow the hay.", True),
        ("Birds nest before it flowers, and the hay is worth most in June.", True),
        ("The birds must not be disturbed in June.", False),
        ("It is so.", False),
    ],
)
def test_what_is_put_together_from_several_sentences_is_told(claim: str, is_scattered: bool) -> None:
    assert bearing.scattered(claim, TEXT) == is_scattered


@pytest.mark.parametrize(
    ("claim", "is_parted"),
    [
        ("The board mows in May because the hay is worth most before it flowers.", True),
        ("The hay is worth most because birds nest in June.", True),
        ("Birds nest in June because birds must not be disturbed.", True),
        ("Birds must not be disturbed because they nest in June.", False),
        ("It is so because birds nest in June.", False),
    ],
)
def test_a_reason_of_another_sentence_is_told(claim: str, is_parted: bool) -> None:
    stretch = reason(claim)
    assert stretch is not None
    assert bearing.parted(claim, stretch, TEXT) == is_parted


def test_the_nearest_sentence() -> None:
    line = bearing.nearest("The birds nest there in June.", TEXT)
    assert line is not None
    assert line.text.strip() == BIRDS
    assert bearing.nearest("", TEXT) is None
