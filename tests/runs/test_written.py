"""Branches that somebody made by hand, in a repository with several workspaces."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from gitops.errors import UsageError
from gitops.runs.written import workspace_of
from tests.runs.driving import MAIN, Wiki, first_files, name, page


@pytest.fixture
def wiki(make_repository: Callable[..., Path]) -> Wiki:
    """One workspace called `one`, another called `two`, and one in a folder of the first."""
    files: dict[str, str] = {}
    for folder in ("one", "two", "one/deep"):
        files |= {f"{folder}/{path}": text for path, text in first_files().items()}
        files[f"{folder}/assay.toml"] = f'[workspace]\nname = "{folder.replace("/", "-")}"\n'
    return Wiki(make_repository(files))


def branch(wiki: Wiki, pages: Mapping[str, str]) -> tuple[str, str]:
    """The base and the head of run/by-hand, which writes these pages."""
    wiki.git("switch", "--quiet", "--create", "run/by-hand")
    for path, text in pages.items():
        (wiki.folder / path).write_text(text)
    wiki.git("add", "--all")
    wiki.git("commit", "--quiet", "--allow-empty", "--message", "By hand")
    wiki.git("switch", "--quiet", "main")
    return wiki.git("rev-parse", "main"), wiki.git("rev-parse", "run/by-hand")


def test_of_several_that_are_written_to_none_is_taken(wiki: Wiki) -> None:
    told = branch(wiki, {f"one/{name(0)}": page(0), f"two/{name(0)}": page(0)})
    with pytest.raises(UsageError, match="writes to several workspaces: one, two"):
        workspace_of(wiki.context(), "by-hand", *told)


@pytest.mark.parametrize("pages", [{}, {"README.md": "of no workspace\n"}])
def test_what_writes_to_none_does_not_say(wiki: Wiki, pages: Mapping[str, str]) -> None:
    told = branch(wiki, pages)
    with pytest.raises(UsageError, match="nothing says which workspace it is of"):
        workspace_of(wiki.context(), "by-hand", *told)


@pytest.mark.parametrize(("folder", "called"), [("two", "two"), ("one", "one"), ("one/deep", "one-deep")])
def test_the_one_that_is_written_to_is_taken(wiki: Wiki, folder: str, called: str) -> None:
    told = branch(wiki, {f"{folder}/{name(0)}": page(0)})
    assert workspace_of(wiki.context(), "by-hand", *told).name == called


def test_what_came_to_the_base_since_is_nothing_that_the_branch_writes(wiki: Wiki) -> None:
    branch(wiki, {f"two/{name(0)}": page(0)})
    (wiki.folder / f"one/{name(1)}").write_text(page(1))
    wiki.git("add", "--all")
    wiki.git("commit", "--quiet", "--message", "Meanwhile")
    base, head = wiki.git("rev-parse", "main"), wiki.git("rev-parse", "run/by-hand")
    assert workspace_of(wiki.context(), "by-hand", base, head).name == "two"


def test_it_lands_there(wiki: Wiki) -> None:
    branch(wiki, {f"two/{name(0)}": page(0)})
    assert wiki.finish("by-hand").result == "landed"
    assert wiki.find("by-hand").record.workspace == "two"
    assert "by-hand" in wiki.show("two/wiki/log.md", MAIN)
