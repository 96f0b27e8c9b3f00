from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gitops.wiki.folding import base, fold

TEXT = st.text(
    alphabet=st.one_of(
        st.sampled_from(" \t\n\r\f\u00a0\u3000-–—\u00ad\u200b'\"“”ﬁﬃßİée\u0301\u0308ㄱᄀ\u1161\u11a8가각²½ａＡ１𝟏…1aA"),
        st.characters(),
    ),
    max_size=60,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        (" \n\t ", ""),
        ("a  b\n c\u00a0d\u3000e\f", "a b c d e"),
        ("Ünchanged “marks” – and ﬁ", "Ünchanged “marks” – and ﬁ"),
    ],
)
def test_space_folds_white_space_and_nothing_else(text: str, expected: str) -> None:
    assert fold(text).text == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Of ﬂuids and ﬁsh", "of fluids and fish"),
        ("“It’s”", '"it\'s"'),
        ("«ja»", "'ja'"),
        ("2010–2015", "2010-2015"),
        ("hyphen-\nated", "hyphenated"),
        ("soft\u00adhyphen", "softhyphen"),
        ("Tabletext", "Table text"),
        ("ＡＢＣ（１）", "ABC(1)"),
        ("cafe\u0301", "CAFÉ"),
        ("\u1112\u1161\u11ab", "한"),
        ("STRASSE", "Straße"),
        ("and so on…", "and so on..."),
    ],
)
def test_loose_folds_what_typesetting_changes(one: str, other: str) -> None:
    assert fold(one, "loose").text == fold(other, "loose").text


@pytest.mark.parametrize(("one", "other"), [("10²", "102"), ("1½", "11/2"), ("①", "1"), ("H₂O", "H2O"), ("5′", "5'")])
def test_loose_keeps_apart_what_differs_in_meaning(one: str, other: str) -> None:
    assert fold(one, "loose").text != fold(other, "loose").text


@given(TEXT)
@example("\u00a0a\u00a0")
@example(" - a ﬁ-\n b ")
def test_every_folded_character_leads_back_to_where_it_came_from(text: str) -> None:
    spaced = fold(text)
    for index, character in enumerate(spaced.text):
        start, end = spaced.span(index, index + 1)
        assert text[start:end] == character or (character == " " and text[start:end].isspace())


@given(TEXT)
@example("x\u1100\u1161")
@example("e\u00ad\u0301")
def test_every_loosely_folded_character_comes_from_a_slice_that_folds_to_it(text: str) -> None:
    loose = fold(text, "loose")
    before = 0
    for index, character in enumerate(loose.text):
        start, end = loose.span(index, index + 1)
        assert start >= before
        assert start < end
        assert character in base(unicodedata.normalize("NFC", text[start:end]))
        before = start


@given(TEXT, st.data())
def test_a_span_of_words_folds_to_the_same_words(text: str, data: st.DataObject) -> None:
    spaced = fold(text)
    start = data.draw(st.integers(0, len(spaced.text)))
    end = data.draw(st.integers(start, len(spaced.text)))
    first, last = spaced.span(start, end)
    assert fold(text[first:last]).text == spaced.text[start:end].strip()


@given(TEXT, st.integers(0, 60), st.sampled_from(["space", "loose"]))
def test_an_offset_leads_to_the_first_character_at_or_after_it(text: str, offset: int, strength: str) -> None:
    folded = fold(text, "space" if strength == "space" else "loose")
    at = folded.at(offset)
    assert 0 <= at <= len(folded.text)
    if at < len(folded.text):
        assert folded.span(at, at + 1)[0] >= offset or offset <= folded.span(at, at + 1)[1]
    if at:
        assert folded.span(at - 1, at)[0] < offset


@given(TEXT)
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text).text).text == fold(text).text
