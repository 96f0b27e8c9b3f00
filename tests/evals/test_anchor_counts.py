from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gitops.evals.anchor_counts import AnchorCounts
from gitops.git.repository import open_repository
from gitops.git.snapshot import resolve
from gitops.index.cache import Cache
from gitops.runs.context import CACHE, Context
from gitops.runs.views import Bench
from gitops.runs.workspace import find

PAGE = '# {0}\n\nThe mill employs 40.[^1]\n\n[^1]: raw/{0}.md, "employs 40 people"\n'
FILES = {
    "assay.toml": "",
    "raw/a.md": "The mill employs 40 people.\n",
    "raw/b.md": "The mill employs 40 people.\n",
    "wiki/a.md": PAGE.format("a"),
    "wiki/b.md": PAGE.format("b"),
}
LOOSE = {
    "assay.toml": '[citations]\ndialects = ["caret"]\n',
    "raw/a.md": "The mill employs 40 people.\n",
    "wiki/a.md": '# A\n\nIt says "the mill employs 40 people". ^[a.md]\n',
}


@pytest.fixture
def counted() -> Callable[..., tuple[int, int]]:
    """counted(folder) -> the anchors that stand at HEAD, and how many pages had to be read for that."""

    def count(folder: Path, workspace: str | None = None) -> tuple[int, int]:
        read: list[int] = []

        def progress(what: str, items: Iterable[Any], total: int) -> Iterator[Any]:
            read.extend([total] if what == "reading anchors" else [])
            return iter(items)

        context = Context(open_repository(folder), progress=progress)
        commit = resolve(context.repository, "HEAD")
        with Bench(context, find(context.repository, commit, workspace), commit) as bench:
            view = bench.base_view()
            tree = context.commit(commit).tree
            return AnchorCounts(bench, view).whole(tree).anchors, sum(read)

    return count


Counted = Callable[..., tuple[int, int]]


def test_what_was_counted_is_not_read_again(make_repository: Callable[..., Path], counted: Counted) -> None:
    folder = make_repository(FILES)
    assert counted(folder) == (2, 2)
    assert counted(folder) == (2, 0)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"wiki/a.md": "# A\n"}, (1, 1)),
        ({"raw/a.md": "The mill employs 41 people.\n"}, (1, 1)),
        ({"raw/a.md": None}, (1, 1)),
        ({"raw/new.md": "New.\n"}, (2, 0)),
        ({"assay.toml": '[citations]\nrequire = ["page"]\n'}, (2, 2)),
    ],
    ids=["page", "source", "source gone", "another source", "policy"],
)
def test_what_depends_on_a_change_is_read_again(
    make_repository: Callable[..., Path],
    commit_files: Callable[..., str],
    counted: Counted,
    files: Any,
    expected: tuple[int, int],
) -> None:
    folder = make_repository(FILES)
    counted(folder)
    commit_files(folder, files)
    assert counted(folder) == expected


def test_a_source_that_comes_makes_an_anchor_stand(
    make_repository: Callable[..., Path], commit_files: Callable[..., str], counted: Counted
) -> None:
    folder = make_repository({path: text for path, text in FILES.items() if path != "raw/b.md"})
    assert counted(folder) == (1, 2)
    commit_files(folder, {"raw/b.md": FILES["raw/b.md"]})
    assert counted(folder) == (2, 1)


def test_a_citation_that_is_looked_for_is_looked_for_again_where_there_are_other_files(
    make_repository: Callable[..., Path], commit_files: Callable[..., str], counted: Counted
) -> None:
    folder = make_repository(LOOSE)
    assert counted(folder) == (1, 1)
    assert counted(folder) == (1, 0)
    commit_files(folder, {"raw/new.md": "New.\n"})
    assert counted(folder) == (1, 1)


@pytest.mark.parametrize("value", [b"", b"{", b'[9,"",[]]', b"x" * 32 + b'[9,"",[]]'])
def test_a_damaged_entry_costs_time_and_no_number(
    make_repository: Callable[..., Path], counted: Counted, value: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_repository(FILES)
    keys: list[tuple[str, str, str]] = []
    put = Cache.put

    def noted(cache: Cache, kind: str, version: str, key: str, data: bytes) -> None:
        keys.extend([(kind, version, key)] if kind == "anchors" else [])
        put(cache, kind, version, key, data)

    monkeypatch.setattr(Cache, "put", noted)
    counted(folder)
    assert len(keys) == 3
    with Cache(folder / ".git/assay" / CACHE) as cache:
        for key in keys[1:]:  # that of one page, and that of the whole
            put(cache, *key, value)
    assert counted(folder) == (2, 1)


def test_two_workspaces_of_one_tree_are_counted_apart(make_repository: Callable[..., Path], counted: Counted) -> None:
    other = {path: text for path, text in FILES.items() if path != "wiki/b.md"}
    folder = make_repository(
        {f"{root}/{path}": text for root, of in (("x", FILES), ("y", other)) for path, text in of.items()}
    )
    assert [counted(folder, name)[0] for name in ("x", "y", "x", "y")] == [2, 1, 2, 1]
