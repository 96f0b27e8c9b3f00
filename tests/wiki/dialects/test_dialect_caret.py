from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

ID = "caret"
Reader = Callable[..., Any]


@pytest.mark.parametrize(
    "text",
    [
        "It fell^[See Smith for more.].",
        "It fell^[either and/or neither].",
        "It fell^[1/2].",
        "It fell^[raw/<file>.md].",
        "It fell^[raw/....md].",
        "It fell^[a.md, and more words].",
        "It fell^[note: this].",
        "It fell^[https://example.org].",
        "So `x^[a.md]` and $x^[a.b]$.",
        "So \\^[a.md].",
        "```\nIt fell^[a.md]\n```",
        "It fell^[a.md",
    ],
)
def test_what_cites_nothing(read: Reader, text: str) -> None:
    assert read(text, ID).cites == []


@pytest.mark.parametrize(
    ("text", "paths", "located"),
    [
        ("It fell.^[src.md:42-58]", ["src.md"], [(42, 58)]),
        ("It fell.^[src.md]", ["src.md"], [None]),
        ("It fell.^[src.md:7]", ["src.md"], [(7, 7)]),
        ("It fell.^[a.md, b.md:3]", ["a.md", "b.md"], [None, (3, 3)]),
        ("It fell.^[a.md:3, 5-8; b.md]", ["a.md", "a.md", "b.md"], [(3, 3), (5, 8), None]),
        ("It fell.^[raw/x/y.md:L3-L5]", ["raw/x/y.md"], [(3, 5)]),
        ("It fell.^[raw/x.md#L3-L5]", ["raw/x.md"], [(3, 5)]),
        ("It fell.^[raw/x.md#some-heading]", ["raw/x.md"], ["some-heading"]),
        ("It fell.^[raw/My Notes.md:3]", ["raw/My Notes.md"], [(3, 3)]),
        ("It fell.^[My Notes.pdf]", ["My Notes.pdf"], [None]),
        ("它下降了^[访谈.md:4]。", ["访谈.md"], [(4, 4)]),
        ("It fell.^[raw/issue-3]", ["raw/issue-3"], [None]),
    ],
)
def test_what_is_cited(read: Reader, text: str, paths: list[str], located: list[Any]) -> None:
    found = read(text, ID)
    assert (found.paths, found.located) == (paths, located)
    assert {cite.how for cite in found.cites} == {"loose"}
    assert {claim for claim, _ in found.claims} in ({"It fell."}, {"它下降了。"})


def test_the_place_is_each_pointer_as_written(read: Reader) -> None:
    assert read("Ä fell.^[a.md:3,  5-8; b.md]", ID).places == ["a.md:3", "5-8", "b.md"]


@pytest.mark.parametrize("above", ["# Mill", "- It turned.", "| a | b |\n|---|---|\n| 1 | 2 |"])
def test_a_mark_alone_below_a_heading_a_list_or_a_table_backs_the_page(read: Reader, above: str) -> None:
    found = read(f"{above}\n\n^[raw/a.md]\n\nIt stood.\n", ID)
    assert (found.claims, found.whole) == ([], ["raw/a.md"])


def test_a_mark_alone_below_a_paragraph_backs_it(read: Reader) -> None:
    assert read("It turned.\n\n^[raw/a.md]\n", ID).claims == [("It turned.", "raw/a.md")]
