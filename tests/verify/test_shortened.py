from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gitops.verify.shortened import WIDTH, apart, short


def test_a_short_text_stands_whole_on_one_line() -> None:
    assert short("fell\n  by half") == '"fell by half"'
    assert apart("fell by half", "fell by all") == ('"fell by half"', '"fell by all"')


def test_a_long_text_is_cut_at_its_end() -> None:
    assert short("word " * 40) == f'"{("word " * 40)[: WIDTH - 1]}…"'


def test_long_texts_show_where_they_differ() -> None:
    same = "the same words over and over " * 8
    one, other = apart(f"{same}fell by half", f"{same}rose by half")
    assert (one[:2], other[:2]) == ('"…', '"…')
    assert one.endswith('fell by half"')
    assert other.endswith('rose by half"')


def test_texts_that_differ_early_keep_their_beginning() -> None:
    one, other = apart("It fell " + "and so on " * 20, "It rose " + "and so on " * 20)
    assert (one[:8], other[:8]) == ('"It fell', '"It rose')


@given(st.text(), st.text(), st.text())
def test_what_is_shown_of_different_texts_differs_and_is_short(same: str, one: str, other: str) -> None:
    shown = apart(same + one, same + other)
    assert max(map(len, shown)) <= WIDTH + 2
    first, second = (" ".join((same + text).split()) for text in (one, other))
    if first[: WIDTH // 2] != second[: WIDTH // 2]:
        assert shown[0] != shown[1]
