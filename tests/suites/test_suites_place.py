"""The tree of a commit on disk, exactly as git has it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gitops.git.repository import open_repository
from gitops.git.snapshot import WorktreeSnapshot
from gitops.runs.context import Context
from gitops.suites import place


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
    with place.exported(context, git(folder, "rev-parse", "HEAD"), "gold/suites/x") as found:
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
    with place.exported_tree(context, WorktreeSnapshot(context.repository), "gold/suites/x") as found:
        assert (found.root / "a/b.txt").read_text() == "changed since"
    assert (folder / "a/b.txt").read_text() == "changed since"


def test_what_a_case_made_unreadable_is_removed_too(folder: Path, git: Callable[..., str]) -> None:
    context = Context(open_repository(folder))
    with place.exported(context, git(folder, "rev-parse", "HEAD"), "gold/suites/x") as found:
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
    with place.exported(context, git(folder, "rev-parse", "HEAD"), "gold/suites/x") as found:
        assert not (found.root / "sub").exists()
    assert len(told) == 1
    assert "submodule" in told[0]
