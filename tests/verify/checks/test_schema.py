from __future__ import annotations

from collections.abc import Callable

import pytest

Results = Callable[..., list[tuple[str, str, str, int, bool]]]


def test_a_plain_page_says_nothing(results: Results) -> None:
    assert results("schema", {}, {"wiki/a.md": "---\ntitle: A\n---\n\nWords.\n"}) == []


@pytest.mark.parametrize(
    ("data", "result", "level", "line"),
    [
        (b"---\ntitle: [\n---\nWords.\n", "unparsable_frontmatter", "error", 2),
        (b"---\n- a\n- b\n---\nWords.\n", "not_a_mapping", "error", 2),
        (b"---\ntitle: A\n\nWords.\n", "unclosed_frontmatter", "error", 1),
        (b"Words \xff.\n", "invalid_utf8", "error", 1),
        ("Words.\n".encode("utf-16"), "utf16", "error", 1),
        (b"word " * 1_100_000, "oversized", "error", 1),
        (b"---\na: 1\n---\n---\nb: 2\n---\nWords.\n", "duplicate_frontmatter", "warning", 4),
        (b"---\na: 1\na: 2\n---\nWords.\n", "duplicate_key", "warning", 3),
        (b"", "empty", "warning", 1),
        (b"\xef\xbb\xbfWords.\n", "byte_order_mark", "note", 1),
        (b"Words.\r\n", "crlf", "note", 1),
    ],
)
def test_each_fault_of_form(results: Results, data: bytes, result: str, level: str, line: int) -> None:
    assert results("schema", {}, {"wiki/a.md": data}) == [(result, level, "wiki/a.md", line, True)]


def test_missing_field(results: Results) -> None:
    files = {"wiki/a.md": "---\ntitle: ''\n---\nWords.\n", "wiki/index.md": "Words.\n", "wiki/log.md": "Words.\n"}
    told = results("schema", {}, files, toml='[pages]\nrequired = ["title"]\n')
    assert told == [("missing_field", "error", "wiki/a.md", 1, True)]


def test_a_page_too_large_to_be_read_is_new_whenever_it_changes(results: Results) -> None:
    big = b"word " * 1_100_000
    assert [one[4] for one in results("schema", {"wiki/a.md": big}, {"wiki/a.md": big + b"a lie"})] == [True]


def test_old_faults_are_not_new_when_lines_move(results: Results) -> None:
    told = results("schema", {"wiki/a.md": b"Bad \xff.\n"}, {"wiki/a.md": b"# Title\n\nBad \xff.\n"})
    assert told == [("invalid_utf8", "error", "wiki/a.md", 3, False)]


@pytest.mark.parametrize("path", ["wiki/topics/index.md", "wiki/README.md", "wiki/SCHEMA.md", "wiki/templates/a.md"])
def test_pages_that_lead_in_or_speak_of_the_wiki_owe_no_fields(results: Results, path: str) -> None:
    toml = '[pages]\nrequired = ["title"]\n'
    assert results("schema", {}, {path: "Words.\n"}, toml=toml) == []
    assert [one[0] for one in results("schema", {}, {"wiki/a.md": "Words.\n"}, toml=toml)] == ["missing_field"]
