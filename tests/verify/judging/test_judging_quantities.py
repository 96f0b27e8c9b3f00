"""Numbers with their units and scales, and when two of them say the same."""

from __future__ import annotations

import pytest

from gitops.verify.judging.comparing import conflicting, covered
from gitops.verify.judging.quantities import Quantity, quantities
from gitops.verify.judging.words import tokens


def read(text: str) -> list[Quantity]:
    return quantities(tokens(text))


def only(text: str) -> Quantity:
    [found] = read(text)
    return found


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("40 %", "60 %"),
        ("40 %", "40 tonnes"),
        ("two fifths", "three fifths"),
        ("1.2 million", "1.2 billion"),
        ("1,200", "1,300"),
        ("in 2018", "in 2019"),
        ("the 1980s", "in 1991"),
        ("the 5th", "the 6th"),
        ("about 100 ships", "about 150 ships"),
    ],
)
def test_other_numbers_are_not_covered(claim: str, source: str) -> None:
    assert not covered(only(claim), read(source))


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("40 %", "40 per cent"),
        ("40 %", "two fifths"),
        ("50 percent", "half"),
        ("1.2 million", "1,200,000"),
        ("1.2 million", "1,234,567"),
        ("forty-two ships", "42 ships"),
        ("one hundred and five", "105"),
        ("two dozen", "24"),
        ("the 1980s", "in 1984"),
        ("fifth", "5th"),
        ("about 100 ships", "98 ships"),
        ("$5 million", "5 million dollars"),
    ],
)
def test_the_same_number_in_other_words_is_covered(claim: str, source: str) -> None:
    assert covered(only(claim), read(source))


@pytest.mark.parametrize("name", ["COVID-19", "IL-6", "H1N1"])
def test_the_number_of_a_name_is_none(name: str) -> None:
    assert read(name) == []


def test_a_date_in_digits_has_its_month_and_year() -> None:
    assert [(each.kind, each.value) for each in read("2018-11-10")] == [("year", 2018), ("month", 11), ("plain", 10)]
    assert covered(only("November"), read("published 2018-11-10"))


def test_the_second_year_of_a_range_is_a_year() -> None:
    assert [each.value for each in read("2018–19")] == [2018, 2019]


def test_what_conflicts_counts_the_same_thing() -> None:
    assert conflicting(only("12 ships"), read("14 ships and 3 boats")) is not None
    assert conflicting(only("12 ships"), read("14 boats")) is None
    assert conflicting(only("12 ships"), read("14 ships, later 12 ships")) is None
