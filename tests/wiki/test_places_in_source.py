from __future__ import annotations

import pytest

from gitops.wiki.model import Cite, Locator, Place
from gitops.wiki.places_in_source import locator_of, stretch
from gitops.wiki.source_text import SourceText

MARKDOWN = SourceText("# Mill\n\none\n\n## Wheel\n\ntwo\nthree\n\n## Bell\n\nfour\n", is_markdown=True)
TALK = SourceText("0:00\none\n0:20\ntwo\n0:40\nthree\n")
PDF = SourceText("one 210\f two 211\f three 212", (0, 8, 17), "pdf")


def cite(locator: Locator | None = None, pages: tuple[int, int] | None = None) -> Cite:
    first, last = pages or (None, None)
    return Cite("canonical", "raw/a", Place(0, 1, 1, 1, 1), locator=locator, first_page=first, last_page=last)


def lines(first: int, last: int) -> Cite:
    return cite(Locator("lines", first, last))


def heading(said: str) -> Cite:
    return cite(Locator(said, heading=said))


def moment(first: int, last: int | None = None) -> Cite:
    return cite(Locator("moment", seconds=first, last_seconds=last))


@pytest.mark.parametrize(
    ("asked", "source", "lack", "message", "repair"),
    [
        (lines(8, 13), MARKDOWN, "no_line", "the source has 12 lines", "cite lines from 1 to 12"),
        (lines(0, 2), MARKDOWN, "no_line", "the source has 12 lines", "cite lines from 1 to 12"),
        (heading("Whel"), MARKDOWN, "no_heading", "no heading of the source is called so", "cite 'Wheel'"),
        (heading("Sea"), SourceText("x", is_markdown=True), "no_heading", "the source has no headings", "cite lines"),
        (moment(5), MARKDOWN, "no_moment", "the source has no time stamps", "cite a heading or lines"),
        (moment(101), TALK, "no_moment", "the source's last time stamp is 0:40", "cite a moment up to 0:40"),
        (cite(pages=(3, 4)), PDF, "no_page", "the source has 3 pages", "cite a page from 1 to 3"),
        (cite(pages=(0, 1)), PDF, "no_page", "the source has 3 pages", "cite a page from 1 to 3"),
    ],
)
def test_a_place_that_is_not_there(asked: Cite, source: SourceText, lack: str, message: str, repair: str) -> None:
    found = stretch(asked, source)
    assert found is not None
    assert (found.lack, found.message, found.spans) == (lack, message, ())
    assert found.repair.startswith(repair)


@pytest.mark.parametrize(
    ("asked", "source"),
    [
        (cite(), MARKDOWN),
        (lines(8, 99), PDF),
        (heading("Sea"), TALK),
        (heading("Sea"), PDF),
        (heading("^block"), MARKDOWN),
        (moment(5), PDF),
        (cite(pages=(9, 9)), MARKDOWN),
    ],
)
def test_a_place_that_nobody_can_tell(asked: Cite, source: SourceText) -> None:
    assert stretch(asked, source) is None


@pytest.mark.parametrize(
    ("asked", "source", "held", "name"),
    [
        (lines(3, 3), MARKDOWN, "one", "line 3"),
        (lines(8, 7), MARKDOWN, "two\nthree", "lines 7-8"),
        (heading("wheel"), MARKDOWN, "two\nthree", "§ Wheel"),
        (heading("Mill"), MARKDOWN, "one\n\n## Wheel\n\ntwo\nthree\n\n## Bell\n\nfour", "§ Mill"),
        (moment(39), TALK, "two\n0:40\nthree", "0:39"),
        (moment(99), TALK, "three", "1:39"),
        (moment(0, 21), TALK, "one\n0:20\ntwo", "0:00-0:21"),
        (cite(pages=(2, 2)), PDF, "two", "p. 2"),
        (cite(pages=(211, 211)), PDF, "two", "p. 211"),
    ],
)
def test_where_a_place_is(asked: Cite, source: SourceText, held: str, name: str) -> None:
    found = stretch(asked, source)
    assert found is not None
    assert (found.lack, found.name) == (None, name)
    at = source.text.index(held)
    assert found.holds(at, at + 1)
    assert found.holds(at + len(held) - 1, at + len(held))
    assert not found.holds(0, min(found.spans)[0])


def test_a_slice_that_reaches_into_the_place_is_held() -> None:
    found = stretch(lines(7, 7), MARKDOWN)
    at = MARKDOWN.text.index("two")
    assert found is not None
    assert found.holds(at + 2, at + 6)
    assert not found.holds(at + 4, at + 6)


@pytest.mark.parametrize(
    ("asked", "source", "word", "name"),
    [
        (lines(1, 1), MARKDOWN, "three", "line 8"),
        (lines(1, 1), MARKDOWN, "two\nthree", "lines 7-8"),
        (heading("Bell"), MARKDOWN, "two", "the heading 'Wheel'"),
        (moment(0), TALK, "three", "0:40"),
        (cite(pages=(1, 1)), PDF, "three", "p. 3"),
        (cite(), MARKDOWN, "two", ""),
    ],
)
def test_the_locator_that_would_be_right(asked: Cite, source: SourceText, word: str, name: str) -> None:
    at = source.text.index(word)
    assert locator_of(asked, source, at, at + len(word)) == name
