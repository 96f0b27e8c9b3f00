from __future__ import annotations

import pytest

from gitops.wiki import markdown
from gitops.wiki.formulas import find_formulas, is_escaped, start_of, within


def found(text: str) -> list[str]:
    (block,) = markdown.read(text, 0).blocks
    return [text[start:end] for start, end in find_formulas(block, text)]


@pytest.mark.parametrize(
    "text", ["costs $5 and $6", "$ a $", "\\$a\\$", "a $b", "\\\\[a\\\\]", "\\[a", "\\(a\\]", "$a$5", "\\[a \\(b \\["]
)
def test_what_is_no_formula(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$a$ and $$b\nc$$", ["$a$", "$$b\nc$$"]),
        ("\\(a_1\\) then \\[b \\\\ c\\]", ["\\(a_1\\)", "\\[b \\\\ c\\]"]),
        ("\\[a \\[b\\] c", ["\\[b\\]"]),
        ("é \\(\\omega\\) $x$", ["\\(\\omega\\)", "$x$"]),
    ],
)
def test_formulas(text: str, expected: list[str]) -> None:
    assert found(text) == expected


def test_a_point_lies_in_a_span_or_in_none() -> None:
    spans = ((2, 4), (7, 9))
    assert [point for point in range(10) if within(point, spans)] == [2, 3, 7, 8]
    assert [start_of(point, spans) for point in (3, 7)] == [2, 7]


@pytest.mark.parametrize(("text", "expected"), [("[", False), ("\\[", True), ("\\\\[", False), ("a\\\\\\[", True)])
def test_an_odd_number_of_backslashes_escapes(text: str, expected: bool) -> None:
    assert is_escaped(text, len(text) - 1) is expected
