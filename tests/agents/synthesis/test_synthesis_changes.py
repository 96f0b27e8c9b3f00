from __future__ import annotations

import pytest

from tests.agents.synthesis.wikis import ALDER, BEFORE, between, with_page

ADDED = '\nVisitors may see it on Sundays.[^3]\n\n[^3]: raw/news.md, "see it on Sundays"\n'


@pytest.mark.parametrize(
    "after",
    [
        pytest.param(BEFORE, id="nothing changed"),
        pytest.param(with_page("wiki/alder.md", ALDER.replace("40 people.[^1]", "**40** people![^1]")), id="mark-up"),
        pytest.param(with_page("wiki/alder.md", ALDER + "\nNobody cites this.\n"), id="uncited"),
        pytest.param(with_page("wiki/index.md", BEFORE["wiki/index.md"] + ADDED), id="the index"),
        pytest.param(with_page("wiki/log.md", "# Log\n" + ADDED), id="the log"),
        pytest.param(with_page("wiki/synthesis/2024-01-01.md", "# Synthesis\n" + ADDED), id="an earlier synthesis"),
        pytest.param(with_page("wiki/alder.md", ALDER + ADDED.replace("Visitors", "~~Visitors~~")), id="struck"),
        pytest.param(with_page("notes/alder.md", "# Notes\n" + ADDED), id="outside the wiki"),
    ],
)
def test_what_is_no_news(after: dict[str, str]) -> None:
    assert between(BEFORE, after).news == ()


def test_a_claim_that_moved_to_another_page_is_no_news() -> None:
    after = {
        **BEFORE,
        "wiki/alder.md": "# Alder mill\n\nMoved.\n",
        "wiki/wood.md": ALDER.replace("# Alder mill", "# Wood"),
    }
    assert between(BEFORE, after).news == ()


def test_a_page_that_was_renamed_is_neither_added_nor_gone() -> None:
    after = {path: text for path, text in BEFORE.items() if path != "wiki/alder.md"} | {"wiki/mill.md": ALDER + ADDED}
    found = between(BEFORE, after)
    assert (found.added, found.gone) == ((), ())
    assert [(news.path, news.kind) for news in found.news] == [("wiki/mill.md", "new")]


def test_a_new_claim_and_a_new_page() -> None:
    after = with_page("wiki/visits.md", "# Visits\n" + ADDED)
    found = between(BEFORE, after)
    assert [(news.claim.text, news.kind) for news in found.news] == [("Visitors may see it on Sundays.", "new")]
    assert found.added == ("wiki/visits.md",)


def test_a_reworded_claim_knows_what_it_was() -> None:
    after = with_page("wiki/alder.md", ALDER.replace("employs 40 people.[^1]", "employs just 40 people.[^1]"))
    (news,) = between(BEFORE, after).news
    assert (news.kind, news.was) == ("reworded", "The Alder mill employs 40 people.")


def test_other_words_by_another_source_are_new() -> None:
    text = ALDER.replace("employs 40 people.[^1]", "employs 60 people.[^1]").replace(
        '[^1]: raw/report.md, "employs 40 people"', '[^1]: raw/news.md, "now employs 60 people"'
    )
    (news,) = between(BEFORE, with_page("wiki/alder.md", text)).news
    assert (news.kind, news.was) == ("new", "")


def test_a_further_source_is_news_and_another_quotation_is_not() -> None:
    cite = '[^1]: raw/report.md, "employs 40 people"'
    more = with_page("wiki/alder.md", ALDER.replace(cite, f'{cite}; raw/news.md, "employs"'))
    longer = with_page("wiki/alder.md", ALDER.replace(cite, '[^1]: raw/report.md, "The Alder mill employs 40 people"'))
    assert [news.kind for news in between(BEFORE, more).news] == ["sourced"]
    assert between(BEFORE, longer).news == ()


@pytest.mark.parametrize(
    "dated",
    [
        "As of 2024-01-01, the Alder mill employs 40 people.[^1]",
        "Much is said.\n\n> [!superseded] 2024-01-01\n>\n> The Alder mill employs 40 people.[^1]\n\nMore.",
    ],
)
def test_a_claim_that_became_dated(dated: str) -> None:
    after = with_page("wiki/alder.md", ALDER.replace("The Alder mill employs 40 people.[^1]", dated))
    found = {news.kind: news for news in between(BEFORE, after).news}
    assert (found["dated"].day, found["dated"].was) == ("2024-01-01", "The Alder mill employs 40 people.")


def test_everything_is_new_where_nothing_was_before() -> None:
    found = between({}, BEFORE)
    assert [news.path for news in found.news] == ["wiki/alder.md", "wiki/alder.md", "wiki/turbines.md"]
    assert found.added == ("wiki/alder.md", "wiki/turbines.md")
