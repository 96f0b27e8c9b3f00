from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gitops.wiki.positions import Lines, code_points


def test_crlf_lf_and_lone_cr_each_end_one_line() -> None:
    text = "a\r\nb\nc\rd"
    assert [Lines(text).place(text.index(letter), text.index(letter) + 1).line for letter in "abcd"] == [1, 2, 3, 4]


def test_an_end_just_after_a_line_break_is_still_on_that_line() -> None:
    place = Lines("ab\ncd\n").place(0, 3)
    assert (place.line, place.end_line) == (1, 1)


def test_a_place_over_lines_knows_both() -> None:
    place = Lines("ab\ncd\nef").place(1, 7)
    assert (place.line, place.column, place.end_line) == (1, 2, 3)


def test_a_line_beyond_the_last_starts_where_the_last_does() -> None:
    assert Lines("a\nb").start_of(9) == 2


@given(st.text(), st.lists(st.integers(min_value=0)), st.integers(min_value=0, max_value=9))
def test_bytes_map_to_code_points_in_any_order(text: str, picks: list[int], base: int) -> None:
    text = text.encode("utf-8", "replace").decode()
    point = code_points(text, base)
    for pick in picks:
        at = pick % (len(text) + 1)
        assert point(len(text[:at].encode())) == at + base
