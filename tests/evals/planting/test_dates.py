from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from gitops.evals.planting.dates import date
from gitops.evals.planting.ground import Ground
from gitops.evals.planting.splices import spliced


def made(claim_in: Callable[..., tuple[Ground, int]], claim: str, source: str = "") -> list[str]:
    ground, at = claim_in(claim, source or claim)
    sound = ground.sound[at]
    return [spliced(sound.claim.text, [one]) for one in date(sound, ground, random.Random(1))]


@pytest.mark.parametrize(
    "claim",
    [
        "It cost €1999.",
        "It is 1820 g in all.",
        "The model-2018 ran.",
        "It may march on.",
        "It grew by 2018% there.",
        "Long ago.",
    ],
)
def test_what_is_no_date_stays(claim_in: Callable[..., tuple[Ground, int]], claim: str) -> None:
    assert made(claim_in, claim) == []


@pytest.mark.parametrize(
    ("claim", "kept", "others"),
    [
        ("It opened in 1994 there.", "1994", 18),
        ("It opened in the spring of March.", "March", 11),
        ("It opened on May 3 there.", "May", 11),
        ("It opened on 14 Nov 3 there.", "Nov", 11),
        ("It opened on 2024-05-14 there.", "2024-05-14", 11),
    ],
)
def test_another_year_or_month_is_planted(
    claim_in: Callable[..., tuple[Ground, int]], claim: str, kept: str, others: int
) -> None:
    changed = made(claim_in, claim)
    assert len(set(changed)) == others
    assert all(kept not in text for text in changed)


def test_no_year_is_planted_that_the_source_names_there(claim_in: Callable[..., tuple[Ground, int]]) -> None:
    changed = made(
        claim_in, "The harbour opened in 1994.", "The harbour opened in 1994; the harbour opened anew in 1996."
    )
    assert changed
    assert "The harbour opened in 1996." not in changed
