"""Quotations from Markdown sources without the mark-up: what may be left out, and what may not."""

from __future__ import annotations

import pytest

from gitops.wiki.anchors import locate
from gitops.wiki.source_text import SourceText
from gitops.wiki.unmarked import LONGEST

BREW = (
    "# The brew\n\nIt takes **55 g** of coffee and *not* more than `1 l` of water; see [the guide](https://x.y/z) for\n"
    "~~old~~ new values. 10\\* stars, 2**3 and 5 * 3.\n\n- rinse first\n- stir **twice**\n\n"
    "> It was said\n> long ago.\n\n| cup | pot |\n|---|---|\n| 12 | 34 |\n\nIt fell fast[^1] in May.\n\n[^1]: x\n"
)


def markdown(text: str) -> SourceText:
    return SourceText(text, is_markdown=True)


@pytest.mark.parametrize(
    "quote",
    [
        "56 g of coffee",
        "55 g of tea",
        "of coffee and more than 1 l",
        "for old new values",
        "cup pot",
        "12 34",
        "stars, 23 and",
        "5 3",
    ],
)
def test_a_changed_word_or_what_is_struck_out_or_set_apart_is_no_mark_up(quote: str) -> None:
    assert locate(quote, markdown(BREW)).result in ("altered", "not_found")


@pytest.mark.parametrize(
    ("quote", "text"),
    [("106 tons", "10<sup>6</sup> tons"), ("123 tons", "1*2*3 tons"), ("able to go", "un**able** to go")],
)
def test_marks_inside_a_number_or_before_the_rest_of_a_word_are_not_overlooked(quote: str, text: str) -> None:
    assert locate(quote, markdown(f"It was {text} in all.")).result in ("altered", "not_found")


def test_marks_count_in_what_is_no_markdown() -> None:
    assert locate("55 g of coffee", SourceText(BREW)).result == "altered"


def test_a_source_too_long_to_parse_is_not_parsed() -> None:
    assert locate("55 g of coffee", markdown(BREW + "\n" * LONGEST)).result == "altered"


@pytest.mark.parametrize(
    ("quote", "exact"),
    [
        ("55 g of coffee", "**55 g** of coffee"),
        ("coffee and not more than 1 l of", "coffee and *not* more than `1 l` of"),
        ("see the guide for", "see [the guide](https://x.y/z) for"),
        ("10* stars", "10\\* stars"),
        ("rinse first stir twice", "rinse first\n- stir **twice**"),
        ("It was said long ago.", "It was said\n> long ago."),
        ("It fell fast in May", "It fell fast[^1] in May"),
    ],
)
def test_what_the_page_shows_is_repaired_to_what_the_source_writes(quote: str, exact: str) -> None:
    source = markdown(BREW)
    anchor = locate(quote, source)
    assert (anchor.result, anchor.exact, anchor.reason) == ("repaired", exact, "mark-up")
    assert source.text[anchor.start : anchor.end] == exact
    assert locate(anchor.exact, source, offset=anchor.start).result == "verified"


def test_other_things_overlooked_are_told_beside_the_mark_up() -> None:
    assert locate("it takes 55 g of coffee", markdown(BREW)).reason == "mark-up, case"


def test_of_several_places_the_offset_chooses() -> None:
    text = "Some **55 g** of tea, then **55 g** of tea."
    start = text.rindex("**55")
    assert locate("55 g of tea", markdown(text), offset=start).start == start
    assert locate("55 g of tea", markdown(text)).remark == "stands 2 times in the source"


def test_a_page_number_that_markdown_does_not_have_is_told_here_too() -> None:
    assert locate("55 g of coffee", markdown(BREW), first_page=2).result == "misattributed"
