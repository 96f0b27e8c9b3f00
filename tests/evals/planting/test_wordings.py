from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from gitops.evals.planting.ground import Ground
from gitops.evals.planting.splices import spliced
from gitops.evals.planting.wordings import hedge, negation, quantifier

ClaimIn = Callable[..., tuple[Ground, int]]


def made(plant: Callable[..., Any], claim_in: ClaimIn, claim: str, source: str = "") -> set[str]:
    ground, at = claim_in(claim, source or claim)
    sound = ground.sound[at]
    return {spliced(sound.claim.text, [one]) for one in plant(sound, ground, random.Random(1))}


@pytest.mark.parametrize(
    "claim",
    [
        "Is the valve open in the morning?",
        "The valve, which is open, broke at noon.",
        "It broke when the valve is open.",
        "The valve is not only open in the day.",
        "The valve broke at noon in the hall.",
        "Das Ventil will und was offen war.",
    ],
)
def test_nothing_is_denied_where_that_would_not_be_the_contrary(claim_in: ClaimIn, claim: str) -> None:
    assert made(negation, claim_in, claim) == set()


@pytest.mark.parametrize(
    ("claim", "denied"),
    [
        ("The valve is open in the morning.", "The valve is not open in the morning."),
        ("The valve can open in the morning.", "The valve cannot open in the morning."),
        ("The valve has been open in the morning.", "The valve has not been open in the morning."),
        ("The valve will open for the crew.", "The valve will not open for the crew."),
        ("The valve is not open in the morning.", "The valve is open in the morning."),
        ("The valve isn't open in the morning.", "The valve is open in the morning."),
        ("The valve cannot open in the morning.", "The valve can open in the morning."),
        ("The valve is no longer open in the day.", "The valve is still open in the day."),
    ],
)
def test_what_is_said_is_denied_and_a_denial_taken_back(claim_in: ClaimIn, claim: str, denied: str) -> None:
    assert made(negation, claim_in, claim) == {denied}


@pytest.mark.parametrize(
    "claim",
    [
        "It is the most important of the valves.",
        "As many valves as there are in the hall.",
        "For a few seconds it is open to the air.",
        "In all three halls there is a valve.",
        "It is checked every day in the morning.",
        "It is not found in most of the valves.",
        "For several thousand valves it is the end.",
        "What the crews most often miss is the valve.",
    ],
)
def test_what_only_looks_like_a_quantifier_stays(claim_in: ClaimIn, claim: str) -> None:
    assert made(quantifier, claim_in, claim) == set()


@pytest.mark.parametrize(
    ("claim", "turned"),
    [
        ("All valves are open to the air.", "No valves are open to the air."),
        ("All of the valves are open to the air.", "None of the valves are open to the air."),
        ("It has all its valves in the hall.", "It has none of its valves in the hall."),
        ("Most old valves are open to the air.", "Few old valves are open to the air."),
        ("Some of the valves are open to the air.", "All of the valves are open to the air."),
        ("It is often open to the air.", "It is rarely open to the air."),
        ("It is never open to the air.", "It is always open to the air."),
        ("At least 3 valves are open to the air.", "At most 3 valves are open to the air."),
        ("It is half of the valves that are open.", "It is all of the valves that are open."),
        ("Every valve is open to the air.", "No valve is open to the air."),
    ],
)
def test_a_quantifier_is_turned(claim_in: ClaimIn, claim: str, turned: str) -> None:
    assert turned in made(quantifier, claim_in, claim)


def test_a_quantifier_that_the_source_has_there_is_not_planted(claim_in: ClaimIn) -> None:
    source = "Many valves are open to the air. Few valves are open to the air at night."
    assert made(quantifier, claim_in, "Many valves are open to the air.", source) == set()


def test_a_hedge_that_only_the_page_has_is_no_error_when_dropped(claim_in: ClaimIn) -> None:
    assert made(hedge, claim_in, "The valve may open in the morning.", "The valve opens in the morning.") == set()
    assert made(hedge, claim_in, "It is about 30 metres to the valve.", "It is 30 metres to the valve.") == set()


@pytest.mark.parametrize(
    ("claim", "flat"),
    [
        ("The valve may open in the morning.", "The valve will open in the morning."),
        ("The test suggests that the valve is open.", "The test proves that the valve is open."),
        ("The tests suggest that the valve is open.", "The tests prove that the valve is open."),
        ("The valve appears to be open to the air.", "The valve is open to the air."),
        ("The valve is probably open to the air.", "The valve is open to the air."),
        ("It is about 30 metres to the valve.", "It is exactly 30 metres to the valve."),
    ],
)
def test_a_hedge_is_dropped(claim_in: ClaimIn, claim: str, flat: str) -> None:
    assert made(hedge, claim_in, claim) == {flat}


@pytest.mark.parametrize(
    "claim",
    [
        "It is about 30-40 metres to the valve.",
        "It is under about 30 metres to the valve.",
        "It is a roughly 30 metre way to the valve.",
    ],
)
def test_about_is_left_where_exactly_would_be_no_sentence(claim_in: ClaimIn, claim: str) -> None:
    assert made(hedge, claim_in, claim) == set()
