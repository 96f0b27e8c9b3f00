from __future__ import annotations

from collections.abc import Callable

import pytest

from gitops.verify.finding import Finding

Results = Callable[..., list[tuple[str, str, str, int, bool]]]
SaidBy = Callable[..., list[Finding]]

WIKI = {"wiki/index.md": "[[coffee-guide]]\n", "wiki/coffee-guide.md": "# Grinding\n\nWords.\n"}


def test_links_that_lead_somewhere_say_nothing(results: Results) -> None:
    text = (
        "# Here\n\n[[coffee-guide]] [[coffee-guide#Grinding|g]] [x](coffee-guide.md) [y](#here) <https://a.example>\n"
    )
    assert results("links", WIKI, {"wiki/a.md": text}) == []


def test_broken(said_by: SaidBy) -> None:
    [found] = said_by("links", WIKI, {"wiki/a.md": "[[cofee-guide]]\n"})
    assert (found.result, found.level, found.line, found.column) == ("broken", "warning", 1, 1)
    assert found.repair == "did you mean coffee-guide.md?"


@pytest.mark.parametrize("target", ["tea", "nope.md", "c", "guide"])
def test_nothing_near_is_suggested_where_nothing_is_near(said_by: SaidBy, target: str) -> None:
    [found] = said_by("links", WIKI, {"wiki/a.md": f"[x]({target})\n"})
    assert (found.result, found.repair) == ("broken", "")


def test_escapes(results: Results) -> None:
    told = results("links", WIKI, {"wiki/a.md": "[x](../../secret.md)\n"})
    assert told == [("escapes", "error", "wiki/a.md", 1, True)]


def test_broken_anchor_on_another_page_and_on_this_one(results: Results) -> None:
    told = results("links", WIKI, {"wiki/a.md": "[[coffee-guide#Brewing]]\n\n[x](#nowhere)\n"})
    assert told == [
        ("broken_anchor", "note", "wiki/a.md", 1, True),
        ("broken_anchor", "note", "wiki/a.md", 3, True),
    ]


def test_a_link_becomes_ambiguous_by_a_page_that_comes(results: Results) -> None:
    before = {"wiki/index.md": "[[mill]]\n", "wiki/x/mill.md": "Words.\n"}
    told = results("links", before, {"wiki/y/mill.md": "Words.\n"})
    assert told == [("ambiguous", "note", "wiki/index.md", 1, True)]


def test_a_deleted_page_breaks_the_links_of_untouched_pages(results: Results) -> None:
    told = results("links", WIKI, {"wiki/coffee-guide.md": None})
    assert told == [("broken", "warning", "wiki/index.md", 1, True)]


def test_a_moved_page_breaks_the_links_that_named_its_folder(results: Results) -> None:
    before = {"wiki/index.md": "[[mill]] [m](x/mill.md)\n", "wiki/x/mill.md": "Words.\n"}
    told = results("links", before, {"wiki/x/mill.md": None, "wiki/y/mill.md": "Words.\n"})
    assert told == [("broken", "warning", "wiki/index.md", 1, True)]


def test_a_folder_that_is_emptied_breaks_the_links_to_it(results: Results) -> None:
    before = {"wiki/index.md": "[topics](topics/)\n", "wiki/topics/a.md": "Words.\n"}
    told = results("links", before, {"wiki/topics/a.md": None})
    assert told == [("broken", "warning", "wiki/index.md", 1, True)]


def test_an_image_that_goes_breaks_the_page_that_shows_it(results: Results) -> None:
    before = {"wiki/index.md": "![plan](plan.png)\n", "wiki/plan.png": b"\x89PNG"}
    assert [one[:3] for one in results("links", before, {"wiki/plan.png": None})] == [
        ("broken", "warning", "wiki/index.md")
    ]


def test_old_broken_links_do_not_gate_and_a_second_one_does(results: Results) -> None:
    before = {"wiki/a.md": "[[gone]]\n"}
    told = results("links", before, {"wiki/a.md": "Moved.\n\n[[gone]] and [[gone]]\n"})
    assert [(one[0], one[3], one[4]) for one in told] == [("broken", 3, False), ("broken", 3, True)]
