from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.evals.wiki_commits import WikiCommit, wiki_commits
from gitops.git.repository import open_repository
from gitops.git.snapshot import resolve
from gitops.runs.context import Context
from gitops.runs.workspace import find

Commit = Callable[..., str]
Git = Callable[..., str]
FILES = {"assay.toml": '[workspace]\nname = "w"\n', "raw/a.md": "A.\n", "wiki/a.md": "# A\n", "wiki/log.md": "# Log\n"}


@pytest.fixture
def folder(make_repository: Callable[..., Path]) -> Path:
    return make_repository(FILES)


def listed(folder: Path, tip: str = "HEAD", stop: str | None = None) -> list[WikiCommit]:
    context = Context(open_repository(folder))
    commit = resolve(context.repository, tip)
    end = resolve(context.repository, stop) if stop else None
    return list(wiki_commits(context, find(context.repository, commit), commit, end))


@pytest.mark.parametrize(
    "files",
    [
        {"notes.txt": "nobody's business\n"},
        {"wiki/log.md": "# Log\n\n- a line\n"},
        {"raw/new.md": "New.\n"},
        {"wiki/picture.png": "no page"},
    ],
)
def test_what_changes_no_number_is_left_out(folder: Path, commit_files: Commit, files: dict[str, str]) -> None:
    commit_files(folder, files)
    assert [one.pages for one in listed(folder)] == [("wiki/a.md",)]


@pytest.mark.parametrize(
    ("files", "pages", "others"),
    [
        ({"wiki/b.md": "# B\n"}, ("wiki/b.md",), ()),
        ({"wiki/a.md": None}, ("wiki/a.md",), ()),
        ({"raw/a.md": "Other.\n"}, (), ("raw/a.md",)),
        ({"raw/a.md": None}, (), ("raw/a.md",)),
        ({"gold/queries.yaml": "queries: []\n"}, (), ("gold/queries.yaml",)),
        ({"assay.toml": '[workspace]\nname = "w"\n[citations]\nrequire = []\n'}, (), ("assay.toml",)),
    ],
)
def test_what_a_number_may_hang_on_is_named(
    folder: Path, commit_files: Commit, files: dict[str, str | None], pages: tuple[str, ...], others: tuple[str, ...]
) -> None:
    commit_files(folder, files)
    newest, first = listed(folder)
    assert (newest.pages, newest.others) == (pages, others)
    assert first.pages == ("wiki/a.md",)


def test_they_come_newest_first_and_end_before_the_stop(folder: Path, commit_files: Commit) -> None:
    made = [commit_files(folder, {f"wiki/{name}.md": "# Page\n"}, f"Add {name}") for name in "bcd"]
    assert [one.id for one in listed(folder, stop="HEAD~2")] == [made[2], made[1]]
    assert [one.subject for one in listed(folder)][:3] == ["Add d", "Add c", "Add b"]
    assert listed(folder, stop="HEAD") == []


def test_a_merge_brings_what_its_branch_brought(folder: Path, commit_files: Commit, git: Git) -> None:
    git(folder, "checkout", "-q", "-b", "side")
    for name in "bc":
        commit_files(folder, {f"wiki/{name}.md": "# Page\n"})
    git(folder, "checkout", "-q", "main")
    git(folder, "merge", "-q", "--no-ff", "-m", "Merge\n\nAssay-Run: 20240102-030405-abcdef12", "side")
    newest, first = listed(folder)
    assert (newest.pages, newest.run_id) == (("wiki/b.md", "wiki/c.md"), "20240102-030405-abcdef12")
    assert first.run_id is None
