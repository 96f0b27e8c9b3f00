from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops.wiki.conventions import Conventions
from gitops.wiki.model import Page
from gitops.wiki.page import parse

ONLY = Conventions(("remark",))


def page(definition: str, conventions: Conventions = ONLY) -> Page:
    return parse(f"é.[^n]\n\n[^n]: {definition}\n".encode(), conventions)


@pytest.mark.parametrize(
    "body",
    [
        "",
        "raw/a.md lines 3",
        "in ../raw/notes somewhere",
        "`raw/a.md`",
        "[x](../raw/x.md)",
        "See [x](page.md)",
        "[[source-x]]",
        "https://a.b/c",
        'raw/a.md, "never closed',
        "notes.pdf",
    ],
)
def test_what_looks_like_a_citation_is_not_swallowed(body: str) -> None:
    assert [problem.result for problem in page(body).problems] == ["unknown_form"]


@pytest.mark.parametrize(
    "body",
    [
        "Figures are rounded, so they may not add up.",
        "Note - this is disputed.",
        "N.B. — as of 2024",
        "See below.",
        "The figure - a rounded one - is older",
        "However, the firm denies it",
        "The file config.md is optional in this version; node.js is not.",
        "Paths such as `raw/<file>.md` are templates.",
        "More on this in [[Some Page]].",
        "All of them lie in the `raw/` folder",
        "이 값은 근사치이다.",
        "As above.[^m]\n\n[^m]: Another remark, too",
        "A remark\n    that goes on",
    ],
)
def test_a_remark_is_known_and_cites_nothing(body: str) -> None:
    parsed = page(body)
    assert parsed.claims == ()
    assert parsed.problems == ()


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ("LLM - model knowledge, not from a raw file (added 2026-07-16)", "LLM"),
        ("LLM, model knowledge", "LLM"),
        ("Personal communication — J. Doe, May", "Personal communication"),
        ("arXiv:2402.12345, section 3", "arXiv:2402.12345"),
        ("Weng, L. (2023) Agents. Journal 7", "Weng, L. (2023)"),
    ],
)
def test_a_source_that_has_only_a_name(body: str, path: str) -> None:
    parsed = page(body, Conventions(("canonical", "footnote_link", "remark")) if ":" not in body else ONLY)
    (cite,) = parsed.claims[0].cites
    assert (cite.dialect, cite.how, cite.path) == ("remark", "loose", path)
    assert parsed.text[cite.place.start : cite.place.end] == path


def test_words_are_no_path_of_the_canonical_form_beside_other_dialects() -> None:
    parsed = page("Revenue Recognition Policy (FY2026)", Conventions(("canonical", "remark")))
    assert (parsed.claims, parsed.problems) == ((), ())


@settings(max_examples=100, deadline=None)
@given(st.text())
def test_no_definition_raises(body: str) -> None:
    for cite in (cite for claim in page(body).claims for cite in claim.cites):
        assert cite.place.start < cite.place.end
