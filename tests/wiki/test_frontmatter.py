from __future__ import annotations

import pytest

from gitops.wiki.frontmatter import Frontmatter, read
from gitops.wiki.positions import Lines


def front(text: str) -> Frontmatter:
    return read(text, Lines(text))


def told(text: str) -> list[tuple[str, int]]:
    return [(problem.result, problem.place.line) for problem in front(text).problems]


def test_unparsable_yaml_names_the_line_of_the_page() -> None:
    assert told("---\ntitle: a\nbad: [1, 2\n  - x: y\n---\nbody") == [("unparsable_frontmatter", 4)]


def test_yaml_that_stops_short_is_told_on_its_last_line() -> None:
    assert told("---\ntitle: a\nbad: [\n---\nbody") == [("unparsable_frontmatter", 3)]


def test_unparsable_yaml_is_still_cut_from_the_body() -> None:
    text = "---\n: [\n---\nbody"
    assert text[front(text).end :] == "body"


@pytest.mark.parametrize(("inner", "kind"), [("- a", "list"), ("just words", "str"), ("7", "int")])
def test_what_is_no_mapping_is_told(inner: str, kind: str) -> None:
    text = f"---\n{inner}\n---\nbody"
    assert told(text) == [("not_a_mapping", 2)]
    assert kind in front(text).problems[0].message


def test_frontmatter_without_end_is_told_and_the_page_is_read() -> None:
    assert told("---\ntitle: a\n\nbody") == [("unclosed_frontmatter", 1)]
    assert front("---\ntitle: a\n\nbody").end == 0


@pytest.mark.parametrize(
    "text", ["---\n\nwords\n", "---", "--- \n# Heading\n", "---\n\nwords\n\n---\n\nmore", "a: 1\n---\n"]
)
def test_a_rule_at_the_head_of_a_page_is_no_frontmatter(text: str) -> None:
    assert front(text) == Frontmatter()


def test_a_second_block_is_told_and_fills_what_the_first_lacks() -> None:
    text = "---\na: 1\n---\n\n \n---\na: 2\nb: 3\n---\nbody"
    found = front(text)
    assert found.values == {"a": 1, "b": 3}
    assert told(text) == [("duplicate_frontmatter", 6)]
    assert text[found.end :] == "body"


def test_rules_around_prose_after_the_frontmatter_are_no_second_block() -> None:
    text = "---\na: 1\n---\n---\nSome words: and more\n---\n"
    assert front(text).problems == ()
    assert text[front(text).end :].startswith("---\nSome")


def test_a_double_key_is_told_on_its_line() -> None:
    assert told("---\na: 1\na: 2\n---\n") == [("duplicate_key", 3)]


@pytest.mark.parametrize("end", ["---", "...", "--- "])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_either_mark_ends_it_with_any_line_ends(end: str, newline: str) -> None:
    text = newline.join(("---", "a: 1", "date: 2024-01-05", end, "body"))
    found = front(text)
    assert found.values == {"a": 1, "date": "2024-01-05"}
    assert text[found.end :] == "body"


def test_an_empty_block_is_no_problem() -> None:
    assert told("---\n---\nbody") == []
