from __future__ import annotations

from collections.abc import Callable

import pytest

from gitops.wiki.graph import resolved
from gitops.wiki.layout import Layout
from gitops.wiki.names import name_key
from gitops.wiki.wholegraph import NamesNotYetKnown, WholeGraph


def graph(*paths: str) -> WholeGraph:
    made = WholeGraph(lambda path: path in paths)
    for path in paths:
        made.learn(path, (name_key(path),))
    return made


def test_a_link_by_title_cannot_be_followed_before_every_page_was_read() -> None:
    with pytest.raises(NamesNotYetKnown):
        resolved(graph("wiki/a.md"), Layout(), "wiki/b.md", "wiki", "The first page")


def test_a_link_by_title_is_followed_once_they_were() -> None:
    whole = graph("wiki/a.md", "wiki/b.md")
    whole.learn("wiki/a.md", ("title:the first page",))
    whole.has_all_names = True
    assert resolved(whole, Layout(), "wiki/b.md", "wiki", "The First Page").paths == ("wiki/a.md",)


def test_a_link_by_path_needs_no_page_read() -> None:
    assert resolved(graph("wiki/a.md"), Layout(), "wiki/b.md", "wiki", "a").paths == ("wiki/a.md",)
    assert resolved(graph("wiki/a.md"), Layout(), "wiki/b.md", "markdown", "a.md").paths == ("wiki/a.md",)


def test_a_link_means_another_page_from_another_folder() -> None:
    whole = graph("wiki/x/a.md", "wiki/y/a.md")
    assert resolved(whole, Layout(), "wiki/x/p.md", "markdown", "a.md").paths == ("wiki/x/a.md",)
    assert resolved(whole, Layout(), "wiki/y/p.md", "markdown", "a.md").paths == ("wiki/y/a.md",)


def test_where_links_lead_is_kept_within_bounds() -> None:
    whole = graph("wiki/a.md")
    for number in range(whole.MOST + 10):
        resolved(whole, Layout(), f"wiki/{number}/b.md", "markdown", "../a.md")
    assert 0 < len(whole.followed) <= whole.MOST


@pytest.mark.parametrize(
    "ask",
    [
        lambda whole: whole.links("wiki/a.md"),
        lambda whole: whole.linking("a"),
        lambda whole: whole.links_to("wiki/a.md", "a"),
        lambda whole: whole.citing("a"),
        lambda whole: whole.names("wiki/a.md"),
    ],
)
def test_what_is_not_kept_is_refused_and_not_empty(ask: Callable[[WholeGraph], object]) -> None:
    with pytest.raises(RuntimeError, match="of_links"):
        ask(graph("wiki/a.md"))
