from __future__ import annotations

import pytest

from gitops.wiki.conventions import Conventions
from gitops.wiki.model import Locator, Page
from gitops.wiki.page import parse

ALL = Conventions(("canonical", "footnote_link", "footnote_page", "remark"))


def page(definition: str, conventions: Conventions = ALL) -> Page:
    return parse(f"Words.[^n]\n\n[^n]: {definition}\n".encode(), conventions)


@pytest.mark.parametrize(
    "body", ["![[x]]", "![[chart.png]] shows it", "`[[x]]`", "A remark that ends with [[Some Page]]."]
)
def test_embeds_code_and_links_within_a_remark_are_no_citations(body: str) -> None:
    parsed = page(body)
    assert [cite for claim in parsed.claims for cite in claim.cites] == []
    assert parsed.problems == ()


def test_a_wiki_link_is_no_known_form_where_this_convention_is_not_in_use() -> None:
    parsed = page("[[source-x]]", Conventions(("canonical", "remark")))
    assert [problem.result for problem in parsed.problems] == ["unknown_form"]


@pytest.mark.parametrize(
    ("body", "paths", "places"),
    [
        ("[[source-x]]", ["source-x"], ["[[source-x]]"]),
        ("[[sources/x|Title]], p. 3 — note", ["sources/x"], ["[[sources/x|Title]], p. 3"]),
        (r"[[sources/x\|Title]]", ["sources/x"], [r"[[sources/x\|Title]]"]),
        ("[[x]]; [[y]]", ["x", "y"], ["[[x]]", "[[y]]"]),
        ("See [[출처 하나]] and [[出典]].", ["출처 하나", "出典"], ["[[출처 하나]]", "[[出典]]"]),
        ("[[x]] — see also [[Concept]]", ["x"], ["[[x]]"]),
        ("[[x]]; ![[y]]", ["x"], ["[[x]]"]),
    ],
)
def test_what_a_definition_names(body: str, paths: list[str], places: list[str]) -> None:
    parsed = page(body)
    found = [cite for claim in parsed.claims for cite in claim.cites]
    assert [cite.path for cite in found] == paths
    assert [parsed.text[cite.place.start : cite.place.end] for cite in found] == places
    assert {(cite.dialect, cite.how, cite.label) for cite in found} == {("footnote_page", "wiki", "n")}
    assert parsed.problems == ()


def test_where_in_the_source() -> None:
    first, second, third = (
        page(body).claims[0].cites[0] for body in ("[[x#A heading]]", "[[x#^block]]", "[[x#A]], pp. 3-4")
    )
    assert first.locator == Locator("A heading", heading="A heading")
    assert (second.path, second.locator) == ("x", None)
    assert (third.first_page, third.last_page, third.locator) == (3, 4, None)


def test_the_link_is_told_as_a_citation() -> None:
    assert [(link.target, link.is_cited) for link in page("[[source-x]]").links] == [("source-x", True)]
