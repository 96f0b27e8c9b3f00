from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.errors import Absent
from gitops.evals.landings import Landings, landings, touched
from gitops.git.snapshot import resolve
from gitops.runs import store
from tests.evals.milling import FILES, MILL, ingest
from tests.runs.driving import Wiki


@pytest.fixture
def mill(make_repository: Callable[..., Path]) -> Wiki:
    return Wiki(make_repository(FILES))


def found(wiki: Wiki, rev: str = "main", root: str = "") -> Landings:
    context = wiki.context()
    return landings(context, root, resolve(context.repository, rev), store.all_runs(context).values())


def test_pending_runs_and_those_of_another_workspace_are_no_landings(mill: Wiki) -> None:
    mill.run(MILL)
    ingest(mill, {"wiki/a.md": "New.\n"}, "raw/mill.md")
    assert len(found(mill).known) == 1
    assert found(mill, root="elsewhere") == Landings(())


def test_a_landing_that_the_history_does_not_hold_is_none_and_not_absent_either(mill: Wiki) -> None:
    before = mill.git("rev-parse", "main")
    ingest(mill, MILL, "raw/mill.md")
    assert found(mill, before) == Landings(())


@pytest.mark.slow
def test_a_run_whose_commit_is_not_in_this_clone_is_absent(mill: Wiki, tmp_path: Path) -> None:
    outcome = ingest(mill, MILL, "raw/mill.md")
    ingest(mill, {"wiki/a.md": "New.\n"}, "raw/mill.md")
    mill.git("clone", "-q", "--depth", "1", f"file://{mill.folder}", str(tmp_path / "shallow"))
    clone = Wiki(tmp_path / "shallow")
    clone.git("fetch", "-q", "origin", "refs/notes/assay/runs:refs/notes/assay/runs")
    assert [run.id for run in found(clone).absent] == [outcome.run.id]
    assert len(found(clone).known) == 1


def test_landings_come_oldest_first_with_the_time_of_their_commit(mill: Wiki) -> None:
    first = ingest(mill, MILL, "raw/mill.md")
    mill.later(days=1)
    second = ingest(mill, {"wiki/a.md": "New.\n"}, "raw/mill.md")
    assert [(each.id, each.at) for each in found(mill).known] == [
        (first.run.id, mill.now.replace(day=2)),
        (second.run.id, mill.now),
    ]


def test_what_a_run_touched_is_its_plan(mill: Wiki) -> None:
    ingest(mill, {**MILL, "wiki/c.md": None}, "raw/mill.md")
    [landing] = found(mill).known
    assert touched(mill.context(), mill.workspace().layout, landing) == {
        "wiki/a.md": "update",
        "wiki/b.md": "update",
        "wiki/c.md": "delete",
        "wiki/e.md": "update",
        "wiki/new.md": "create",
    }


@pytest.mark.slow
def test_without_a_plan_it_is_what_the_commit_changed(mill: Wiki) -> None:
    from dataclasses import replace

    ingest(mill, {**MILL, "wiki/c.md": None}, "raw/mill.md")
    [landing] = found(mill).known
    context, layout = mill.context(), mill.workspace().layout
    planned = touched(context, layout, landing)
    bare = replace(landing, run=replace(landing.run, plan=None))
    assert {path: op for path, op in touched(context, layout, bare).items() if path != layout.log} == planned


@pytest.mark.slow
def test_without_a_plan_and_without_a_parent_nothing_can_be_said(mill: Wiki) -> None:
    from dataclasses import replace

    ingest(mill, MILL, "raw/mill.md")
    [landing] = found(mill).known
    root = mill.git("rev-list", "--max-parents=0", "main")
    bare = replace(landing, run=replace(landing.run, plan=None), commit=root)
    with pytest.raises(Absent):
        touched(mill.context(), mill.workspace().layout, bare)
