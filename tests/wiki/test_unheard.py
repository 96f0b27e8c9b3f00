"""Quotes of a citation's own field that time stamps, labels and footnote marks cut in the source."""

from __future__ import annotations

import pytest

from gitops.wiki.anchors import locate
from gitops.wiki.source_text import SourceText

TEXT = (
    "[00:01] Ann: We begin with\n[00:05] Ann: the long story\n[00:09] Bob: of a **mill**[^3] that never\n\n"
    "[00:12] Bob: stopped, they say <del>not</del> at all. It cost 1[2]0 euros.\n"
)
TALK = SourceText(TEXT, is_markdown=True)


@pytest.mark.parametrize(
    "quote",
    [
        "We begin with the long tale",
        "they say not at all that",
        "they say at all",
        "It cost 10 euros",
        "story We begin",
    ],
)
def test_other_words_are_not_what_noise_cuts(quote: str) -> None:
    assert locate(quote, TALK).result in ("altered", "not_found")


@pytest.mark.parametrize(
    ("quote", "result", "remark", "written"),
    [
        ("We begin with the long story", "verified", "speaker labels, time stamps", "We begin with the long story"),
        ("we begin with the long story", "repaired", "speaker labels, time stamps", "We begin with the long story"),
        ("a mill that never", "repaired", "footnote marks", "a **mill** that never"),
        ("that never stopped", "verified", "speaker labels, time stamps", "that never stopped"),
    ],
)
def test_noise_is_remarked_and_a_mend_verifies(quote: str, result: str, remark: str, written: str) -> None:
    found = locate(quote, TALK)
    assert (found.result, found.written) == (result, written)
    assert set(found.remark.removeprefix("stands word for word but for ").split(", ")) == set(remark.split(", "))
    assert found.exact == TEXT[found.start : found.end]
    assert locate(found.written, TALK, offset=found.start).result == "verified"


def test_a_wrong_offset_is_repaired_without_the_noise() -> None:
    found = locate("that never stopped", TALK, offset=3)
    assert (found.result, found.written) == ("repaired", "that never stopped")


def test_an_altered_quote_is_compared_with_the_words_alone() -> None:
    found = locate("We begin with the short story", TALK)
    assert (found.result, found.written) == ("altered", "We begin with the long story")
    assert ("replace", "short", "long") in found.difference
    assert found.exact.count("[00:05]") == 1


def test_words_that_stand_as_they_are_are_never_asked_for_noise() -> None:
    found = locate("the long story", TALK)
    assert (found.result, found.remark, found.written) == ("verified", "", "the long story")
