from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pyromark import Markdown, Options
from selectolax.lexbor import LexborHTMLParser

from gitops.report.markdown import escaped, listed, table
from gitops.report.visible import inline

MARKDOWN = Markdown(options=Options.ENABLE_TABLES | Options.ENABLE_STRIKETHROUGH)
FOREIGN = st.text(st.characters(exclude_categories=["Cs"]), max_size=30) | st.lists(
    st.sampled_from([*"\\`*_[]()<>|~$!&#-+=.:1a \n\t", "&amp;", "&#35;", "http://a.b", "<b>", "---", "1. "]), max_size=9
).map("".join)


def words(text: str) -> str:
    """As a browser shows it: runs of white space as one."""
    return " ".join(text.split())


def cells(html: str) -> list[str]:
    return [words(cell.text()) for cell in LexborHTMLParser(html).css("td")]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a|b", r"a\|b"),
        ("a\nb\r\nc", "a␊b␍␊c"),
        ("<img src=x onerror=alert(1)>", r"\<img src=x onerror=alert(1)\>"),
        ("[text](https://example.org)", r"\[text\](https\://example.org)"),
        ("www.example.org, ftp://a.b, a: //b", r"www\.example.org, ftp\://a.b, a: //b"),
        ("citation_coverage", "citation_coverage"),
        ("_quiet_ *loud*", r"\_quiet\_ \*loud\*"),
        ("`code`", r"\`code\`"),
        ("R&D &amp; $x$", r"R&D \&amp; \$x\$"),
        ("\x1b[2J", r"␛\[2J"),
        ("hit@10", "hit@10"),
    ],
)
def test_what_would_mean_something_is_escaped(text: str, told: str) -> None:
    assert escaped(text) == told


@given(FOREIGN)
def test_a_cell_shows_the_text_and_nothing_else(text: str) -> None:
    html = MARKDOWN.html(table(["a", "b"], [[escaped(text), "end"]]))
    assert cells(html) == [words(inline(text)), "end"]
    assert not LexborHTMLParser(html).css("td > *")


@example("##")
@example("###### six")
@given(FOREIGN.filter(lambda text: bool(text.strip())))
def test_an_item_shows_the_text_and_nothing_else(text: str) -> None:
    html = MARKDOWN.html(listed([text, "the other"]))
    items = LexborHTMLParser(html).css("ul > li")
    assert [words(item.text()) for item in items] == [words(inline(text)), "the other"]
    assert not LexborHTMLParser(html).css("li *")


def test_numbers_are_aligned_to_the_right() -> None:
    assert table(["metric", "p"], [["mrr", "0.03"]], numbers=["p"]).splitlines() == [
        "| metric | p |",
        "| --- | ---: |",
        "| mrr | 0.03 |",
    ]
