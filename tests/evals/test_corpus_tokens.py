from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gitops.errors import Absent
from gitops.evals.corpus_tokens import corpus_tokens
from gitops.git import objects
from gitops.git.repository import open_repository
from gitops.git.snapshot import resolve
from gitops.runs.context import Context
from gitops.runs.views import Bench
from gitops.runs.workspace import find

DAYS = [datetime(2024, 1, day, tzinfo=UTC) for day in range(1, 8)]


def tokens(folder: Path, *ends: datetime) -> list[int]:
    context = Context(open_repository(folder))
    commit = resolve(context.repository, "HEAD")
    with Bench(context, find(context.repository, commit), commit) as bench:
        return corpus_tokens(bench, ends)


@pytest.fixture
def folder(make_repository: Callable[..., Path], commit_files: Callable[..., str]) -> Path:
    made = make_repository()
    epochs = [int(day.timestamp()) for day in DAYS]
    commit_files(made, {"assay.toml": "", "wiki/index.md": "# Index\n", "notes.txt": "x" * 99}, when=epochs[1])
    commit_files(made, {"raw/a.md": "x" * 35}, when=epochs[2])
    commit_files(made, {"raw/b/c.txt": "x" * 34, "wiki/more.md": "# More\n"}, when=epochs[4])
    commit_files(made, {"raw/a.md": None}, when=epochs[5])
    return made


def test_a_source_that_this_clone_lacks_is_not_counted_as_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = Context(open_repository(folder))
    blob = context.tree(resolve(context.repository, "HEAD")).blob("raw/b/c.txt") or ""
    (folder / ".git/objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(Absent):
        tokens(folder, DAYS[6])


def test_in_a_shallow_clone_what_stood_before_its_edge_is_not_taken_for_nothing(
    folder: Path, tmp_path: Path, git: Callable[..., str]
) -> None:
    clone = tmp_path / "shallow"
    git(tmp_path, "clone", "--quiet", "--depth=2", folder.as_uri(), str(clone))
    assert tokens(clone, DAYS[4], DAYS[6]) == [20, 10]
    with pytest.raises(Absent, match=r"the history before .*, git fetch --unshallow"):
        tokens(clone, DAYS[3], DAYS[6])


def test_before_the_first_commit_and_without_sources_there_are_none(folder: Path) -> None:
    assert tokens(folder, DAYS[0], DAYS[1], DAYS[6])[:2] == [0, 0]


def test_each_time_has_the_sources_of_its_day(folder: Path) -> None:
    # 35 bytes over 3.5 are 10; 69 are 19.7, rounded up; 34 are 9.7.
    assert tokens(folder, *DAYS) == [0, 0, 10, 10, 20, 10, 10]


def test_the_last_is_the_commit_itself_whatever_the_clock_says(folder: Path) -> None:
    assert tokens(folder, DAYS[0]) == [10]


def test_of_other_formats_the_text_counts(make_repository: Callable[..., Path], make_pdf: Callable[..., bytes]) -> None:
    page = "<html><head><title>T</title></head><body><p>" + "x" * 35 + "</p></body></html>"
    made = make_repository({"assay.toml": "", "wiki/index.md": "# I\n", "raw/a.html": page})
    [of_html] = tokens(made, DAYS[0])
    assert 10 <= of_html < len(page) / 3.5
    made = make_repository({"assay.toml": "", "wiki/index.md": "# I\n", "raw/a.pdf": make_pdf("Tides turn.")}, name="p")
    assert 1 <= tokens(made, DAYS[0])[0] <= 10


def test_links_and_submodules_are_no_sources(make_repository: Callable[..., Path], git: Callable[..., str]) -> None:
    made = make_repository({"assay.toml": "", "wiki/index.md": "# I\n"})
    (made / "raw").mkdir()
    (made / "raw/link.md").symlink_to("../assay.toml")
    git(made, "add", "--all")
    git(made, "update-index", "--add", "--cacheinfo", f"160000,{'a' * 40},raw/sub.md")
    git(made, "commit", "--quiet", "--message", "Link")
    assert objects.exists(open_repository(made), "a" * 40) is False
    assert tokens(made, DAYS[0]) == [0]
