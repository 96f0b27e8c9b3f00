from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.errors import Absent
from gitops.git.repository import open_repository
from gitops.runs.context import Context
from gitops.runs.first_parents import first_parents


def test_a_shallow_clone_gives_what_it_has_and_then_says_that_there_is_more(
    make_repository: Callable[..., Path], commit_files: Callable[..., str], git: Callable[..., str], tmp_path: Path
) -> None:
    folder = make_repository()
    root, middle, tip = (commit_files(folder, {"a": text}) for text in "123")
    assert list(first_parents(Context(open_repository(folder)), tip)) == [tip, middle, root]
    git(tmp_path, "clone", "--quiet", "--depth=2", folder.as_uri(), str(tmp_path / "clone"))
    found = first_parents(Context(open_repository(tmp_path / "clone")), tip)
    assert [next(found), next(found)] == [tip, middle]
    with pytest.raises(Absent, match=f"the history before {middle[:10]}, git fetch --unshallow"):
        next(found)
