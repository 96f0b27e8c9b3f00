"""Values that are cheap to make, and properties that are worked out once."""

from __future__ import annotations

import copy
from dataclasses import replace

import pytest

from gitops.wiki.model import Page, Place
from gitops.wiki.page import parse
from gitops.wiki.positions import Lines
from gitops.wiki.values import once, value_class


@value_class
class Point:
    x: int
    y: int = 0


def test_values_compare_by_their_fields_and_are_hashable() -> None:
    assert Point(1) == replace(Point(2), x=1)
    assert len({Point(1), Point(1, 0), Point(1, 1)}) == 2
    assert not hasattr(Point(1), "__dict__")


def test_a_property_is_worked_out_once_for_each_object() -> None:
    class Counted:
        count = 0

        @once
        def number(self) -> int:
            self.count += 1
            return self.count

    first, second = Counted(), Counted()
    assert [first.number, first.number, second.number] == [1, 1, 1]


def test_a_place_that_is_looked_up_late_is_the_same_place() -> None:
    lines = Lines("one\ntwo\nthree")
    late = lines.place(4, 9)
    assert late == Place(4, 9, 2, 1, 3)
    assert hash(late) == hash(Place(4, 9, 2, 1, 3))
    assert repr(late) == "Place(start=4, end=9, line=2, column=1, end_line=3)"
    assert copy.deepcopy(late) == late
    assert late != Place(4, 9, 3, 1, 3)


def test_a_place_has_nothing_else() -> None:
    with pytest.raises(AttributeError, match="colour"):
        _ = lines_place().colour  # type: ignore[attr-defined]


def lines_place() -> Place:
    return Lines("one").place(0, 1)


def test_the_prose_of_a_parsed_page_is_read_when_it_is_asked_for() -> None:
    page = parse(b"---\ntitle: A\n---\n\nSee [[tea]] and `code`.[^1]\n\n[^1]: raw/a.md\n")
    assert page.prose == "See tea and ."
    assert Page("", prose="given").prose == "given"
    assert replace(page, body=0).prose == page.prose
