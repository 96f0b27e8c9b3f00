from __future__ import annotations

from gitops.wiki.model import Cite
from gitops.wiki.outline import NOTHING, Mark, Reading
from gitops.wiki.overlaps import apart
from gitops.wiki.positions import Lines

LINES = Lines("x" * 100)


def cite(start: int, end: int, dialect: str = "a") -> Cite:
    return Cite(dialect, "raw/x.md", LINES.place(start, end))


def cut(start: int, end: int) -> Mark:
    return Mark(start, end, (cite(start + 1, end - 1),))


def shown(start: int, end: int) -> Mark:
    return Mark(start, end, (cite(start, end),), is_shown=True)


def test_what_one_dialect_reads_is_left_as_it_is() -> None:
    one = Reading((shown(0, 5), cut(0, 9)), (cite(1, 4),))
    assert apart([one, NOTHING]) == [one, NOTHING]


def test_what_stands_apart_is_kept() -> None:
    readings = [Reading((cut(0, 9),)), Reading((shown(9, 12),), (cite(20, 30),))]
    assert apart(readings) == readings


def test_a_mark_that_is_cut_goes_before_the_page_and_the_page_before_a_part_of_a_sentence() -> None:
    marks, page, part = Reading((cut(0, 20),)), Reading(page_cites=(cite(5, 9),)), Reading((shown(5, 9),))
    assert apart([part, page, marks]) == [NOTHING, NOTHING, marks]
    assert apart([part, page]) == [NOTHING, page]


def test_what_a_mark_cites_elsewhere_does_not_back_the_page_too() -> None:
    numbered = Reading((Mark(0, 3, (cite(50, 60),)),))
    assert apart([numbered, Reading(page_cites=(cite(50, 58), cite(60, 70)))])[1].page_cites == (cite(60, 70),)


def test_of_two_marks_that_are_cut_the_wider_counts_and_of_equals_the_first() -> None:
    wide, narrow = Reading((cut(0, 20),)), Reading((cut(2, 10),))
    assert apart([narrow, wide]) == [NOTHING, wide]
    assert apart([wide, narrow]) == [wide, NOTHING]
    assert apart([narrow, narrow]) == [narrow, NOTHING]
