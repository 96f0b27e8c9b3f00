from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gitops.errors import CannotRun, UsageError
from gitops.evals.cuts import Cuts
from gitops.evals.history import History, history
from gitops.evals.metric import Metric, MetricResult, not_measured
from gitops.evals.running import Wanted
from gitops.evals.subject import Subject
from gitops.git.repository import open_repository
from gitops.git.snapshot import resolve
from gitops.runs.context import Context
from gitops.runs.workspace import find

Commit = Callable[..., str]
CUTS = Cuts(0.95, 0.85)


def compute(subject: Subject) -> MetricResult:
    """The score that the page names, beside how many measurements there were before."""
    text = subject.bench.base_tree.read("wiki/a.md").decode().strip()
    if text == "-":
        return not_measured("the page says nothing")
    return MetricResult(float(text), CUTS.status(float(text)), n=10, counts={"past": len(subject.past)})


WANTED = Wanted({"M9": Metric("what the page says", 1, "weekly", compute, cuts=CUTS)}, is_past=True)


@pytest.fixture
def folder(make_repository: Callable[..., Path], commit_files: Commit) -> Path:
    made = make_repository({"assay.toml": "", "wiki/a.md": "1.0\n"})
    for number, score in enumerate(("0.9", "-", "0.5"), 1):
        stamp = f"@{1_704_164_645 + 86_400 * number} +0000"
        commit_files(made, {"wiki/a.md": f"{score}\n"}, f"Say {score}", when=stamp)
    return made


def told(folder: Path, rev: str = "HEAD", **options: Any) -> History:
    context = Context(open_repository(folder))
    tip = resolve(context.repository, rev)
    if "stop" in options:
        options["stop"] = resolve(context.repository, options["stop"])
    return history(context, find(context.repository, tip), WANTED, tip, **options)


def test_a_range_in_which_nothing_changed_the_wiki_is_refused(folder: Path) -> None:
    with pytest.raises(CannotRun, match="no commit there changed the wiki of main"):
        told(folder, stop="HEAD")


def test_a_range_that_begins_elsewhere_is_refused(folder: Path, git: Callable[..., str], commit_files: Commit) -> None:
    git(folder, "checkout", "-q", "-b", "side", "HEAD~1")
    commit_files(folder, {"wiki/b.md": "# B\n"})
    with pytest.raises(UsageError, match="is not on the first-parent line of"):
        told(folder, "main", stop="side")


def test_a_history_of_nothing_measured_is_empty(folder: Path) -> None:
    found = told(folder, "HEAD~1", limit=1)
    assert found.is_empty
    assert found.steps[0].record()["reason"] == "the page says nothing"


def test_it_is_told_newest_first_with_what_each_commit_brought(folder: Path) -> None:
    found = told(folder)
    assert [step.number.value for step in found.steps] == [0.5, None, 0.9, 1.0]
    assert [step.number.status for step in found.steps] == ["broken", "not_measured", "degraded", "healthy"]
    record = found.record()
    assert (record["schema"], record["metric"], record["is_cut"]) == ("assay/eval-history/1", "M9", False)
    assert record["steps"][0]["subject"] == "Say 0.5"
    assert record["steps"][0]["pages"] == ["wiki/a.md"]
    assert record["steps"][0]["author"] == "Ada Writer <ada@example.org>"


def test_the_limit_takes_the_newest_and_says_so(folder: Path) -> None:
    found = told(folder, limit=2)
    assert [step.number.value for step in found.steps] == [0.5, None]
    assert found.is_cut
    assert not told(folder, limit=4).is_cut


def test_a_metric_that_looks_back_sees_the_commits_before(folder: Path) -> None:
    assert [step.number.counts.get("past") for step in told(folder).steps] == [3, None, 1, 0]
