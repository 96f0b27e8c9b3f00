from __future__ import annotations

import time
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops.errors import UsageError
from gitops.wiki.citation import unescape
from gitops.wiki.conventions import Conventions
from gitops.wiki.model import Page, Place
from gitops.wiki.page import parse, sentences

WIKIS = Path(__file__).parents[2] / "../shared/data/wikis"

NASTY = [
    "[^1]",
    "[^1]: ",
    '[^1]: raw/a.md, "q \\" r" @4; <raw/b, c>, p.2',
    "[^é]",
    '[^É]: raw/ü.md, p. 3–4, "“x”"',
    "[[a]]",
    "![[b|c]]",
    "[[a\\|b]]",
    '[x](y.md "t")',
    "![i](<j k>)",
    "[r][ref]",
    "[ref]: d.md",
    "<http://x>",
    "[",
    "]",
    "(",
    ")",
    "---\n",
    "...\n",
    "a: 1\n",
    "- ",
    "  - ",
    "> ",
    "| a | b |\n|---|---|\n| c |",
    "|",
    "# ",
    "```\n",
    "`",
    "$",
    "$$",
    "*",
    "**",
    "~~",
    "<div>",
    "</div>",
    "<!--",
    "-->",
    "<br>",
    "&amp;",
    "&#0;",
    "\\",
    "\\[",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\t",
    "    ",
    " ",
    "Word. Next one! ",
    "中文。第二句！",
    "日本の。",
    "한국어. ",
    "😀",
    "e\u0301",
    "\u2028",
    "\x00",
    "\x85",
    "\ufeff",
    "%%",
    "^id",
    ":",
    ": ",
    '"',
    "@3",
]

markdownish = st.lists(st.sampled_from(NASTY) | st.text(max_size=4), max_size=30).map("".join)


def check_place(page: Page, place: Place) -> str:
    """The slice of a place whose line and column are recounted from its start."""
    assert 0 <= place.start <= place.end <= len(page.text)
    before = page.text[: place.start].replace("\r\n", "\n").replace("\r", "\n")
    if page.text[max(0, place.start - 1) : place.start + 1] != "\r\n":
        assert place.line == before.count("\n") + 1
        assert place.column == len(before) - (before.rfind("\n") + 1) + 1
    assert place.end_line >= place.line
    return page.text[place.start : place.end]


def check(page: Page) -> None:
    for link in page.links:
        assert check_place(page, link.place).startswith(("[", "!["))
        check_place(page, link.target_place)
        assert link.kind in ("wiki", "embed", "markdown", "image")
    for claim in page.claims:
        rest = iter(check_place(page, claim.place).replace("&#0;", "\ufffd"))
        assert all(letter in rest for letter in claim.text if not letter.isspace()), claim
        for cite in claim.cites:
            assert cite.path in unicodedata.normalize("NFC", check_place(page, cite.place))
            if cite.quote_place is not None:
                assert unescape(check_place(page, cite.quote_place)) == cite.quote
    for problem in (*page.problems, *page.schema_problems):
        check_place(page, problem.place)
        assert problem.message
    for heading in page.headings:
        check_place(page, heading.place)
    for sentence in sentences(page):
        assert sentence.text
        check_place(page, sentence.place)


def test_an_unknown_dialect_is_refused() -> None:
    with pytest.raises(UsageError):
        parse(b"", Conventions(("nope",)))


@given(st.binary(max_size=200))
def test_no_bytes_raise(data: bytes) -> None:
    check(parse(data))


@settings(max_examples=400)
@given(markdownish)
@pytest.mark.slow
def test_no_markdown_raises_and_every_place_points_at_what_it_names(text: str) -> None:
    check(parse(text.encode("utf-8", "replace")))


@settings(max_examples=50)
@given(markdownish, st.sampled_from(["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "latin-1"]))
def test_nor_does_it_in_other_encodings(text: str, encoding: str) -> None:
    check(parse(text.encode(encoding, "replace")))


@pytest.mark.parametrize("data", [b"", b"\n \n", b"\xef\xbb\xbf", b"---\na: 1\n---\n", "\u200b".encode()])
def test_a_page_without_visible_text_is_empty(data: bytes) -> None:
    assert [problem.result for problem in parse(data).schema_problems if problem.result != "byte_order_mark"] == [
        "empty"
    ]


def test_problems_of_the_encoding_and_the_frontmatter_go_with_the_schema() -> None:
    page = parse(b"\xef\xbb\xbf---\r\na: 1\r\na: 2\r\n---\r\nx[^1]\xff")
    assert [problem.result for problem in page.schema_problems] == [
        "byte_order_mark",
        "invalid_utf8",
        "crlf",
        "duplicate_key",
    ]
    assert [problem.result for problem in page.problems] == ["undefined"]


def test_every_part_is_there() -> None:
    page = parse(b'---\ntype: concept\n---\n# Coffee[^1]\n\nSee [[tea]] `code`.\n\n[^1]: raw/a.md, "q"\n')
    assert page.frontmatter == {"type": "concept"}
    assert page.text[page.body :].startswith("# Coffee")
    assert [(heading.level, heading.text, heading.slug) for heading in page.headings] == [(1, "Coffee", "coffee")]
    assert [claim.text for claim in page.claims] == ["Coffee"]
    assert [link.target for link in page.links] == ["tea"]
    assert page.prose == "Coffee\nSee tea ."
    assert (page.problems, page.schema_problems, page.cites) == ((), (), ())


def test_problems_come_in_the_order_of_the_page() -> None:
    page = parse(b"[^a]\n\n[^b]: raw/b\n\n[^c]\n\n<div>\n[[x]]\n</div>\n")
    assert [problem.place.line for problem in page.problems] == [1, 3, 5, 8]


@pytest.mark.slow
def test_a_page_of_fifty_megabytes_is_told_and_read_in_bounded_time() -> None:
    data = b'Some words [[a]] here.[^1]\n\n[^1]: raw/a.md, "q"\n\n' * (50 * 1024 * 1024 // 50)
    begin = time.monotonic()
    page = parse(data)
    assert time.monotonic() - begin < 120
    assert page.schema_problems[0].result == "oversized"


@pytest.mark.parametrize(
    "piece", ["[[", "[^", "![", "$a", "$$", "[[a]] $", "`a` [[b]] ", "a\\* ", "&amp;", "> ", "<a ", ". "]
)
def test_a_long_run_of_openings_is_read_in_good_time(piece: str) -> None:
    begin = time.monotonic()
    parse((piece * 20_000).encode())
    assert time.monotonic() - begin < 20


@pytest.mark.skipif(not WIKIS.is_dir(), reason="the real wikis are not here")
@pytest.mark.slow
def test_every_page_of_the_real_wikis() -> None:
    paths = sorted(WIKIS.rglob("*.md"))
    assert len(paths) > 300
    for path in paths:
        check(parse(path.read_bytes()))
