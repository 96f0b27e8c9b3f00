from __future__ import annotations

import pytest

from gitops.config import Workspace
from gitops.wiki.layout import Layout, joined


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
