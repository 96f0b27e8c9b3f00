from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.wiki.folding import base
from gitops.wiki.leniency import overlooked, with_dashes


@pytest.mark.parametrize(
    ("quote", "exact"),
    [
        ("12 men", "1 2 men"),
        ("3.5 people", "3. 5 people"),
        ("1,180", "1, 180"),
        ("5 degrees", "-5 degrees"),
        ("-5 degrees", "5 degrees"),
        ("from 3 -5 on", "from 3-5 on"),
        ("1012", "10-12"),
        ("20192020", "2019-\n2020"),
        ("resign now", "re-sign now"),
        ("word word", "word — word"),
        ("he fled", "he fed"),
    ],
)
def test_what_changes_the_meaning_is_never_overlooked(quote: str, exact: str) -> None:
    for paged in (False, True):
        assert overlooked(quote, exact, paged=paged) is None


def test_a_space_inside_a_word_is_overlooked_in_a_pdf_alone() -> None:
    assert overlooked("now here", "nowhere", paged=False) is None
    assert overlooked("therapist", "the rapist", paged=False) is None
    found = overlooked("Black Tarn", "BlackTarn", paged=True)
    assert found is not None
    assert found.kinds == ("white space",)
    assert not found.spaceless


def test_a_line_that_lost_its_spaces_has_no_ends_of_words() -> None:
    found = overlooked("results of the Black Tarn", "resultsoftheBlackTarn", paged=True)
    assert found is not None
    assert found.spaceless


@pytest.mark.parametrize(
    ("quote", "exact", "kinds"),
    [
        ("Black Tarn", "black tarn", ("case",)),
        ('the "sun"', "the “sun”", ("quotation marks",)),
        ("2010-2015", "2010–2015", ("dashes",)),
        ("a -- b", "a — b", ("dashes",)),
        ("a—b", "a — b", ("white space",)),
        ("fish", "ﬁsh", ("ligatures",)),
        ("hyphenated", "hyphen-\n  ated", ("hyphenation",)),
        ("hyphenated", "hyphen\u00ad\nated", ("hyphenation", "invisible characters")),
        ("well-known", "well-\nknown", ("white space",)),
        ("ABC", "ＡＢＣ", ("letter forms",)),
        ("café", "cafe\u0301", ("letter forms",)),
        ("softhyphen", "soft\u00adhyphen", ("invisible characters",)),
        ("中文", "中\n文", ("white space",)),
        ("one , two", "one, two", ("white space",)),
        ('HE SAID "FISH-\nING"', "he said “ﬁshing”", ("case", "quotation marks", "ligatures", "hyphenation")),
    ],
)
def test_what_is_overlooked_has_its_name(quote: str, exact: str, kinds: tuple[str, ...]) -> None:
    found = overlooked(quote, exact, paged=False)
    assert found is not None
    assert set(kinds) <= set(found.kinds)
    assert found.kinds == kinds or "ﬁ" in exact


def test_a_dash_at_the_edge_of_the_quote_is_taken_along() -> None:
    text = "it was -5 degrees — or so"
    assert with_dashes("-5 degrees", text, 8, 17) == (7, 17)
    assert with_dashes("5 degrees —", text, 8, 17) == (8, 19)
    assert with_dashes("5 degrees", text, 8, 17) == (8, 17)


@given(st.text(alphabet='ab1.,- \n\u00ad–“"ﬁA', max_size=20))
def test_a_text_overlooks_nothing_in_itself(text: str) -> None:
    found = overlooked(text, text, paged=False)
    assert found is not None
    assert found.kinds == ()


@given(st.text(alphabet="ab12.,- \n", max_size=12), st.text(alphabet="ab12.,- \n", max_size=12))
def test_digits_are_never_joined_or_changed(one: str, other: str) -> None:
    found = overlooked(one, other, paged=True)
    if found is not None:
        assert base(one) == base(other)
        numbers = [["".join(filter(str.isdigit, word)) for word in text.split()] for text in (one, other)]
        assert "".join(numbers[0]) == "".join(numbers[1])
