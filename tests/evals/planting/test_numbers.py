from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.evals.planting.ground import Ground
from gitops.evals.planting.numbers import digit, equals_any, numbers, unit
from gitops.evals.planting.splices import spliced

ClaimIn = Callable[..., tuple[Ground, int]]


def made(plant: Callable[..., object], claim_in: ClaimIn, claim: str, source: str) -> list[str]:
    ground, at = claim_in(claim, source)
    sound = ground.sound[at]
    splices = plant(sound, ground, random.Random(1))
    return [spliced(sound.claim.text, [splice]) for splice in splices]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "claim",
    [
        "It used solvent in 2018.",
        "It used more than 12 litres.",
        "It used at least 12 litres.",
        "It used between 12 litres and much.",
        "Bench 3 was used.",
        "It was used on November 14.",
        "The mix is 1:8 strong.",
        "It takes 18-22 of them.",
        "The FOTON-3 flew.",
        "It came 14th.",
        "Version 1.2.3 came.",
        "Step 06 is next.",
        "It used solvent.",
    ],
)
def test_no_digit_is_changed_where_the_sentence_might_stay_true(claim_in: ClaimIn, claim: str) -> None:
    assert made(digit, claim_in, claim, claim) == []


def test_one_digit_is_changed(claim_in: ClaimIn) -> None:
    claim = "The plant used 4,200 litres of solvent."
    changed = made(digit, claim_in, claim, claim)
    assert len(changed) > 20
    for text in changed:
        assert len(text) == len(claim)
        assert sum(one != other for one, other in zip(text, claim, strict=True)) == 1
        assert not text.startswith("The plant used 0")


def test_what_is_about_so_much_becomes_far_more_or_less(claim_in: ClaimIn) -> None:
    changed = made(digit, claim_in, "It lasts about 50 days.", "It lasts about 50 days.")
    values = [int(text.split()[3]) for text in changed]
    assert values
    assert all(value >= 75 or value <= 33 for value in values)


@pytest.mark.parametrize(
    ("source", "not_these"),
    [
        ("The plant lost 40 litres there, or two fifths of it, half.", {40, 50}),
        ("The plant lost 30 litres there, later 90 litres of it.", {30, 90}),
        ("The plant lost ten litres there; twenty litres later.", {10, 20}),
    ],
)
def test_no_number_is_planted_that_the_source_has_there(claim_in: ClaimIn, source: str, not_these: set[float]) -> None:
    changed = made(digit, claim_in, "The plant lost 10 litres there.", source)
    values = {float(text.split()[3]) for text in changed}
    assert values
    assert values.isdisjoint(not_these)


@pytest.mark.parametrize(
    ("value", "other"), [(5.0, 5.0), (0.4, 40.0), (1.2, 1_200_000.0), (8.05, 5.0), (2.0, 120.0), (14.0, 2.0)]
)
def test_equal_in_another_scale_or_unit_is_equal(value: float, other: float) -> None:
    assert equals_any(value, [other])


@given(st.floats(0.1, 1e6))
def test_a_number_equals_itself_in_per_cent(value: float) -> None:
    assert equals_any(value, [value * 100])


def test_numbers_are_read_in_digits_words_and_fractions() -> None:
    assert {1234.5, 3.0, 0.4, 0.5} <= set(numbers("1,234.5 of them, three; two fifths, a half"))


@pytest.mark.parametrize("claim", ["It weighs much.", "It is 12 strong.", "It grew 5 m² a year.", "A 3/4 kg loaf."])
def test_no_unit_is_changed_where_there_is_none(claim_in: ClaimIn, claim: str) -> None:
    assert [text for text in made(unit, claim_in, claim, claim) if "m²" in text or "12" in text] == []


@pytest.mark.parametrize(
    ("claim", "changed"),
    [
        ("The road is 5 km long.", "The road is 5 miles long."),
        ("It lost 40 % of them.", "It lost 40 percentage points of them."),
        ("It lost 40% of them.", "It lost 40 percentage points of them."),
        ("A loaf of 2 kg is sold.", "A loaf of 2 g is sold."),
        ("A 14-hour batch is sold.", "A 14-day batch is sold."),
        ("It lasts three minutes there.", "It lasts three hours there."),
        ("It made 3 million euros.", "It made 3 billion euros."),
    ],
)
def test_a_unit_is_changed_for_one_of_its_kind(claim_in: ClaimIn, claim: str, changed: str) -> None:
    assert changed in made(unit, claim_in, claim, claim)


def test_a_unit_in_which_the_source_gives_it_too_is_none(claim_in: ClaimIn) -> None:
    source = "The road is 5 km long. On the sign the road is 5 miles long."
    assert made(unit, claim_in, "The road is 5 km long.", source) == []
