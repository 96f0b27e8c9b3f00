from __future__ import annotations

import pytest

from gitops.wiki.frontmatter import read
from gitops.wiki.positions import Lines
from gitops.wiki.salvage import salvaged


@pytest.mark.parametrize("source", ["", "{ a: [", "- a\n- b: [", "just words", ": ["])
def test_nothing_is_made_of_what_has_no_keys(source: str) -> None:
    assert salvaged(source) == {}


def test_a_broken_block_over_several_lines_is_left_out() -> None:
    assert salvaged("tags: [a,\n  b: c]]\nbad: [\n  - x\nkind: page") == {"kind": "page"}


@pytest.mark.parametrize("said", ["```", '"raw/a.md" again', "{a: [", "[one] and [two]", "- x: ["])
def test_a_broken_line_of_anything_but_words_and_wiki_links_is_left_out(said: str) -> None:
    assert salvaged(f"sources: {said}\nkind: page") == {"kind": "page"}


def test_one_broken_line_costs_no_other_key() -> None:
    source = "title: Bees\nsources: [raw/hive.md]\nrelated: [[wax]], [[honey]]\naliases:\n- The hive\n"
    assert salvaged(source) == {
        "title": "Bees",
        "sources": ["raw/hive.md"],
        "related": "[[wax]], [[honey]]",
        "aliases": ["The hive"],
    }


def test_a_title_with_a_colon_is_its_words() -> None:
    assert salvaged("title: Bees: a primer\nkind: page") == {"title": "Bees: a primer", "kind": "page"}


def test_of_equal_keys_the_first_is_kept() -> None:
    assert salvaged("a: 1\na: 2") == {"a": 1}


def test_lines_may_end_as_on_windows() -> None:
    assert salvaged("a: 1\r\nb: [[x]], [[y]]\r\n") == {"a": 1, "b": "[[x]], [[y]]"}


def test_the_page_keeps_its_keys_and_its_fault() -> None:
    text = "---\nsources: [[hive]], [[wax]]\ntitle: Bees\n---\nbody"
    found = read(text, Lines(text))
    assert found.values == {"sources": "[[hive]], [[wax]]", "title": "Bees"}
    assert [problem.result for problem in found.problems] == ["unparsable_frontmatter"]


def test_keys_that_are_only_doubled_are_read_as_before() -> None:
    text = "---\na: 1\na: 2\n---\nbody"
    assert read(text, Lines(text)).values == {"a": 2}
