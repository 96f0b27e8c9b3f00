from __future__ import annotations

from gitops.wiki import dialects
from gitops.wiki.model import Cite, Page, Place
from gitops.wiki.page import parse
from gitops.wiki.survey import Survey, all_dialects, index_form, log_form

PAGE = """---
title: A
tags: [x, y]
count: 3
day: 2026-01-02
none:
---

One sentence is cited.[^1] Two are not. See [b](b.md) and [[c]].

Another paragraph stands alone.

[^1]: raw/a.md, "cited"
"""


def surveyed(text: str, good: bool = True) -> Survey:
    survey = Survey()
    survey.add(parse(text.encode()), lambda cite: good)
    return survey


def test_every_dialect_is_asked_once_and_the_broadest_last() -> None:
    order = all_dialects()
    assert sorted(order) == list(dialects.ids())
    assert order[:2] == ("okf", "canonical")
    assert order[-1] == ("remark" if "remark" in order else order[-1])


def test_citations_links_and_fields_are_counted() -> None:
    survey = surveyed(PAGE)
    assert survey.cites == {"canonical": 1}
    assert survey.citing_pages == {"canonical": 1}
    assert survey.links == {"markdown": 1, "wiki": 1}
    assert {name: list(kinds) for name, kinds in survey.fields.items()} == {
        "title": ["text"],
        "tags": ["list of text"],
        "count": ["number"],
        "day": ["date"],
        "none": ["empty"],
    }


def test_sentences_count_by_their_block() -> None:
    survey = surveyed(PAGE)
    assert (survey.owing, survey.cited, survey.checkable) == (4, 3, 3)


def test_what_leads_nowhere_is_cited_and_not_checkable() -> None:
    survey = surveyed(PAGE, good=False)
    assert (survey.cited, survey.checkable) == (3, 0)


def test_a_page_that_cites_as_a_whole_counts_whole() -> None:
    cite = Cite("frontmatter", "raw/a.md", Place(0, 1, 1, 1, 1))
    survey = Survey()
    survey.add(Page("One. Two.\n", cites=(cite,)), lambda cite: True)
    assert (survey.owing, survey.cited, survey.checkable) == (2, 2, 2)


def test_chosen_are_the_dialects_in_use_with_the_canonical_one() -> None:
    assert surveyed("Words.\n").chosen() == ("canonical",)
    survey = Survey()
    survey.cites.update(["footnote_link", "frontmatter"])
    assert survey.chosen() == ("canonical", "footnote_link", "frontmatter", "remark")


def test_the_form_of_the_index() -> None:
    assert index_form(None) == "none"
    assert index_form(parse(b"# Index\n")) == "no links"
    assert index_form(parse(b"- [[a]]\n- [[b]]\n- [c](c.md)\n")) == "list of wiki-links"
    assert index_form(parse(b"- [a](a.md)\n")) == "list of Markdown links"
    assert index_form(parse(b"| page | says |\n|---|---|\n| [a](a.md) | x |\n")) == "table"


def test_the_form_of_the_log() -> None:
    assert log_form(None) == "none"
    assert log_form("# Log\n\nnothing\n") == "free text"
    assert log_form("## [2026-01-01] ingest | a\n## [2026-01-02] ingest | b\n") == (
        "## [date] operation | title, oldest first"
    )
    assert log_form("## 2026-02-01\n- x\n\n## 2026-01-01\n- y\n") == "## date, newest first"
    assert log_form("- 2026-01-01 ingest: a\n") == "- date"
    assert log_form("| day | what |\n|---|---|\n| 2026-01-01 | a |\n") == "table"
