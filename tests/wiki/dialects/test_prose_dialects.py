from __future__ import annotations

import time
from pathlib import Path
from unicodedata import normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops.wiki.conventions import Conventions
from gitops.wiki.model import Cite, Page
from gitops.wiki.page import parse

WIKIS = Path(__file__).parents[3] / "../shared/data/wikis"
IDS = ("inline_source", "caret", "source_link", "code_path", "source_line", "source_list", "frontmatter")
ALL = Conventions(("canonical", *IDS))

PIECES = [
    "(source: ",
    "（来源：",
    "[E: ",
    "(see ",
    "^[",
    "raw/a.md",
    "raw/My File (1).pdf",
    "[[raw/b|c]]",
    "[[sources/é]]",
    "[x](../raw/a%20b.md#L3)",
    "[[T]](raw/t.md)",
    "`raw/c.md:3-5`",
    "`",
    "``",
    "#L3-L5",
    ":42-58",
    ", p. 3",
    " § Two",
    "#5:40",
    ")",
    "）",
    "]",
    "[",
    "(",
    "; ",
    ", ",
    " and ",
    "**Source**: ",
    "Source: ",
    "*출처*：",
    "\n",
    "\n\n",
    "> ",
    "- ",
    "## Sources\n\n",
    "# 출처\n",
    "## Next\n",
    "| a | b |\n|---|---|\n| ",
    " | ",
    "Words. ",
    "“Quoted.” ",
    "下降了。",
    "—",
    "*",
    "<file>",
    "<br>",
    "<!--",
    "-->",
    "```\n",
    "$",
    "\\",
    "&amp;",
    "\u0301",
    "\r\n",
    "\r",
    "😀",
    "[^1]",
    "[^1]: ",
    "---\n",
    "sources: ",
    "source: ",
    "raw_paths:\n- ",
    "https://x.org/a_(b)",
    "…",
    "{s}",
    "!",
]
pages = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=30).map("".join)


def every(page: Page) -> list[Cite]:
    return [*(cite for claim in page.claims for cite in claim.cites), *page.cites]


def check(page: Page) -> None:
    for cite in every(page):
        said = page.text[cite.place.start : cite.place.end]
        assert cite.path.strip()
        assert said.strip()
        assert page.text.count("\n", 0, cite.place.start) <= cite.place.line
        if cite.dialect != "frontmatter" and cite.how == "link":
            assert said.startswith(("[", "<", "!"))
        elif cite.dialect != "frontmatter" and cite.how == "wiki":
            assert said.startswith("[[")
            assert cite.path in normalize("NFC", said)


@settings(max_examples=500)
@given(pages, st.booleans())
@pytest.mark.slow
def test_no_page_raises_and_every_place_points_at_what_it_names(text: str, has_frontmatter: bool) -> None:
    text = f"---\nsources: {text}\n---\n{text}" if has_frontmatter else text
    check(parse(text.encode("utf-8", "replace"), ALL))


@settings(max_examples=200)
@given(pages)
@pytest.mark.slow
def test_the_order_of_the_dialects_does_not_change_what_is_cited(text: str) -> None:
    one = parse(text.encode("utf-8", "replace"), ALL)
    other = parse(text.encode("utf-8", "replace"), Conventions(ALL.dialects[::-1]))
    assert {(cite.path, cite.place.start) for cite in every(one)} == {
        (cite.path, cite.place.start) for cite in every(other)
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    [
        "(source: ",
        "(source: raw/a",
        "[source: x] ",
        "^[a.md",
        "^[a.md:3] ",
        "`raw/a.md` ",
        "[[raw/a]] ",
        "Source: ",
        "raw/",
        "**Source**: x\n",
        "## Sources\n- a\n",
        "- [[sources/a]]\n",
        "a.b/",
        "(raw/a.md) ",
        "> Source: raw/a.md\n",
    ],
)
def test_long_runs_are_read_in_good_time(piece: str) -> None:
    begin = time.monotonic()
    parse((piece * 5_000).encode(), ALL)
    assert time.monotonic() - begin < 20


@pytest.mark.skipif(not WIKIS.is_dir(), reason="the real wikis are not here")
@pytest.mark.slow
def test_every_page_of_the_real_wikis() -> None:
    for path in sorted(WIKIS.rglob("*.md")):
        check(parse(path.read_bytes(), ALL))
