from __future__ import annotations

import pytest

from gitops.wiki.boundaries import begins_inside, ends_inside, whole_words, word_end


@pytest.mark.parametrize(
    ("text", "slice_", "begins", "ends"),
    [
        ("party", "art", True, True),
        ("art is", "art", False, False),
        ("we can't go", "can", False, True),
        ("we can’t go", "t go", True, False),
        ("of 1,180 particles", "180 particles", True, False),
        ("of 1,180 particles", "of 1", False, True),
        ("costs 40.5 percent", "costs 40", False, True),
        ("fell to -5 degrees", "5 degrees", True, False),
        ("a gap of .5 mm", "5 mm", True, False),
        ("a gap of .5 mm", ".5 mm", False, False),
        ("a gap of 0.5 mm", ".5 mm", True, False),
        ("in the end.5 Then", "5 Then", False, False),
        ("of 12'000 tons", "000 tons", True, False),
        ("of 12’000 tons", "of 12", False, True),
        ("in 2010-15 only", "15 only", False, False),
        ("in 2019.3 The next", "in 2019.", False, False),
        ("in 2019. The next", "in 2019", False, False),
        ("10² metres", "10", False, True),
        ("_art_ is", "art", False, False),
        ("made 1\u00a0180 tons", "180 tons", True, False),
        ("made 1\u202f180 tons", "made 1", False, True),
        ("made 12\u2009345\u2009678 tons", "345\u2009678", True, False),
        ("in 2019\u00a0180 tons", "180 tons", False, False),
        ("in 2019 180 tons", "180 tons", False, False),
        ("made 1 180 tons", "180 tons", False, False),
        ("the 1\u00a01800 kg", "1800 kg", False, False),
        ("東京都", "京", False, False),
        ("서울은", "서울", False, False),
        ("ภาษาไทย", "ษาไ", False, False),
        ("GPT模型", "GPT", False, False),
        ("cafe\u0301s", "cafe", False, True),
        ("(5 degrees)", "5 degrees", False, False),
    ],
)
def test_a_slice_may_not_cut_a_word_or_a_number(text: str, slice_: str, begins: bool, ends: bool) -> None:
    start = text.index(slice_)
    assert begins_inside(text, start) is begins
    assert ends_inside(text, start + len(slice_)) is ends


def test_nothing_is_cut_at_the_ends_of_a_text() -> None:
    assert not begins_inside("art", 0)
    assert not ends_inside("art", 3)


def test_a_cut_slice_is_widened_to_whole_words() -> None:
    text = "about 1,180 particles"
    start, end = whole_words(text, text.index("180"), text.index("icles"))
    assert text[start:end] == "1,180 particles"
    text = "a gap of .5 mm"
    assert whole_words(text, text.index("5"), len(text)) == (text.index(".5"), len(text))


def test_a_word_ends_where_its_letters_do() -> None:
    assert word_end("aaaa b", 1) == 4
    assert word_end("aaaa", 1) == 4
    assert word_end("GPT模型", 0) == 3


def test_a_slice_that_cuts_a_grouped_number_grows_to_the_whole() -> None:
    text = "made 12\u00a0345\u00a0678 tons"
    assert whole_words(text, text.index("345"), text.index("345") + 3) == (5, 15)
