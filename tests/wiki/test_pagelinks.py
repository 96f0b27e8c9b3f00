from __future__ import annotations

import pytest

from gitops.wiki.model import Link
from gitops.wiki.page import parse


def links(text: str) -> list[Link]:
    return list(parse(text.encode()).links)


@pytest.mark.parametrize(
    "text",
    [
        "[a](https://x.org)",
        "[a](//x.org/y)",
        "[a](mailto:x@y.org)",
        "<https://x.org>",
        "<x@y.org>",
        "https://x.org",
        "[a]()",
        "`[a](b)`",
        "$[a](b)$",
        "$[g_1,g_2](q)$",
        "\\[a](b)",
        "[a][nowhere]",
    ],
)
def test_what_leads_to_no_page(text: str) -> None:
    assert links(text) == []


@pytest.mark.parametrize(
    ("text", "kind", "target", "anchor", "shown", "written"),
    [
        ("[t](a.md)", "markdown", "a.md", "", "t", "a.md"),
        ("[t](<a b.md> 'title')", "markdown", "a b.md", "", "t", "a b.md"),
        ("[t](a%20b.md#h%C3%A9)", "markdown", "a b.md", "hé", "t", "a%20b.md#h%C3%A9"),
        ('[t](a.md?raw=1#h "x")', "markdown", "a.md", "h", "t", "a.md?raw=1#h"),
        ("[t](p(1).md)", "markdown", "p(1).md", "", "t", "p(1).md"),
        ("[t](#h)", "markdown", "", "h", "t", "#h"),
        ("[*t* `]( x`](a.md)", "markdown", "a.md", "", "t ]( x", "a.md"),
        ("![alt](i%20j.png)", "image", "i j.png", "", "alt", "i%20j.png"),
        ("[t](\n  a.md)", "markdown", "a.md", "", "t", "a.md"),
        ("[](a.md)", "markdown", "a.md", "", "", "a.md"),
        ("[한글](문서.md#제목)", "markdown", "문서.md", "제목", "한글", "문서.md#제목"),
    ],
)
def test_inline_forms(text: str, kind: str, target: str, anchor: str, shown: str, written: str) -> None:
    (link,) = links(text)
    assert (link.kind, link.target, link.anchor, link.text) == (kind, target, anchor, shown)
    assert text[link.target_place.start : link.target_place.end] == written
    assert text[link.place.start : link.place.end] == text


@pytest.mark.parametrize("use", ["[t][Ref]", "[Ref][]", "[Ref]", "![t][ref]"])
def test_a_reference_link_names_its_target_where_it_is_defined(use: str) -> None:
    text = f"é {use}\n\n[ref]: <dest a.md> 'title'\n[other]: b.md\n"
    (link,) = links(text)
    assert link.target == "dest a.md"
    assert text[link.target_place.start : link.target_place.end] == "dest a.md"
    assert text[link.place.start : link.place.end] == use


def test_an_image_within_a_link_is_told_too() -> None:
    assert [(link.kind, link.target) for link in links("[![i](i.png)](p.md)")] == [
        ("markdown", "p.md"),
        ("image", "i.png"),
    ]


def test_links_inside_a_citation_are_no_links_of_the_page() -> None:
    page = parse(b'x[^1]\n\n[^1]: raw/a.md, "see [b](c.md) and [[d]]"')
    assert page.links == ()
    assert page.claims[0].cites[0].quote == "see [b](c.md) and [[d]]"


def test_links_inside_a_definition_that_nobody_reads_are() -> None:
    assert [link.target for link in links("x[^1]\n\n[^1]: see [b](c.md) and [[d]]")] == ["c.md", "d"]
