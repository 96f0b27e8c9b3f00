"""Mends that are certain, and the many that are not; in memory."""

from __future__ import annotations

from collections.abc import Mapping, Set

import pytest

from gitops.config import Config
from gitops.verify.linting import checks, lint
from gitops.verify.mending import Renames, mended, mends
from gitops.verify.view import Library, View
from gitops.wiki.layout import Layout
from gitops.wiki.snapshot import MemorySnapshot
from gitops.wiki.wholegraph import WholeGraph

SOURCE = "First.\n\nHere the “mill”  employs forty people.\n"


def fixed(
    page: str,
    files: Mapping[str, str] | None = None,
    went: Mapping[str, Set[str]] | None = None,
    path: str = "wiki/p.md",
) -> str:
    """The page after its certain mends, in a wiki with these files."""
    held = {"raw/a.md": SOURCE, path: page, **(files or {})}
    snapshot = MemorySnapshot({name: text.encode() for name, text in held.items()})
    graph = WholeGraph(lambda name: snapshot.mode(name) is not None)
    view = View(snapshot, Layout(), Config(), Library(Config()), graph)
    found = [one for one in lint(view, graph, checks()) if one.path == path]
    return mended(page, mends(view, path, view.page(path), found, Renames(went or {})))


def unchanged(page: str, *rest: Mapping[str, str] | Mapping[str, Set[str]] | None) -> bool:
    return fixed(page, *rest) == page  # type: ignore[arg-type]


def note(quote: str, path: str = "raw/a.md") -> str:
    return f"A claim.[^1] Another.[^1]\n\n[^1]: {path}, {quote}\n"


@pytest.mark.parametrize("quote", ['"the mill employs fifty people"', '"no such thing at all stands there"'])
def test_a_quotation_that_says_something_else_is_left(quote: str) -> None:
    assert unchanged(note(quote))


def test_a_quotation_that_stands_as_written_is_left() -> None:
    assert unchanged(note('"employs forty people"'))
    assert unchanged(note('"employs forty people" @25'))


def test_a_quotation_is_spelled_as_its_source_spells_it() -> None:
    assert fixed(note("\"the 'mill' employs Forty people\"")) == note('"the “mill” employs forty people" @13')


def test_an_offset_is_moved_to_where_the_quotation_stands() -> None:
    assert fixed(note('"employs forty people" @3')) == note('"employs forty people" @25')


def test_of_several_citations_in_one_note_only_the_repairable_one_changes() -> None:
    before = note('"employs fifty people"; raw/a.md, "Employs forty people"; raw/a.md, "First"')
    after = note('"employs fifty people"; raw/a.md, "employs forty people" @25; raw/a.md, "First"')
    assert fixed(before) == after


OTHERS = {"wiki/index.md": "[p](p.md)\n", "wiki/x/new name.md": "# N\n", "wiki/x/the-mill.md": "# M\n"}
WENT = {"wiki/old.md": {"wiki/x/new name.md"}, "wiki/x/older.md": {"wiki/x/new name.md"}}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[a](old.md)", "[a](x/new%20name.md)"),
        ("[a](old)", "[a](x/new%20name)"),
        ("[a](./old.md)", "[a](./x/new%20name.md)"),
        ('[a](old.md#top "Old")', '[a](x/new%20name.md#top "Old")'),
        ("[a](<old.md>)", "[a](<x/new name.md>)"),
        ("[a][r]\n\n[r]: old.md 'T'", "[a][r]\n\n[r]: x/new%20name.md 'T'"),
        ("[[old]]", "[[new name]]"),
        ("[[old|shown]] and [[x/older#top]]", "[[new name|shown]] and [[x/new name#top]]"),
        ("![[old.md]]", "![[new name.md]]"),
        ("| [[old\\|a]] |\n|---|\n| b |", "| [[new name\\|a]] |\n|---|\n| b |"),
        ("[a](X/The_Mill.md)", "[a](x/the-mill.md)"),
        ("é [a](old.md) ü [b](old.md)", "é [a](x/new%20name.md) ü [b](x/new%20name.md)"),
    ],
)
def test_a_link_follows_the_page_that_was_renamed(before: str, after: str) -> None:
    assert fixed(f"{before}\n", OTHERS, WENT) == f"{after}\n"
    assert unchanged(f"{after}\n", OTHERS, WENT)


@pytest.mark.parametrize(
    "link", ["[a](nowhere.md)", "[[nowhere]]", "`[a](old.md)`", "[a](/old.md)", "[a](https://x/old.md)"]
)
def test_a_link_that_nothing_certain_is_known_of_is_left(link: str) -> None:
    assert unchanged(f"{link}\n", OTHERS, WENT)


def test_a_page_that_went_two_ways_is_no_certain_target() -> None:
    assert unchanged("[a](old.md)\n", OTHERS, {"wiki/old.md": {"wiki/x/new name.md", "wiki/x/the-mill.md"}})


def test_a_page_that_is_gone_again_is_no_target() -> None:
    assert unchanged("[a](old.md)\n", OTHERS, {"wiki/old.md": {"wiki/x/gone.md"}})


def test_two_pages_that_differ_by_spelling_alone_decide_nothing() -> None:
    assert unchanged("[a](x/the_mill.md)\n", {**OTHERS, "wiki/x/The mill.md": "# T\n"}, {})


def test_a_name_that_a_wiki_link_cannot_spell_is_left() -> None:
    assert unchanged("[[old]]\n", {"wiki/a#b.md": "# A\n"}, {"wiki/old.md": {"wiki/a#b.md"}})
