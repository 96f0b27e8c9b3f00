from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.wiki.folding import fold
from gitops.wiki.wording import Sameness, Words, sameness


@pytest.mark.parametrize(
    ("quote", "exact"),
    [
        ("12 mills", "1 2 mills"),
        ("35 mills", "3.5 mills"),
        ("it fell to 5", "it fell to -5"),
        ("1,18 mills", "118 mills"),
        ("118 mills", "1\u00a018 mills"),
        ("p < 0.05", "p > 0.05"),
        ("the wheel stood", "the ~~wheel~~ stood"),
        ("the wheel", "a wheel"),
        ("", ""),
        ("...", "!!!"),
    ],
)
def test_not_the_same(quote: str, exact: str) -> None:
    assert sameness(quote, exact, paged=False) is None


@pytest.mark.parametrize(
    ("quote", "exact", "loud"),
    [
        ("a wiki — structured, so", "a wiki, structured so", ("punctuation",)),
        ("you ask. Because", "you ask because", ("case", "punctuation")),
        ("whatever data sets", "whatever datasets", ("word division",)),
        ("a cofounder", "a co-founder", ("hyphens",)),
        ("we dont know", "we don't know", ("apostrophes",)),
        ("1180 mills", "1,180 mills", ("number forms",)),
    ],
)
def test_what_should_be_mended(quote: str, exact: str, loud: tuple[str, ...]) -> None:
    same = sameness(quote, exact, paged=False)
    assert same is not None
    assert same.loud == loud


@pytest.mark.parametrize(
    ("quote", "exact", "quiet"),
    [
        ("the wheel turned", "the\n  wheel turned", ("white space",)),
        ("The wheel", "the wheel", ("case",)),
        ("so - he said", "so — he said", ("dashes",)),
        ('he said "so" once', "he said “so” once", ("quotation marks",)),
        ("the wheel turned", "the **wheel** turned", ("mark-up",)),
        ("the millwheel turned", "the mill-\nwheel turned", ("hyphenation",)),
        ("in 2010-2012 it", "in 2010–2012 it", ("dashes",)),
        ("office", "o\ufb03ce", ("letter forms",)),
        ("水车日夜", "水车 日夜", ("white space",)),
    ],
)
def test_what_nobody_needs_to_hear_of(quote: str, exact: str, quiet: tuple[str, ...]) -> None:
    assert sameness(quote, exact, paged=False) == Sameness((), quiet)


def test_a_pdf_may_lose_its_spaces_but_not_within_numbers() -> None:
    same = sameness("the wheel turned day and night", "thewheelturneddayandnight", paged=True)
    assert same == Sameness((), ("white space",), is_spaceless=True)
    assert sameness("in 19 11 it", "in 1911 it", paged=True) is None


TEXT = st.text(st.sampled_from("ab Z9.,-\n*é\u0301ßﬁ水한\u1161'%"), max_size=60)


@given(TEXT, st.integers(0, 40))
def test_the_words_are_the_folded_text_and_lead_back_to_it(text: str, repeats: int) -> None:
    text = unicodedata.normalize("NFC", text) * repeats
    words = Words(text)
    assert words.text == fold(text, "words").text
    for at in range(0, len(words.text), 7):
        start, end = words.span(at, at + 1)
        assert words.text[at] in fold(text[start:end], "words").text


@given(TEXT)
def test_a_text_has_its_own_words(text: str) -> None:
    same = sameness(text, text, paged=False)
    assert same is None or same.loud == ()


@pytest.mark.parametrize("grouped", ["1,180 mills", "1\u00a0180 mills", "1\u202f180 mills"])
def test_a_number_may_be_grouped_in_any_way(grouped: str) -> None:
    assert sameness("1180 mills", grouped, paged=False) == Sameness(("number forms",), ())
