"""The tree of a commit on disk, exactly as git has it."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from gitops.git.repository import open_repository
from gitops.git.snapshot import WorktreeSnapshot
from gitops.runs.context import Context
from gitops.suites import place
from gitops.suites.target import Place

SUITE = "gold/suites/x"


def exported(context: Context, commit: str) -> AbstractContextManager[Place]:
    return place.exported(context, context.tree(commit), SUITE, "")


@pytest.fixture
def folder(make_repository: Callable[..., Path], git: Callable[..., str]) -> Path:
    made = make_repository({"a/b.txt": b"one\r\n\xff", "run.sh": "#!/bin/sh\n", "gold/suites/x/suite.json": "{}"})
    os.chmod(made / "run.sh", 0o755)
    os.symlink("a/b.txt", made / "link")
    (made / ".gitattributes").write_text("* text eol=lf\na export-ignore\n")
    git(made, "-c", "core.autocrlf=false", "add", "-A")
    git(made, "commit", "-qm", "more")
    return made


def test_files_have_their_bytes_their_modes_and_no_repository(folder: Path, git: Callable[..., str]) -> None:
    (folder / "a/b.txt").write_text("changed since")
    (folder / "new.txt").write_text("not committed")
    context = Context(open_repository(folder))
    with exported(context, git(folder, "rev-parse", "HEAD")) as found:
        blob = git(folder, "rev-parse", "HEAD:a/b.txt")
        assert (found.root / "a/b.txt").read_bytes().startswith(b"one")
        assert git(folder, "hash-object", "--no-filters", str(found.root / "a/b.txt")) == blob
        assert os.access(found.root / "run.sh", os.X_OK)
        assert not os.access(found.root / "a/b.txt", os.X_OK)
        assert os.readlink(found.root / "link") == "a/b.txt"
        assert (found.suite / "suite.json").read_text() == "{}"
        there = sorted(path.name for path in found.root.iterdir())
        assert there == [".gitattributes", "a", "gold", "link", "run.sh"]
    assert not found.root.parent.exists()


def test_the_working_tree_can_be_measured_as_it_stands(folder: Path) -> None:
    (folder / "a/b.txt").write_text("changed since")
    context = Context(open_repository(folder))
    with place.exported(context, WorktreeSnapshot(context.repository), SUITE, "") as found:
        assert (found.root / "a/b.txt").read_text() == "changed since"
    assert (folder / "a/b.txt").read_text() == "changed since"


def test_links_come_last_so_that_nothing_is_written_through_them(
    folder: Path, git: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a file system takes `A` for `a`, a tree may have a link and files below it."""
    os.symlink(tmp_path, folder / "A")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "a link")
    written: list[str] = []
    for name in ("open", "symlink"):
        monkeypatch.setattr(place if name == "open" else os, name, _noting(name, written), raising=False)
    with exported(Context(open_repository(folder)), git(folder, "rev-parse", "HEAD")):
        pass
    assert written == sorted(written)
    assert written.count("symlink") == 2


def _noting(name: str, written: list[str]) -> Callable[..., Any]:
    real = open if name == "open" else os.symlink

    def call(*words: Any, **options: Any) -> Any:
        written.append(name)
        return real(*words, **options)

    return call


def test_what_a_case_made_unreadable_is_removed_too(folder: Path, git: Callable[..., str]) -> None:
    context = Context(open_repository(folder))
    with exported(context, git(folder, "rev-parse", "HEAD")) as found:
        (found.root / "closed/inner").mkdir(parents=True)
        (found.root / "closed/inner/file").write_text("x")
        os.chmod(found.root / "closed/inner", 0)
        os.chmod(found.root / "closed", 0)
    assert not found.root.parent.exists()


def test_a_submodule_is_told_and_left_out(folder: Path, git: Callable[..., str]) -> None:
    commit: Any = git(folder, "rev-parse", "HEAD")
    git(folder, "update-index", "--add", "--cacheinfo", f"160000,{commit},sub")
    git(folder, "commit", "-qm", "a submodule")
    told: list[str] = []
    context = Context(open_repository(folder), warn=told.append)
    with exported(context, git(folder, "rev-parse", "HEAD")) as found:
        assert not (found.root / "sub").exists()
    assert len(told) == 1
    assert "submodule" in told[0]
