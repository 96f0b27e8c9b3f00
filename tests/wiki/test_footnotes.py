from __future__ import annotations

import pytest

from gitops.wiki.conventions import Conventions
from gitops.wiki.page import parse


def problems(text: str) -> list[tuple[str, int]]:
    return [(problem.result, problem.place.line) for problem in parse(text.encode()).problems]


def repair(text: str) -> str:
    (problem,) = parse(text.encode()).problems
    return problem.repair


def test_a_reference_without_definition() -> None:
    page = parse(b"one\n\ntwo[^nope].")
    (problem,) = page.problems
    assert problem.result == "undefined"
    assert page.text[problem.place.start : problem.place.end] == "[^nope]"
    assert problem.place.line == 3


@pytest.mark.parametrize(
    "text",
    [
        "`[^a]`",
        "\\[^a]",
        "```\n[^a]\n```",
        "<!-- [^a] -->",
        "[^a](x.md)",
        "classes [^a-z]+ and [^0-9_]",
        "^[a.md:4-5]",
        "[^ a]",
    ],
)
def test_what_only_looks_like_a_reference(text: str) -> None:
    assert problems(text) == []


@pytest.mark.parametrize("text", ["*a[^x]*", "# a[^x]", "- a[^x]", "> a[^x]", "|a[^x]|\n|-|\n", "[^x]: ", "a[^é_x_y]"])
def test_it_is_found_in_every_block(text: str) -> None:
    assert [result for result, _ in problems(text)] == (
        ["unused", "unknown_form"] if text == "[^x]: " else ["undefined"]
    )


def test_a_definition_that_is_never_used() -> None:
    assert problems("a\n\n[^1]: raw/a") == [("unused", 3)]


def test_a_label_defined_twice_is_told_at_the_second_and_the_first_counts() -> None:
    page = parse(b'a[^X]\n\n[^x]: raw/a, "q"\n[^X]: raw/b, "q"')
    assert [(problem.result, problem.place.line) for problem in page.problems] == [("duplicate", 4)]
    assert [cite.path for claim in page.claims for cite in claim.cites] == ["raw/a"]


def test_a_reference_in_a_citation_is_no_use_of_a_label() -> None:
    assert problems('a[^1]\n\n[^1]: raw/a, "as in [^2] and [^3]"\n[^2]: raw/b, "q"') == [("unused", 4)]


@pytest.mark.parametrize(
    "text",
    [
        'a[^1]\n\n[^1]: raw/a, "q\nmore"',
        'a[^1]\n\n[^1]: raw/a, "q"\n\n    another paragraph',
        'a[^1]\n\n[^1]:\n    raw/a, "q"',
    ],
)
def test_a_definition_over_several_lines_is_in_no_known_form(text: str) -> None:
    assert problems(text) == [("unknown_form", 3)]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("[Title](../raw/a.md), lines 3-5", '../raw/a.md, "the words of the source"'),
        ("[[raw/a|Title]]", 'raw/a, "the words of the source"'),
        ("`raw/a.md`, lines 3", 'raw/a.md, "the words of the source"'),
        ("Some remark, nothing more", 'raw/source.md, "the words of the source"'),
        ("raw/a.md, “straight”", 'raw/a.md, "straight"'),
    ],
)
def test_the_repair_shows_the_expected_form(body: str, expected: str) -> None:
    assert repair(f"a[^1]\n\n[^1]: {body}") == f"[^1]: {expected}"


@pytest.mark.parametrize("text", ['> a[^1]\n>\n> [^1]: raw/a, "q"\n>\n> b', '- a[^1]\n\n  [^1]: raw/a, "q"\n\n- b'])
def test_a_definition_inside_a_quote_or_list_counts(text: str) -> None:
    page = parse(text.encode())
    assert page.problems == ()
    assert [claim.text for claim in page.claims] == ["a"]


def test_words_in_a_wiki_of_several_conventions_are_told_as_such_with_a_mend_that_is_another_text() -> None:
    page = parse(b"One.[^1]\n\n[^1]: LLM - model knowledge\n", Conventions(("canonical", "frontmatter")))
    (found,) = page.problems
    assert "these are words, and no path to a source" in found.message
    assert found.repair == '[^1]: raw/source.md, "the words of the source"'
