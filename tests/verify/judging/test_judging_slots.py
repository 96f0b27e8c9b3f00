"""What stands in a word's place in the other sentence."""

from __future__ import annotations

import pytest

from gitops.verify.judging import naming
from gitops.verify.judging.slots import renamed, slots
from gitops.verify.judging.words import tokens


def other_names(claim: str, line: str) -> list[tuple[str, str]]:
    words = tokens(claim)
    found = renamed(words, naming.names(words, claim), tokens(line), line)
    return [(one.text, other.text) for one, other in found]


@pytest.mark.parametrize(
    ("claim", "line"),
    [
        ("It was built by Brunel in 1859.", "It was built by Brunel in 1859."),
        ("It was built by Brunel in 1859.", "It was built in 1859."),
        ("It was built by Brunel in 1859.", "It was built by engineers in 1859."),
        ("It was built by Brunel.", "Brunel and Locke had it built."),
    ],
)
def test_a_name_that_is_there_or_has_no_other_in_its_place_is_not_exchanged(claim: str, line: str) -> None:
    assert other_names(claim, line) == []


def test_another_name_in_its_place_is_named() -> None:
    assert other_names("It was built by Brunel in 1859.", "It was built by Locke in 1859.") == [("Brunel", "Locke")]


def test_slots_stand_between_words_that_both_have() -> None:
    one, other = tokens("the red ship sank"), tokens("the blue old ship sank there")
    assert list(slots(one, other)) == [(range(1, 2), range(1, 3))]
