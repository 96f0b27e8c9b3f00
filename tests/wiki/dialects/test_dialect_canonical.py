from __future__ import annotations

import pytest

from gitops.wiki.citation import unescape
from gitops.wiki.conventions import Conventions
from gitops.wiki.model import Cite
from gitops.wiki.page import parse


def cites(definition: str) -> tuple[Cite, ...]:
    page = parse(f"---\né: 1\n---\nWords.[^n]\n\n{definition}\n".encode())
    found = tuple(cite for claim in page.claims for cite in claim.cites)
    for cite in found:
        assert cite.path in page.text[cite.place.start : cite.place.end]
        if cite.quote_place:
            assert unescape(page.text[cite.quote_place.start : cite.quote_place.end]) == cite.quote
    return found


@pytest.mark.parametrize("body", ["[t](raw/a)", "[[raw/a]]", 'raw/a, "q"\nmore', "raw/a, lines 3", ""])
def test_other_forms_are_left_to_other_dialects(body: str) -> None:
    assert cites(f"[^n]: {body}") == ()


def test_every_field_is_read() -> None:
    (cite,) = cites(r'[^n]: raw/ä b.pdf, p. 3-4, "a \"b\" \\" @17')
    assert (cite.dialect, cite.label, cite.path) == ("canonical", "n", "raw/ä b.pdf")
    assert (cite.first_page, cite.last_page, cite.quote, cite.offset) == (3, 4, 'a "b" \\', 17)
    assert (cite.place.line, cite.place.column) == (6, 7)


def test_several_cites_of_one_definition() -> None:
    assert [cite.path for cite in cites('[^n]: raw/a, "x; y"; <raw/b; c>; raw/d @5')] == ["raw/a", "raw/b; c", "raw/d"]


def test_a_quotation_that_looks_like_markdown_comes_out_raw() -> None:
    (cite,) = cites('[^n]: raw/a, "a [b](c) *d* `e` &amp; \\* [^n] [[f]]"')
    assert cite.quote == "a [b](c) *d* `e` &amp; \\* [^n] [[f]]"


@pytest.mark.parametrize(
    "body",
    [
        "Revenue Policy (FY2026)",
        "knowledge",
        "Cost/benefit of it",
        "ETL: https://a.b/c.html",
        "Node.js it is",
        "raw/a.md#L3-L5",
        "raw/a.md:3",
        "Source: raw/a.md",
        "10.1000/a",
        "raw/{x}.md",
    ],
)
def test_words_are_a_path_only_where_no_other_dialect_may_know_them(body: str) -> None:
    alone, beside = (
        parse(f"a[^n]\n\n[^n]: {body}".encode(), Conventions(ids)) for ids in (("canonical",), ("canonical", "caret"))
    )
    assert [cite.path for claim in alone.claims for cite in claim.cites] == [body]
    assert beside.claims == ()


@pytest.mark.parametrize(
    "body",
    ["raw/a", "notes.md", "my notes.md", "raw/my notes.md", 'some words, "q"', "some words @5"],
)
def test_what_is_a_path_or_has_a_field_stays_one_beside_other_dialects(body: str) -> None:
    page = parse(f"a[^n]\n\n[^n]: {body}".encode(), Conventions(("canonical", "caret")))
    assert len(page.claims[0].cites) == 1
