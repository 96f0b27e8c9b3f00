from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gitops.errors import Absent
from gitops.evals.baseline_of import Baseline, baseline
from gitops.evals.registry import chosen
from gitops.evals.running import Wanted, measured
from gitops.git.repository import open_repository
from gitops.runs import evallog, evalruns
from gitops.runs.context import Context
from gitops.runs.workspace import find
from tests.runs.driving import Wiki, first_files, name, page

NOW = datetime(2024, 3, 20, 12, tzinfo=UTC)


def at(**before: float) -> int:
    return int((NOW - timedelta(**before)).timestamp())


def of(folder: Path, commit: str, moment: datetime = NOW) -> Baseline | None:
    context = Context(open_repository(folder))
    return baseline(context, find(context.repository, commit), commit, moment)


@pytest.fixture
def wiki(make_repository: Callable[..., Path]) -> Wiki:
    return Wiki(make_repository(first_files()))


def test_a_young_history_without_a_run_has_none(
    make_repository: Callable[..., Path], commit_files: Callable[..., str]
) -> None:
    folder = make_repository()
    commit_files(folder, {"assay.toml": ""}, when=at(days=2))
    assert of(folder, commit_files(folder, {"a": "b"}, when=at(days=1))) is None


def test_a_shallow_clone_that_lacks_the_last_week_does_not_say_it_was_young(
    make_repository: Callable[..., Path], commit_files: Callable[..., str], git: Callable[..., str], tmp_path: Path
) -> None:
    folder = make_repository()
    wanted = commit_files(folder, {"assay.toml": ""}, when=at(days=8))
    tip = commit_files(folder, {"a": "b"}, when=at(days=1))
    for depth in (1, 2):
        git(tmp_path, "clone", "--quiet", f"--depth={depth}", folder.as_uri(), str(tmp_path / f"of{depth}"))
    with pytest.raises(Absent, match=f"the history before {tip[:10]}"):
        of(tmp_path / "of1", tip)
    assert of(tmp_path / "of2", tip) == of(folder, tip) == Baseline(wanted, "the newest commit of 2024-03-13 or before")


@pytest.mark.slow
def test_runs_that_did_not_land_or_only_measured_are_none(wiki: Wiki) -> None:
    wiki.finish(wiki.run({name(0): page(0, "nothing of the kind stands anywhere")}))
    wiki.run()
    assert of(wiki.folder, wiki.ref("main") or "", wiki.now) is None


def test_the_newest_commit_that_is_a_week_old(
    make_repository: Callable[..., Path], commit_files: Callable[..., str]
) -> None:
    folder = make_repository()
    commit_files(folder, {"assay.toml": ""}, when=at(days=30))
    wanted = commit_files(folder, {"a": "1"}, when=at(days=7))
    commit_files(folder, {"a": "2"}, when=at(days=6, hours=23))
    tip = commit_files(folder, {"a": "3"}, when=at(days=0))
    assert of(folder, tip) == Baseline(wanted, "the newest commit of 2024-03-13 or before")
    assert of(folder, tip, NOW + timedelta(days=7)) == Baseline(tip, "the newest commit of 2024-03-20 or before")


@pytest.mark.slow
def test_in_a_young_history_that_before_the_newest_run(wiki: Wiki) -> None:
    wiki.finish(wiki.run())
    before = wiki.ref("main") or ""
    run = wiki.finish(wiki.run({name(1): page(1)})).run
    landed = wiki.ref("main") or ""
    assert of(wiki.folder, landed, wiki.now) == Baseline(before, f"the commit before run {run.id}", run.id)
    # Seen from before it, the run has not landed.
    found = of(wiki.folder, before, wiki.now)
    assert found is not None
    assert found.run_id not in ("", run.id)


def test_a_run_that_lands_the_log_s_lines_of_evaluations_is_passed_over(wiki: Wiki) -> None:
    before = wiki.ref("main") or ""
    run = wiki.finish(wiki.run({name(0): page(0)})).run
    context, workspace = wiki.context(), wiki.workspace()
    [one] = measured(context, workspace, wiki.ref("main") or "", Wanted(chosen("M6")))
    evalruns.record(context, workspace, one.measurement, "refs/heads/main")
    landed = evallog.land(context, workspace, "refs/heads/main")
    assert landed is not None
    assert landed.result == "landed"
    assert of(wiki.folder, wiki.ref("main") or "", wiki.now) == Baseline(
        before, f"the commit before run {run.id}", run.id
    )
