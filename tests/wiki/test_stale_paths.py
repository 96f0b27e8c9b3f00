from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.config import Workspace
from gitops.wiki.layout import Layout
from gitops.wiki.stale_paths import is_stale, right_target
from gitops.wiki.wholegraph import WholeGraph


def graph(there: Iterable[str]) -> WholeGraph:
    """Names of pages' own choice are not known yet: asking for one is an error."""
    held = set(there)
    folders = {path[:at] for path in held for at, char in enumerate(path) if char == "/"}
    return WholeGraph(lambda path: path in held | folders)


def test_a_right_path_is_told_without_the_names_that_pages_give_themselves() -> None:
    assert not is_stale("x/mill", "wiki/x/mill.md", "wiki/a.md", graph(["wiki/x/mill.md"]), Layout())
    assert not is_stale("../x/mill", "wiki/x/mill.md", "wiki/y/a.md", graph(["wiki/x/mill.md"]), Layout())


@pytest.mark.parametrize("target", ["old/mill", "wiki/old/mill", "../mill", "./mill"])
def test_a_wrong_path_is_stale(target: str) -> None:
    known = graph(["wiki/x/mill.md"])
    known.has_all_names = True
    assert is_stale(target, "wiki/x/mill.md", "wiki/y/a.md", known, Layout())


def test_where_the_repository_is_the_wiki() -> None:
    known, layout = graph(["en/x/mill.md", "ko/x/b.md"]), Layout("", Workspace(wiki="."))
    known.has_all_names = True
    assert is_stale("x/mill", "en/x/mill.md", "ko/a.md", known, layout)
    assert not is_stale("x/mill", "en/x/mill.md", "en/a.md", known, layout)
    assert not is_stale("x/mill", "en/x/mill.md", "a.md", known, layout)


@pytest.mark.parametrize(
    ("target", "page", "right"),
    [
        ("old/mill", "wiki/a.md", "x/mill"),
        ("old/mill.md", "wiki/y/a.md", "x/mill.md"),
        ("../old/mill", "wiki/y/a.md", "../x/mill"),
        ("./mill.md", "wiki/a.md", "x/mill.md"),
    ],
)
def test_what_to_write_is_in_the_manner_of_what_is_written(target: str, page: str, right: str) -> None:
    assert right_target(target, "wiki/x/mill.md", page, Layout()) == right


@given(st.text(alphabet="ab./ :#", max_size=12), st.sampled_from(["wiki/a.md", "wiki/a/b.md", "raw/a.md", "wiki"]))
def test_no_target_raises(target: str, path: str) -> None:
    known = graph(["wiki/a/b.md", "raw/a.md"])
    known.has_all_names = True
    is_stale(target, path, "wiki/a.md", known, Layout())
    right_target(target, path, "wiki/a.md", Layout())
