from __future__ import annotations

import pytest

from gitops.config import Workspace
from gitops.wiki.layout import Layout, is_about_wiki, is_entry, joined


def test_a_path_below_the_root_of_the_repository_is_itself() -> None:
    assert joined("", "raw/a.md") == "raw/a.md"
    assert joined("beta", "raw/a.md") == "beta/raw/a.md"


def test_the_parts_of_a_workspace_in_a_folder() -> None:
    layout = Layout("deep/Beta", Workspace(raw="sources", wiki="content/wiki", index="home.md"))
    assert (layout.raw, layout.wiki, layout.gold) == ("deep/Beta/sources", "deep/Beta/content/wiki", "deep/Beta/gold")
    assert (layout.index, layout.log) == ("deep/Beta/content/wiki/home.md", "deep/Beta/content/wiki/log.md")
    assert (layout.config, layout.source("a.md")) == ("deep/Beta/assay.toml", "deep/Beta/a.md")


@pytest.mark.parametrize(
    ("root", "name", "called"), [("", "", "main"), ("deep/Beta", "", "beta"), ("deep/Beta", "other", "other")]
)
def test_a_workspace_is_called_as_configured_or_as_its_folder(root: str, name: str, called: str) -> None:
    assert Layout(root, Workspace(name=name)).name == called


@pytest.mark.parametrize("path", ["raw/a.md", "wiki/a.txt", "wikis/a.md", "beta/wiki/a.md", "wiki", "wiki.md"])
def test_what_is_no_page(path: str) -> None:
    assert not Layout().is_page(path)


@pytest.mark.parametrize("path", ["wiki/a.md", "wiki/x/A.MD", "wiki/a.markdown", "wiki/log.md"])
def test_what_is_a_page(path: str) -> None:
    assert Layout().is_page(path)


def test_what_is_a_source() -> None:
    layout = Layout("beta")
    assert layout.is_source("beta/raw/x/a.pdf")
    assert not any(map(layout.is_source, ("raw/a.md", "beta/raw", "beta/rawest/a.md", "Beta/raw/a.md")))


def test_a_source_is_cited_from_its_workspace_in_nfc() -> None:
    assert Layout("beta").cited("beta/raw/cafe\u0301.md") == "raw/caf\u00e9.md"
    assert Layout().cited("raw/a.md") == "raw/a.md"


WHOLE = Layout("kb", Workspace(wiki=".", exclude=("templates/**", "*.excalidraw.md")), nested=("kb/other",))


@pytest.mark.parametrize(
    "path",
    [
        "kb/raw/a.md", "kb/gold/a.md", "kb/.github/a.md", "kb/a/.obsidian/b.md", "kb/.a.md", "kb/templates/x/a.md",
        "kb/b.excalidraw.md", "kb/other/wiki/a.md", "wiki/a.md", "kb/assay.toml", "kb/a.txt",
    ],
)  # fmt: skip
def test_what_is_no_page_of_a_workspace_that_is_its_wiki(path: str) -> None:
    assert not WHOLE.is_page(path)


@pytest.mark.parametrize("path", ["kb/a.md", "kb/tables/x.md", "kb/others/a.md", "kb/rawest/a.md", "kb/log.md"])
def test_what_is_a_page_of_a_workspace_that_is_its_wiki(path: str) -> None:
    assert WHOLE.is_page(path)


def test_the_parts_of_a_workspace_that_is_its_wiki() -> None:
    assert (WHOLE.wiki, WHOLE.index, WHOLE.log, WHOLE.is_whole) == ("kb", "kb/index.md", "kb/log.md", True)
    assert (WHOLE.debt, WHOLE.inside("kb/a/b.md")) == ("kb/assay.debt.jsonl", "a/b.md")
    top = Layout("", Workspace(wiki=".", index="wiki/index.md"))
    assert (top.wiki, top.index, top.inside("a.md"), top.is_page("a.md")) == ("", "wiki/index.md", "a.md", True)
    assert not any(map(top.is_wiki, ("assay.toml", "assay.debt.jsonl", "raw", "raw/x.png", "gold/a")))


def test_sources_below_the_wiki_are_no_pages() -> None:
    layout = Layout("", Workspace(raw="wiki/raw"))
    assert layout.is_source("wiki/raw/a.md")
    assert not layout.is_page("wiki/raw/a.md")
    assert layout.is_page("wiki/rawest.md")


def test_layouts_are_compared_by_what_they_were_made_of() -> None:
    assert Layout("a") == Layout("a") != Layout("b")
    assert len({Layout("a"), Layout("a"), Layout("a", nested=("a/b",))}) == 2


@pytest.mark.parametrize(("path", "found"), [("a/Index.md", True), ("README.md", True), ("a/index-2.md", False)])
def test_where_readers_come_in(path: str, found: bool) -> None:
    assert is_entry(path) is found


@pytest.mark.parametrize(
    ("path", "found"),
    [("SCHEMA.md", True), ("a/CLAUDE.md", True), ("templates/a.md", True), ("a/templating.md", False)],
)
def test_what_is_about_the_wiki(path: str, found: bool) -> None:
    assert is_about_wiki(path) is found
