from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.wiki.obsidian import FILLER, blotted, callout_marker, is_title


@pytest.mark.parametrize(
    "text",
    ["%% alone", "`%%` a `%%`", "50%% of 30%%", "a %%\n\nb %% c", "\\%% a \\%%", "<!-- %% --> %%", "    %%\n\na %%"],
)
def test_what_is_no_comment(text: str) -> None:
    assert blotted(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a %%b%% c", f"a {FILLER * 5} c"),
        ("a %%b%%\nc", "a      \nc"),
        ("%%\na\n\nb\n%%\nc", "  \n \n\n \n  \nc"),
        ("- %%a\n\nb%% c", f"-    \n\n{FILLER * 3} c"),
        ("%%a%%%%b%% c", f"{FILLER * 10} c"),
        ("%%a\r\n\r\nb%%\r\nc", "   \r\n\r\n   \r\nc"),
    ],
)
def test_comments_are_blotted_out_where_they_stand(text: str, expected: str) -> None:
    assert blotted(text) == expected


@given(st.text(st.sampled_from("%a1é \n>`-\\"), max_size=40))
def test_blotting_moves_nothing_and_touches_no_line_end(text: str) -> None:
    found = blotted(text)
    assert len(found) == len(text)
    assert all(after in (before, " ", FILLER) for before, after in zip(text, found, strict=True))
    assert [at for at, letter in enumerate(found) if letter == "\n"] == [
        at for at, letter in enumerate(text) if letter == "\n"
    ]


@pytest.mark.parametrize(
    ("text", "length"),
    [("[note] a", 0), ("a [!note]", 0), ("[!superseded] 2024-05-01", 0), ("[!note] a", 8), ("[!my-kind|x]+  a", 15)],
)
def test_the_marker_of_a_callout(text: str, length: int) -> None:
    assert callout_marker(text, 0) == length


@pytest.mark.parametrize(("line", "expected"), [("It fell.", False), ("word " * 20, False), ("Why it fell", True)])
def test_a_title_is_short_and_no_sentence(line: str, expected: bool) -> None:
    assert is_title(line) is expected
