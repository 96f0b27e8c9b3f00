from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.wiki.locators import Located, of_fragment, of_lines, of_words
from gitops.wiki.model import Locator


def lines(said: str, first: int, last: int) -> Located:
    return Located(locator=Locator(said, first, last), end=len(said))


def heading(said: str, words: str) -> Located:
    return Located(locator=Locator(said, heading=words), end=len(said))


@pytest.mark.parametrize(
    "text", ["", "note", "lines of code", "10 lines", "section on brewing", "§", "pages", "p", "12", "page x", "5:4"]
)
def test_words_that_locate_nothing(text: str) -> None:
    assert of_words(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("lines 74-78", lines("lines 74-78", 74, 78)),
        ("Line 5", lines("Line 5", 5, 5)),
        ("ll. 3–4", lines("ll. 3–4", 3, 4)),
        ("lines 3 to 8", lines("lines 3 to 8", 3, 8)),
        ("Zeilen 3 bis 8", lines("Zeilen 3 bis 8", 3, 8)),
        ("第3行", lines("第3行", 3, 3)),
        ("3-5행", lines("3-5행", 3, 5)),
        ("L5-L10", lines("L5-L10", 5, 10)),
        ("p. 12", Located(12, 12, end=5)),
        ("pp. 3-4", Located(3, 4, end=7)),
        ("pages 3–4", Located(3, 4, end=9)),
        ("S. 12", Located(12, 12, end=5)),
        ("第3页", Located(3, 3, end=3)),
        ("12쪽", Located(12, 12, end=3)),
        ("3-4 頁", Located(3, 4, end=5)),
        ("§ Tea — white, green", heading("§ Tea — white, green", "Tea — white, green")),
        ("section 3.2", heading("section 3.2", "3.2")),
        ("Sec. “Tea”", heading("Sec. “Tea”", "“Tea”")),
        ("1:02:03-1:02:10", Located(locator=Locator("1:02:03-1:02:10", seconds=3723, last_seconds=3730), end=15)),
    ],
)
def test_locators_in_words(text: str, expected: Located) -> None:
    assert of_words(text) == expected


def test_what_follows_a_locator_is_left() -> None:
    found = of_words("lines 3-5 — a note, p. 4")
    assert found is not None
    assert (found.end, found.locator) == (9, Locator("lines 3-5", 3, 5))


@pytest.mark.parametrize(
    ("fragment", "expected"),
    [
        ("", None),
        ("%20", None),
        ("L5-L10", Locator("L5-L10", 5, 10)),
        ("L5C2-L6C1", Locator("L5C2-L6C1", 5, 6)),
        ("line-5", Locator("line-5", 5, 5)),
        ("5:40", Locator("5:40", seconds=340)),
        ("t=5:40", Locator("t=5:40", seconds=340)),
        ("water-chemistry", Locator("water-chemistry", heading="water-chemistry")),
        ("%EB%AC%BC", Locator("물", heading="물")),
        ("page-turners", Locator("page-turners", heading="page-turners")),
    ],
)
def test_fragments(fragment: str, expected: Locator | None) -> None:
    found = of_fragment(fragment)
    assert (found.locator if found else None) == expected


@pytest.mark.parametrize(("fragment", "pages"), [("page=3", (3, 3)), ("page=3-4", (3, 4)), ("p.3", (3, 3))])
def test_fragments_of_pages(fragment: str, pages: tuple[int, int]) -> None:
    found = of_fragment(fragment)
    assert found is not None
    assert (found.first_page, found.last_page, found.locator) == (*pages, None)


@pytest.mark.parametrize("text", ["", "a", "4:2", "4-", "page 4"])
def test_what_is_no_number_of_a_line(text: str) -> None:
    assert of_lines(text) is None


def test_bare_line_numbers() -> None:
    assert of_lines("42-58") == lines("42-58", 42, 58)
    assert of_lines("L42") == lines("L42", 42, 42)


@given(st.text(alphabet="lLpP第行页§ :.-0123t=%\n"))
def test_no_text_raises(text: str) -> None:
    for found in (of_words(text), of_fragment(text), of_lines(text)):
        assert found is None or 0 < found.end <= len(text)
