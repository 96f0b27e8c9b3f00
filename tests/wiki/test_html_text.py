from __future__ import annotations

import time

import pytest

from gitops.wiki.page import parse


def hidden(text: str) -> list[str]:
    page = parse(text.encode())
    found = [problem for problem in page.problems if problem.result == "hidden_in_html"]
    return [page.text[problem.place.start : problem.place.end] for problem in found]


def test_references_and_links_in_visible_html_are_told_where_they_stand() -> None:
    assert hidden("<div>\na < b [^1] <b>[[page|x]]</b>\n</div>\n") == ["[^1]", "[[page|x]]"]


@pytest.mark.parametrize(
    "text",
    [
        "<!-- [^1] [[x]] -->",
        "<!--\n[^1]\n\n[[x]]\n-->",
        "<div>\n<!-- [^1] -->\n</div>",
        "<pre>\n[[x]]\n</pre>",
        "<script>\nif (a < b) [[x]]\n</script>",
        '<div title="[[x]]">\n</div>',
        "<div>\n<code>[[x]]</code>\n</div>",
        "<div>\n\ntext\n\n</div>",
        "<!-- never closed [^1]",
    ],
)
def test_comments_tags_and_code_are_free(text: str) -> None:
    assert hidden(text) == []


def test_a_definition_used_only_there_is_not_told_twice() -> None:
    page = parse(b'<div>\n[^1]\n</div>\n\n[^1]: raw/a, "q"')
    assert [problem.result for problem in page.problems] == ["hidden_in_html"]


def test_a_long_block_of_open_tags_is_read_in_good_time() -> None:
    begin = time.monotonic()
    hidden("<div>\n" + "<a <code <!- [[x]] " * 50_000)
    assert time.monotonic() - begin < 10
