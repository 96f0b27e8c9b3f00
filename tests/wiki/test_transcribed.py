"""Names that a transcript spells as they sounded."""

from __future__ import annotations

import pytest

from gitops.wiki.quoted import mended
from gitops.wiki.source_text import SourceText
from gitops.wiki.transcribed import KIND, heard

SPOKEN = (
    "0:00\nmy friend Andre Carpathy who built\n0:05\nthe first engine of its kind\n0:10\n"
    "and there was nothing like it in 1911\n"
)
TALK = SourceText(SPOKEN)


@pytest.mark.parametrize(
    "quotation",
    [
        "my friend Andre Karpatty who built",
        "my friend Andre Carpathy who guilt",
        "The first engine of its mind",
        "where was nothing like it in 1911",
        "Where was nothing like it in 1911",
        "there was nothing like it in 1912",
        "my friend Andre Karpathy who built the second engine",
        "my good friend Andre Karpathy who built",
        "my friend Andre Carpathy who built",
        "zzz qqq xxx yyy",
    ],
)
def test_what_is_more_than_one_letter_of_a_name_is_not_heard(quotation: str) -> None:
    assert heard(quotation, TALK) == ()


def test_only_transcripts_are_written_by_ear() -> None:
    said = "my friend Andre Karpathy who built the first engine"
    assert heard(said, SourceText(SPOKEN.replace("0:0", "at 0").replace("0:1", "at 1"))) == ()
    assert heard(said, SourceText(SPOKEN, extractor="pdf")) == ()


@pytest.mark.parametrize(
    ("quotation", "loud"),
    [
        ("my friend Andre Karpathy who built the first engine", (KIND,)),
        ("My friend Andrej Karpathy; who built the first engine", (KIND, "punctuation")),
        ("Carpathi who built the first engine", (KIND,)),
        ("my friend Andre Karpathy … the first engine", (KIND,)),
    ],
)
def test_a_letter_of_a_name_is_the_transcribers(quotation: str, loud: tuple[str, ...]) -> None:
    [spot] = heard(quotation, TALK)
    assert spot.loud == loud
    assert "Carpathy" in SPOKEN[spot.start : spot.end]


def test_a_mend_keeps_the_name_as_it_is_quoted() -> None:
    quotation = "My friend Andrej Karpathy — who built the first engine"
    [spot] = heard(quotation, TALK)
    assert mended(quotation, spot, TALK) == "my friend Andrej Karpathy who built the first engine"
