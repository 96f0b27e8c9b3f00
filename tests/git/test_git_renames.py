from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from gitops.git.renames import renames
from gitops.git.repository import open_repository

TEXT = "".join(f"Line {number} of a page that moves.\n" for number in range(20))


def test_nothing_moved(make_repository: Callable[..., Path]) -> None:
    repository = open_repository(make_repository({"wiki/a.md": TEXT}))
    assert renames(repository, "HEAD", "wiki") == {}


def test_a_page_that_moved_twice_is_found_by_both_old_names(
    make_repository: Callable[..., Path], commit_files: Callable[..., str]
) -> None:
    folder = make_repository({"wiki/a.md": TEXT, "raw/s.md": "x"})
    commit_files(folder, {"wiki/a.md": None, "wiki/b ü.md": TEXT})
    commit_files(folder, {"wiki/b ü.md": None, "wiki/x/c.md": TEXT + "And more.\n"})
    found = renames(open_repository(folder), "HEAD", "wiki")
    assert found == {"wiki/a.md": {"wiki/x/c.md"}, "wiki/b ü.md": {"wiki/x/c.md"}}


def test_a_name_that_went_two_ways_has_both(
    make_repository: Callable[..., Path], commit_files: Callable[..., str]
) -> None:
    folder = make_repository({"a.md": TEXT})
    commit_files(folder, {"a.md": None, "b.md": TEXT})
    other = TEXT.replace("moves", "is another")
    commit_files(folder, {"a.md": other})
    commit_files(folder, {"a.md": None, "c.md": other})
    assert renames(open_repository(folder), "HEAD", "")["a.md"] == {"b.md", "c.md"}
