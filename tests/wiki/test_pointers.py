from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops.wiki.pointers import find


def found(text: str) -> list[tuple[str, str, str]]:
    return [(one.kind, one.target, text[one.start : one.end]) for one in find(text, 0, len(text))]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "words and/or more, e.g. 5.2",
        "![a](b.md) ![[c]]",
        "[a](#b) [[#c]]",
        "[a](mailto:b@c.d)",
        "<b>bold</b> <br/>",
        "`code` `a b` `raw/`",
        "[a](<raw/{slug}.md>) `raw/*.md` raw/<file>.md",
        "[a] (b)",
    ],
)
def test_what_points_to_nothing(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "kind", "target", "place"),
    [
        ("[a](b%20c.md#d 'e')", "link", "b c.md", "[a](b%20c.md#d 'e')"),
        ("[a [b] c](d.md?x=1)", "link", "d.md", "[a [b] c](d.md?x=1)"),
        ("[a](d\\(1\\).md)", "link", "d(1).md", "[a](d\\(1\\).md)"),
        ("[a](<b c.md>)", "link", "b c.md", "[a](<b c.md>)"),
        ("[[a]](b.md)", "link", "b.md", "[[a]](b.md)"),
        ("[[a b#c|d]]", "wiki", "a b", "[[a b#c|d]]"),
        ("[[가나]]", "wiki", "가나", "[[가나]]"),
        ("[[https://a.b]]", "address", "https://a.b", "[[https://a.b]]"),
        ("[a](https://b.c/d#e)", "address", "https://b.c/d#e", "[a](https://b.c/d#e)"),
        ("see https://b.c/d_(e).", "address", "https://b.c/d_(e)", "https://b.c/d_(e)"),
        ("<https://b.c>", "address", "https://b.c", "<https://b.c>"),
        ("<raw/a b.md>", "path", "raw/a b.md", "<raw/a b.md>"),
        ("`raw/a.md#b`", "path", "raw/a.md", "`raw/a.md#b`"),
        ("in raw/a.md.", "path", "raw/a.md", "raw/a.md"),
        ("My notes.pdf, p. 3", "path", "My notes.pdf", "My notes.pdf"),
        ("see My notes.pdf", "path", "My notes.pdf", "My notes.pdf"),
    ],
)
def test_what_points_and_where_it_stands(text: str, kind: str, target: str, place: str) -> None:
    assert found(text) == [(kind, target, place)]


def test_what_stands_in_code_or_in_a_link_is_not_read_twice() -> None:
    assert [target for _, target, _ in found("[raw/a.md](../raw/a.md) and `[x](y.md)`")] == ["../raw/a.md"]


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="[]()!`<>#/\\.ab \n|:"))
def test_no_text_raises_and_pointers_are_apart(text: str) -> None:
    done = 0
    for one in find(text, 0, len(text)):
        assert done <= one.start < one.end <= len(text)
        done = one.end
