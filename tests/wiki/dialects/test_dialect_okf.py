from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops.wiki.conventions import Conventions
from gitops.wiki.model import Locator, Page
from gitops.wiki.page import parse

ALL = Conventions(("okf", "canonical", "footnote_link", "remark"))
BUNDLES = Path(__file__).parents[3] / "../shared/data/wikis/okf-bundles/bundles"


def page(front: str, body: str) -> Page:
    return parse(f"---\ntitle: é\n{front}\n---\n{body}\n".encode(), ALL)


POLICY = "sources:\n- id: policy\n  title: Policy\n  resource: policies/p.md"


@pytest.mark.parametrize(
    "front",
    [
        "sources: 3",
        "sources:",
        "sources: [a.md, b.md]",
        "sources: [{id: policy}]",
        "sources: [{id: policy, resource: 5}]",
        "sources: [{id: policy, resource: ''}]",
        "resource: policies/p.md",
    ],
)
def test_what_names_no_resource_is_not_read(front: str) -> None:
    parsed = page(front, "Words.[^policy]")
    assert parsed.cites == ()
    assert [problem.result for problem in parsed.problems] == ["undefined"]


def test_a_label_that_is_no_id_is_left_to_other_dialects() -> None:
    parsed = page(POLICY, "Words.[^other]\n\n[^other]: [x](../raw/x.md)")
    assert [cite.dialect for claim in parsed.claims for cite in claim.cites] == ["footnote_link"]
    assert [cite.path for cite in parsed.cites] == ["policies/p.md"]


@pytest.mark.parametrize("definition", ["", "\n\n[^Policy]: Policy (FY2026)", "\n\n[^policy]: [Policy](https://a.b)"])
def test_the_label_is_the_key_whatever_its_definition_says(definition: str) -> None:
    parsed = page(POLICY, f"Words.[^policy] More.{definition}")
    (claim,) = parsed.claims
    (cite,) = claim.cites
    assert claim.text == "Words."
    assert (cite.dialect, cite.how, cite.path) == ("okf", "link", "policies/p.md")
    assert parsed.text[cite.place.start : cite.place.end] == "policies/p.md"
    assert parsed.cites == ()
    assert parsed.problems == ()


def test_a_definition_that_no_text_refers_to_is_told() -> None:
    parsed = page(POLICY, "Words.\n\n[^policy]: Policy")
    assert [problem.result for problem in parsed.problems] == ["unused"]
    assert [cite.path for cite in parsed.cites] == ["policies/p.md"]


@pytest.mark.parametrize(
    ("resource", "how", "path", "locator"),
    [
        ("https://a.b/c#d", "link", "https://a.b/c#d", None),
        ("/tables/orders.md#Keys", "link", "/tables/orders.md", Locator("Keys", heading="Keys")),
        ("my%20file.md", "link", "my file.md", None),
        ("all queries in BigQuery project X/Y", "loose", "all queries in BigQuery project X/Y", None),
        ("knowledge", "loose", "knowledge", None),
    ],
)
def test_paths_addresses_and_words(resource: str, how: str, path: str, locator: Locator | None) -> None:
    (cite,) = page(f'sources: [{{"resource": "{resource}", id: 1}}]', "Words.").cites
    assert (cite.how, cite.path, cite.locator) == (how, path, locator)


def test_equal_resources_and_folded_ones_have_places_of_their_own() -> None:
    folded = "- resource: >-\n    b c\n    d.md"
    front = f"sources:\n- resource: a.md\n- {{title: a.md, resource: 'a.md'}}\n{folded}\n- resource: e.md"
    parsed = page(front, "Words.")
    places = [parsed.text[cite.place.start : cite.place.end] for cite in parsed.cites]
    assert [cite.path for cite in parsed.cites] == ["a.md", "a.md", "b c d.md", "e.md"]
    assert places == ["a.md", "a.md", "resource", "e.md"]
    assert [cite.place.line for cite in parsed.cites] == [4, 5, 6, 9]


def test_one_mapping_is_a_list_of_one() -> None:
    assert [cite.path for cite in page("sources: {resource: a.md}", "Words.").cites] == ["a.md"]


@settings(max_examples=100, deadline=None)
@given(st.text(), st.text(alphabet="[^policy]: a\n"))
def test_no_page_raises(resource: str, body: str) -> None:
    import json

    parsed = page(f"sources: [{{resource: {json.dumps(resource)}, id: policy}}]", body)
    for cite in (*parsed.cites, *(cite for claim in parsed.claims for cite in claim.cites)):
        assert 0 <= cite.place.start <= cite.place.end <= len(parsed.text)


@pytest.mark.skipif(not BUNDLES.exists(), reason="needs the wikis")
def test_every_bundle_is_read_without_a_word_but_on_footnotes_that_nothing_uses() -> None:
    pages = [parse(path.read_bytes(), ALL) for path in sorted(BUNDLES.rglob("*.md"))]
    assert {problem.result for one in pages for problem in one.problems} == {"unused"}
    assert sum(len(one.cites) for one in pages) > 30
    cited = [cite for one in pages for claim in one.claims for cite in claim.cites if cite.dialect == "okf"]
    assert len(cited) > 20
