from __future__ import annotations

from collections.abc import Callable

import pytest

from gitops.verify.finding import Finding

Results = Callable[..., list[tuple[str, str, str, int, bool]]]
SaidBy = Callable[..., list[Finding]]


def test_a_linked_page_the_index_and_the_log_say_nothing(results: Results) -> None:
    files = {"wiki/index.md": "[[a]]\n", "wiki/a.md": "Words.\n", "wiki/log.md": "# Log\n"}
    assert results("orphan", {}, files) == []


def test_an_orphan_is_told_how_to_be_linked(said_by: SaidBy) -> None:
    [found] = said_by("orphan", {"wiki/index.md": "Home.\n"}, {"wiki/topics/the mill.md": "Words.\n"})
    assert (found.result, found.level, found.line) == ("orphan", "error", 1)
    assert found.repair == "link to it from wiki/index.md: [the mill](<topics/the mill.md>)"


def test_a_link_to_itself_or_from_the_log_does_not_count(results: Results) -> None:
    files = {"wiki/index.md": "Home.\n", "wiki/log.md": "[[a]]\n", "wiki/a.md": "[[a]]\n"}
    assert [one[0] for one in results("orphan", {}, files)] == ["orphan"]


def test_a_ring_that_nothing_reaches_is_an_island(results: Results) -> None:
    files = {"wiki/index.md": "Home.\n", "wiki/a.md": "[[b]]\n", "wiki/b.md": "[[a]]\n"}
    told = results("orphan", {}, files)
    assert told == [("island", "note", "wiki/a.md", 1, True), ("island", "note", "wiki/b.md", 1, True)]


def test_a_page_loses_its_last_link_because_another_page_is_rewritten(results: Results) -> None:
    before = {"wiki/index.md": "[[a]]\n", "wiki/a.md": "[[b]]\n", "wiki/b.md": "Words.\n"}
    told = results("orphan", before, {"wiki/a.md": "No link any more.\n"})
    assert told == [("orphan", "error", "wiki/b.md", 1, True)]


def test_a_page_loses_its_last_link_because_a_page_is_deleted(results: Results) -> None:
    before = {"wiki/index.md": "[[a]]\n", "wiki/a.md": "[[b]]\n", "wiki/b.md": "Words.\n"}
    assert [one[2] for one in results("orphan", before, {"wiki/a.md": None})] == ["wiki/b.md"]


def test_a_page_loses_its_last_link_to_a_new_page_of_the_same_name(results: Results) -> None:
    before = {"wiki/index.md": "[[auth]]\n", "wiki/deep/auth.md": "Words.\n"}
    told = results("orphan", before, {"wiki/auth.md": "Nearer the root.\n"})
    assert told == [("orphan", "error", "wiki/deep/auth.md", 1, True)]


def test_an_old_orphan_does_not_gate(results: Results) -> None:
    before = {"wiki/index.md": "Home.\n", "wiki/a.md": "Words.\n"}
    assert [one[4] for one in results("orphan", before, {"wiki/a.md": "Other words.\n"})] == [False]


@pytest.mark.parametrize(
    "path",
    [
        "wiki/README.md",
        "wiki/en/index.md",
        "wiki/AI/SCHEMA.md",
        "wiki/AGENTS.md",
        "wiki/templates/a.md",
        "wiki/x/log.md",
    ],
)
def test_where_readers_come_in_and_what_is_about_the_wiki_is_no_orphan(results: Results, path: str) -> None:
    assert results("orphan", {"wiki/index.md": "Home.\n"}, {path: "Words.\n"}) == []


def test_a_wiki_without_an_index_has_no_islands_and_its_orphans_are_warnings(results: Results) -> None:
    files = {"wiki/a.md": "[[b]]\n", "wiki/b.md": "[[a]]\n", "wiki/c.md": "x\n"}
    assert results("orphan", {}, files) == [("orphan", "warning", "wiki/c.md", 1, True)]


@pytest.mark.parametrize("made", ["```dataview\nLIST\n```\n", "![[all.base]]\n"])
def test_what_a_query_may_list_is_a_warning(results: Results, made: str) -> None:
    told = results("orphan", {"wiki/index.md": made}, {"wiki/a.md": "x\n"})
    assert [one[:2] for one in told] == [("orphan", "warning")]


def test_a_page_that_is_cited_as_a_source_is_linked(results: Results) -> None:
    files = {"wiki/index.md": "[[a]]\n", "wiki/a.md": "---\nsources: [talk]\n---\nx\n", "wiki/talk.md": "x\n"}
    toml = '[citations]\ndialects = ["frontmatter"]\n'
    assert results("orphan", {}, files, toml=toml) == []
    assert [one[2] for one in results("orphan", {}, files)] == ["wiki/talk.md"]


def test_a_page_loses_the_name_by_which_it_was_linked(results: Results) -> None:
    before = {"wiki/index.md": "[[The Mill]]\n", "wiki/m.md": "---\ntitle: The Mill\n---\nx\n"}
    told = results("orphan", before, {"wiki/m.md": "---\ntitle: Other\n---\nx\n"})
    assert told == [("orphan", "error", "wiki/m.md", 1, True)]


def test_a_page_that_only_cites_itself_is_an_orphan_and_no_namesake_gains_by_it(results: Results) -> None:
    own = "---\nsources: ['[[x/talk]]']\n---\nWords ([[x/talk]]).\n"
    files = {"wiki/index.md": "Home.\n", "wiki/x/talk.md": own, "wiki/en/x/talk.md": "Words.\n"}
    toml = '[citations]\ndialects = ["frontmatter", "source_link"]\nsource_pages = ["x"]\n'
    assert [one[:3] for one in results("orphan", {}, files, toml=toml)] == [
        ("orphan", "error", "wiki/en/x/talk.md"),
        ("orphan", "error", "wiki/x/talk.md"),
    ]
