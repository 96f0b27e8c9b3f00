from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.wiki.alignment import closest, difference, similarity

TEXT = (
    "Particle counts rose through the season at all sites and peaked in late summer. Black Tarn's 1,180 particles "
    "per litre was the season maximum; Glass Tarn recorded the lowest counts. 湖の水位は二〇一九年に二割下がった。"
)


def near(quote: str, text: str = TEXT) -> str | None:
    found = closest(quote, text, text.lower())
    return None if found is None else text[found.start : found.end]


@pytest.mark.parametrize("quote", ["", "…!?", "zqx wvk", "—"])
def test_nothing_is_near_a_quote_without_a_word_in_common(quote: str) -> None:
    assert near(quote) is None


@pytest.mark.parametrize(
    ("quote", "passage"),
    [
        ("Black Tarn's 1,190 particles per litre", "Black Tarn's 1,180 particles per litre"),
        ("Particle counts fell through the season", "Particle counts rose through the season"),
        ("peaked in summer.", "peaked in late summer."),
        ("Glass Tarn never recorded the lowest counts", "Glass Tarn recorded the lowest counts"),
        ("recorded Tarn Glass the lowest counts", "Glass Tarn recorded the lowest counts"),
        ("湖の水位は二〇一九年に三割下がった。", "湖の水位は二〇一九年に二割下がった。"),
        ("partic counts rose through", "Particle counts rose through"),
    ],
)
def test_the_passage_runs_from_whole_word_to_whole_word(quote: str, passage: str) -> None:
    assert near(quote) == passage


def test_a_range_bounds_the_search() -> None:
    start = TEXT.index("Black")
    assert closest("Particle counts rose", TEXT, TEXT.lower(), start) is None or start <= TEXT.index("recorded")
    found = closest("the season at most", TEXT, TEXT.lower(), start)
    assert found is not None
    assert found.start >= start


def test_the_nearest_of_two_passages_is_taken() -> None:
    text = (
        "The lake fell by two metres. "
        + "Some other matter stands between them. " * 40
        + "The lake fell by ten metres."
    )
    assert near("The lake rose by ten metres.", text) == "The lake fell by ten metres."


@given(st.text(alphabet="ab c1.é中\n", max_size=80), st.text(alphabet="ab c1.é中\n", max_size=80))
def test_the_difference_joins_to_both_sides(quote: str, exact: str) -> None:
    parts = difference(quote, exact)
    assert "".join(ours for _, ours, _ in parts) == " ".join(quote.split())
    assert "".join(theirs for _, _, theirs in parts) == " ".join(exact.split())
    assert all((tag == "equal") == (ours == theirs) for tag, ours, theirs in parts)


def test_the_difference_marks_the_word_that_changed() -> None:
    assert difference("fell by 40 percent", "fell by 4 percent") == (
        ("equal", "fell by ", "fell by "),
        ("replace", "40", "4"),
        ("equal", " percent", " percent"),
    )


def test_similarity_is_one_for_equals_and_nought_for_strangers() -> None:
    assert similarity(["a", "b"], ["a", "b"]) == 1.0
    assert similarity(["ab"], ["xy"]) == 0.0
    assert 0.75 < similarity(["fell", "by", "40", "percent"], ["fell", "by", "41", "percent"]) < 1.0


@given(st.text(max_size=60), st.text(max_size=200))
def test_whatever_is_found_lies_inside_the_text(quote: str, text: str) -> None:
    lowered = text.lower() if len(text.lower()) == len(text) else text
    found = closest(quote, text, lowered)
    if found is not None:
        assert 0 <= found.start < found.end <= len(text)
        assert 0.0 <= found.similarity <= 1.0


def test_a_long_quote_in_a_text_of_one_letter_ends() -> None:
    text = "a" * 1_000_000
    found = closest("a b " * 2500, text, text)
    assert found is None or found.similarity < 0.6


def test_a_long_altered_quote_is_found_in_a_large_text() -> None:
    dice = random.Random(7)
    words = ["".join(dice.choices("abcdefghij", k=dice.randint(2, 9))) for _ in range(150_000)]
    text = " ".join(words)
    altered = words[90_000:91_500]
    altered[700] = "zebra"
    found = closest(" ".join(altered), text, text)
    assert found is not None
    assert text[found.start : found.end] == " ".join(words[90_000:91_500])


def test_a_number_is_marked_whole() -> None:
    assert ("replace", "1,190", "1,180") in difference("held 1,190 particles", "held 1,180 particles")
