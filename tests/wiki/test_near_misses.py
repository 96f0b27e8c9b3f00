from __future__ import annotations

import pytest

from gitops.wiki.near_misses import may_be_translated, nearest
from gitops.wiki.source_text import SourceText

TEXT = (
    "The mill was built in 1911 by two sisters.\n"
    "It never stopped: the wheel turned day\nand night, and *nobody* ever saw it rest.[^3] "
    "At 5:40 pm the bell rang for -5 seconds, and the 1,180 workers of the co-op went home.\n"
)
SOURCE = SourceText(TEXT, is_markdown=True)
TRANSCRIPT = SourceText("0:00\nFor two years the whole mill\n0:02\nagreed on how to grind\n[music]\n0:05\nits corn.\n")


def test_the_nearest_passage_is_told_without_noise() -> None:
    near = nearest("the whole mill agreed on how to bake its corn", TRANSCRIPT)
    assert near is not None
    assert near.told == "the whole mill agreed on how to grind its corn"
    assert near.similarity > 0.8
    assert ("replace", "bake", "grind") in near.difference


def test_of_a_cut_quotation_the_wrong_part_is_compared() -> None:
    near = nearest("The mill was built … the wheel turned day and noon", SOURCE)
    assert near is not None
    assert (near.part, near.told) == ("the wheel turned day and noon", "the wheel turned day and night")


def test_few_common_words_may_be_another_language() -> None:
    assert may_be_translated("Das Rad drehte sich Tag und Nacht", SOURCE)
    assert may_be_translated("물레방아는 밤낮으로 돌았다", SOURCE)
    assert may_be_translated("Seit 1911 stand kein Rad", SOURCE)
    assert not may_be_translated("the owner of the mill was never seen by day", SOURCE)


def test_what_stands_there_has_no_nearest_passage() -> None:
    assert nearest("the wheel turned day", SOURCE) is None
    assert nearest("zzz qqq xxx", SOURCE) is None


@pytest.mark.parametrize(
    ("quotation", "is_half"),
    [
        ("the slow river by day and night", False),
        ("the wheel stood day and night", True),
        ("mill by two sisters", True),
    ],
)
def test_half_of_the_longer_words_make_a_passage_the_quotation(quotation: str, is_half: bool) -> None:
    near = nearest(quotation, SOURCE)
    assert near is not None
    assert near.shares_half is is_half
