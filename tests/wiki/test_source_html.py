from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.wiki.source_html import MAX_DEPTH, depth, visible_text


@pytest.mark.parametrize(
    "html",
    [
        "",
        "<!-- a comment -->",
        "<script>let a = '<p>text</p>'</script>",
        "<style>p { color: red }</style>",
        "<template><p>text</p></template>",
        "<body><noscript>text</noscript>",
        "<title>text</title>",
        "<p hidden>text</p>",
        "<div style='color:red; Display : NONE'>text</div>",
        "<p style='visibility:hidden'>text</p>",
        "<dialog>text</dialog>",
        "<ruby><rp>(</rp></ruby>",
        "<iframe>text</iframe>",
        "<p> \n </p>",
    ],
)
def test_what_a_browser_does_not_show_is_not_text(html: str) -> None:
    assert visible_text(html) == ""


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("a <b>bold</b>\n   word", "a bold word"),
        ("<b>a </b> b", "a b"),
        ("hyper<b>text</b>", "hypertext"),
        ("<p>one</p><p>two</p>", "one\ntwo"),
        ("one<br>two", "one\ntwo"),
        ("<ul><li>one<li>two</ul>three", "one\ntwo\nthree"),
        ("<div>a<div>b</div>c</div>", "a\nb\nc"),
        ("a<div hidden>x</div>b", "ab"),
        ("<table><tr><td>1</td><td> 2 </td></tr><tr><td>3</td></tr></table>", "1\t2\n3"),
        ("5&nbsp;%&amp;&lt;&#8212;&eacute;", "5\u00a0%&<—é"),
        ("<pre>\n  two\n    four</pre> after", "  two\n    four\nafter"),
        ("<p>a<pre> b</pre>", "a\n b"),
        ("<svg><text>label</text></svg>", "label"),
        ("<dialog open>text</dialog>", "text"),
        ("<p>open <i>never closed", "open never closed"),
        ("<details><summary>s</summary>d</details>", "s\nd"),
        ("a\0b", "ab"),
    ],
)
def test_the_text_is_set_as_a_browser_sets_it(html: str, text: str) -> None:
    assert visible_text(html) == text


def test_depth_follows_what_nests() -> None:
    assert depth("<div>" * 30 + "</div>" * 30) == 30
    assert depth("<b>" * MAX_DEPTH * 2) == MAX_DEPTH * 2
    assert depth("<x/>" * 30) == 30


def test_depth_is_not_deceived_by_long_flat_documents() -> None:
    assert depth("<ul>" + "<li>text" * 50_000 + "</ul>") == 1
    assert depth("<p>text<br>" * 50_000) == 0
    assert depth("<svg>" + "<path d='M0 0'/>" * 50_000 + "</svg>") == 1


def test_unclosed_tags_are_counted_in_linear_time() -> None:
    begin = time.process_time()
    depth("<a " * 300_000)
    depth("<a" * 300_000)
    assert time.process_time() - begin < 5


@given(
    st.lists(
        st.sampled_from(
            [
                "<p>",
                "</p>",
                "<pre>",
                "</pre>",
                "<td>",
                "<b hidden>",
                "</b>",
                "<br/>",
                " ",
                "a",
                "\n",
                "<",
                "&",
                "<svg>",
                "<table>",
                "<select>",
                "<!--",
            ]
        ),
        max_size=40,
    )
)
def test_any_soup_has_a_text_without_blank_lines(parts: list[str]) -> None:
    text = visible_text("".join(parts))
    assert all(line.strip() for line in text.split("\n")) or text == ""
