"""Which words are names, and when a source holds them."""

from __future__ import annotations

import pytest

from gitops.verify.judging import naming
from gitops.verify.judging.reading import Reading
from gitops.verify.judging.words import tokens


def missing(claim: str, source: str) -> list[str]:
    words = tokens(claim)
    return [word.text for word in naming.missing(words, naming.names(words, claim), Reading(source))]


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("It was built in Libya.", "It stands in a Libyan town."),
        ("It is made in the United States.", "It is made in the U.S. alone."),
        ("It is run by the World Health Organization.", "It is run by WHO."),
        ("It is run by the WHO.", "It is run by the World Health Organization."),
        ("It came from England.", "It is an English ship."),
    ],
)
def test_a_name_in_another_form_is_held(claim: str, source: str) -> None:
    assert missing(claim, source) == []


def test_a_name_that_is_nowhere_is_missing() -> None:
    assert missing("It was built by Brunel in Bristol.", "It was built by Stephenson in Bristol.") == ["Brunel"]


def test_the_first_word_of_a_sentence_and_a_title_in_capitals_are_no_names() -> None:
    assert missing("Ships sail. Boats row.", "") == []
    assert missing("The Great Big Title Of Some Other Work Here", "") == []
