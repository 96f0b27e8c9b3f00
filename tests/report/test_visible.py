from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.report.visible import escaped, inline, visible

REPAINTS = "\x1b[2J\x1b[H\x1b]0;title\x07\x1b]8;;https://example.org\x1b\\"
STEERING = [*map(chr, range(0x20)), *map(chr, range(0x7F, 0xA0)), "\u202e", "\u2066", "\u2028", "\ufeff", "\U000e0041"]


@pytest.mark.parametrize("char", [char for char in STEERING if char not in "\t\n"], ids=lambda char: f"{ord(char):04x}")
def test_a_character_that_steers_a_terminal_is_replaced_by_a_sign(char: str) -> None:
    assert char not in visible(f"a{char}b")
    assert visible(f"a{char}b") != "ab"


def test_an_escape_sequence_is_shown_and_not_obeyed() -> None:
    assert visible(REPAINTS) == "␛[2J␛[H␛]0;title␇␛]8;;https://example.org␛\\"


def test_a_byte_that_is_no_utf8_is_shown_as_git_shows_it() -> None:
    assert visible(b"caf\xe9.md".decode("utf-8", "surrogateescape")) == r"caf\xe9.md"
    assert visible("\ud800") == "<U+D800>"


def test_line_breaks_stay_only_where_lines_are_meant() -> None:
    assert visible("a\n\tb") == "a\n\tb"
    assert inline("a\n\tb") == "a␊␉b"


@pytest.mark.parametrize(
    "text", ["plain", "naïve café", "日本語", "می‌خواهم", "👩‍🔬", "e\u0301", "שלום \u200f(1)", "soft\xadhyphen"]
)
def test_the_letters_of_every_script_stay_as_they_are(text: str) -> None:
    assert visible(text) == text


@given(st.text(st.characters()))
def test_nothing_that_is_inline_can_leave_its_line(text: str) -> None:
    shown = inline(text)
    assert not any(unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") for char in shown)
    assert len(shown.splitlines()) <= 1
    assert inline(shown) == shown


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_escaped_json_says_the_same(text: str) -> None:
    line = escaped(json.dumps({"text": text}, ensure_ascii=False))
    assert json.loads(line) == {"text": text}
    assert visible(line) == line
