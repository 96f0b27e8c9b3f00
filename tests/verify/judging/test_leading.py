"""What a pronoun at a claim's beginning stands for."""

from __future__ import annotations

import pytest

from gitops.verify.judge import Question
from gitops.verify.judges.offline import Offline
from gitops.verify.judging.leading import subject


@pytest.mark.parametrize(
    ("claim", "before"),
    [
        ("The bridge was opened in 1987.", "Anna Berg was an engineer."),
        ("This bridge was opened in 1987.", "Anna Berg was an engineer."),
        ("It was opened in 1987.", ""),
        ("It was opened in 1987.", "Running far and wide through every town of that long valley, there was a road."),
        ("", "Anna Berg was an engineer."),
    ],
)
def test_what_stands_for_itself_or_cannot_be_told_has_no_subject(claim: str, before: str) -> None:
    assert subject(claim, before) == ""


@pytest.mark.parametrize(
    ("claim", "before", "stands_for"),
    [
        ("She opened the bridge.", "Anna Berg was an engineer.", "Anna Berg"),
        ("It was opened in 1987.", "The old harbour bridge was built of stone.", "The old harbour bridge"),
        ("This is why it grew.", "The range of the tide is larger then.", "The range of the tide"),
    ],
)
def test_a_pronoun_stands_for_the_subject_before_it(claim: str, before: str, stands_for: str) -> None:
    assert subject(claim, before) == stands_for


def test_a_claim_about_another_subject_is_less_supported() -> None:
    source = "The bridge at Wick was opened in 1987 by the mayor of the town."
    of_it, of_other = (
        Question("It was opened in 1987 by the mayor.", before=before, source=source)
        for before in ("The bridge at Wick is long.", "The theatre in Gdansk is long.")
    )
    [one, other] = Offline().votes([of_it, of_other])
    assert one.support is not None
    assert other.support is not None
    assert other.support < one.support
    assert "theatre" not in other.unsupported  # it is no word of the claim
