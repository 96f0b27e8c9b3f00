from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.wiki import markdown
from gitops.wiki.prose import Cut, Prose, language, split


def parts(text: str) -> list[str]:
    return [text[start:end] for start, end in split(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Use fell. It rose 😀 again! Why? No.", ["Use fell.", "It rose 😀 again!", "Why?", "No."]),
        ("See p. 12 of it. Dr. Smith et al. say so.", ["See p. 12 of it.", "Dr. Smith et al. say so."]),
        ("溶剂下降。第二句！第三句", ["溶剂下降。", "第二句！", "第三句"]),
        ("使用量は減った。次の文です。", ["使用量は減った。", "次の文です。"]),
        ("사용량이 줄었다. 다음 문장이다.", ["사용량이 줄었다.", "다음 문장이다."]),
        ("", []),
        ("   ", []),
        (" one ", ["one"]),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert parts(text) == expected


@pytest.mark.parametrize(("text", "code"), [("a", "en"), ("é", "en"), ("中", "zh"), ("中の", "ja"), ("한中", "ko")])
def test_the_language_is_guessed_by_script(text: str, code: str) -> None:
    assert language(text) == code


@given(st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=80))
def test_sentences_hold_every_visible_character_once_and_in_order(text: str) -> None:
    found = split(text)
    assert "".join("".join(text[start:end].split()) for start, end in found) == "".join(text.split())
    assert all(before[1] <= after[0] for before, after in pairwise(found))


def test_cuts_are_left_out_and_places_stay_true() -> None:
    page = "ab [[target|shown]] é &amp; z"
    (block,) = markdown.read(page, 0).blocks
    prose = Prose(block, (Cut(3, 12), Cut(17, 19)))
    assert prose.text == "ab shown é & z"
    for word in ("ab", "shown", "é", "z"):
        start = prose.text.index(word)
        assert page[slice(*prose.span(start, start + len(word)))] == word
    start = prose.text.index("&")
    assert page[slice(*prose.span(start, start + 1))] == "&amp;"


def test_a_place_in_the_block_is_found_in_the_prose() -> None:
    (block,) = markdown.read("abcdef", 0).blocks
    prose = Prose(block, (Cut(2, 4, " "),))
    assert prose.text == "ab ef"
    assert [prose.at(point) for point in (0, 1, 4, 6)] == [0, 1, 3, 5]
