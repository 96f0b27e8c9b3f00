"""A source read once: its sentences, and where its words stand."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.verify.judging.reading import Reading, sentences


def texts(text: str) -> list[str]:
    return [text[start:end].strip() for start, end in sentences(text)]


@pytest.mark.parametrize("text", ["Dr. Smith left.", "It grew by 3.5 per cent.", "He met J. Doe there."])
def test_no_sentence_ends_at_an_abbreviation_or_a_point_in_a_number(text: str) -> None:
    assert texts(text) == [text]


def test_sentences_end_at_full_stops_and_at_lines() -> None:
    assert texts("One is here. Two is there.\n- Three\n\nFour") == ["One is here.", "Two is there.", "- Three", "Four"]


def test_a_wrapped_line_goes_on() -> None:
    assert texts("It was built in the year\nand burnt down later.") == [
        "It was built in the year\nand burnt down later."
    ]


@given(st.text(max_size=300))
def test_sentences_are_in_order_and_lose_no_word(text: str) -> None:
    bounds = sentences(text)
    assert all(start < end for start, end in bounds)
    assert all(one[1] <= other[0] for one, other in pairwise(bounds))
    assert "".join("".join(text[start:end].split()) for start, end in bounds) == "".join(text.split())


def test_a_stem_is_found_in_every_sentence_that_holds_it() -> None:
    assert Reading("Ships sail. A ship sank. Nothing.").where("ship") == (0, 1)
