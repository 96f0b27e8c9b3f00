from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from gitops.errors import CannotRun, UsageError
from gitops.evals.bisecting import Bisected, bisect, known_good
from gitops.evals.cuts import Cuts
from gitops.evals.history import revisiting
from gitops.evals.metric import Metric, MetricResult, not_measured
from gitops.evals.running import Wanted, measured
from gitops.evals.subject import Subject
from gitops.git.repository import open_repository
from gitops.git.snapshot import resolve
from gitops.runs import evalruns
from gitops.runs.context import Context
from gitops.runs.measurements import Sample
from gitops.runs.workspace import find
from tests.runs.driving import Wiki, first_files, name, page

Commit = Callable[..., str]
Make = Callable[..., Path]
CUTS = Cuts(0.95, 0.85)


def said(subject: Subject) -> MetricResult:
    """The score that the first line of the page names; each further line is a sample with its status."""
    score, *lines = subject.bench.base_tree.read("wiki/a.md").decode().split("\n")
    if score == "-":
        return not_measured("the page says nothing")
    pairs = [line.split() for line in lines if line]
    samples = tuple(
        Sample.model_validate({"id": id, "status": status, "details": {"page": "wiki/a.md", "line": 1, "claim": id}})
        for id, status in pairs
    )
    return MetricResult(float(score), CUTS.status(float(score)), n=10, samples=samples)


METRIC = Metric("what the page says", 1, "weekly", said, cuts=CUTS)
WANTED = Wanted({"M9": METRIC}, is_past=True)


@pytest.fixture
def wiki_of(make_repository: Make, commit_files: Commit) -> Callable[[Sequence[str]], Path]:
    """wiki_of(pages) -> a repository with a commit for each, oldest first."""

    def make(pages: Sequence[str]) -> Path:
        folder = make_repository({"assay.toml": "", "wiki/a.md": pages[0]})
        for number, text in enumerate(pages[1:], 1):
            commit_files(folder, {"wiki/a.md": text}, f"Change {number}")
        return folder

    return make


def found(folder: Path, good: str, bad: str = "HEAD", wanted: Wanted = WANTED) -> Bisected:
    context = Context(open_repository(folder))
    first, last = (resolve(context.repository, rev) for rev in (good, bad))
    with revisiting(context, find(context.repository, last), wanted) as by:
        return bisect(context, by, last, first)


def test_a_good_commit_off_the_line_is_refused(
    wiki_of: Callable[..., Path], git: Callable[..., str], commit_files: Commit
) -> None:
    folder = wiki_of(["1.0", "0.5"])
    git(folder, "checkout", "-q", "-b", "side", "HEAD~1")
    commit_files(folder, {"wiki/b.md": "# B\n"})
    with pytest.raises(UsageError, match="is not on the first-parent line"):
        found(folder, "side", "main")


def test_what_has_not_got_worse_is_refused(wiki_of: Callable[..., Path]) -> None:
    folder = wiki_of(["0.9", "0.9", "0.97"])
    with pytest.raises(UsageError, match=r"has not got worse: 0.90 at .*, 0.97 at"):
        found(folder, "HEAD~2")
    with pytest.raises(UsageError, match="has not got worse"):
        found(folder, "HEAD~2", "HEAD~1")
    with pytest.raises(UsageError, match="has not got worse"):
        found(folder, "HEAD", "HEAD")


def test_an_end_that_cannot_be_measured_is_refused(wiki_of: Callable[..., Path]) -> None:
    with pytest.raises(CannotRun, match=r"M9 cannot be measured at .*: the page says nothing"):
        found(wiki_of(["-", "0.9", "0.5"]), "HEAD~2")


@pytest.mark.parametrize("broken_at", range(1, 12))
@pytest.mark.slow
def test_it_names_the_commit_wherever_it_is_and_measures_few(wiki_of: Callable[..., Path], broken_at: int) -> None:
    folder = wiki_of([f"{'1.0' if number < broken_at else '0.5'}\n\nx{number} pass" for number in range(12)])
    answer = found(folder, "HEAD~11")
    assert answer.bad.brought.subject == f"Change {broken_at}"
    assert answer.good.number.value == 1.0
    assert answer.skipped == ()
    assert len(answer.tried) <= 2 + 4  # both ends, and the logarithm of the ten between
    assert answer.line == "M9 is no longer healthy"


def test_a_status_that_falls_and_falls_further_is_found_where_it_first_fell(wiki_of: Callable[..., Path]) -> None:
    answer = found(wiki_of(["1.0", "0.97", "0.9", "0.88", "0.5", "0.4"]), "HEAD~5")
    assert (answer.bad.number.value, answer.bad.number.status) == (0.9, "degraded")


def test_of_one_status_it_is_the_score_that_tells(wiki_of: Callable[..., Path]) -> None:
    answer = found(wiki_of(["0.84", "0.80", "0.3", "0.2"]), "HEAD~3")
    assert answer.bad.number.value == 0.3
    assert answer.line == "M9 is below 0.520, halfway between the two"


def test_what_cannot_be_measured_is_passed_over(wiki_of: Callable[..., Path]) -> None:
    answer = found(wiki_of(["1.0", "1.0\n", "-", "-\n", "0.5", "0.5\n"]), "HEAD~5")
    assert answer.good.brought.subject == "Change 1"
    assert answer.bad.brought.subject == "Change 4"
    assert [one.subject for one in answer.skipped] == ["Change 2", "Change 3"]


def test_the_samples_that_turned_are_named_those_that_were_there_first(wiki_of: Callable[..., Path]) -> None:
    before = "1.0\nstays pass\nturns pass\nwas-bad fail\nopen abstained"
    after = "0.5\nstays pass\nturns fail\nwas-bad fail\nopen fail\nnew fail\nfine pass"
    answer = found(wiki_of([before, after]), "HEAD~1")
    assert [(one.id, one.was) for one in answer.turned] == [("open", "abstained"), ("turns", "pass"), ("new", None)]
    assert answer.turned[1].told == "wiki/a.md:1 turns"


def test_commits_that_change_nothing_are_not_measured(wiki_of: Callable[..., Path], commit_files: Commit) -> None:
    folder = wiki_of(["1.0", "0.5"])
    for number in range(5):
        commit_files(folder, {"notes.txt": str(number)})
    answer = found(folder, "HEAD~6")
    assert answer.bad.brought.subject == "Change 1"
    assert len(answer.tried) == 2


def test_a_good_commit_that_only_added_a_source_is_measured_itself(make_repository: Make, commit_files: Commit) -> None:
    def backed(subject: Subject) -> MetricResult:
        tree = subject.bench.base_tree
        score = 1.0 if tree.blob("raw/a.md") and b"true" in tree.read("wiki/a.md") else 0.5
        return MetricResult(score, CUTS.status(score), n=1)

    folder = make_repository({"assay.toml": "", "wiki/a.md": "It is true.\n"})
    commit_files(folder, {"raw/a.md": "It is true.\n"}, "Add the source")
    commit_files(folder, {"wiki/a.md": "It is false.\n"}, "Break it")
    commit_files(folder, {"notes.txt": "."}, "Nothing")
    wanted = Wanted({"M9": Metric("backed", 1, "weekly", backed, cuts=CUTS)}, is_past=True)
    answer = found(folder, "HEAD~2", wanted=wanted)
    assert (answer.good.brought.subject, answer.bad.brought.subject) == ("Add the source", "Break it")
    with pytest.raises(UsageError, match="has not got worse"):
        found(folder, "HEAD~1", wanted=wanted)


@pytest.mark.slow
def test_the_run_that_landed_it_is_named(make_repository: Make) -> None:
    def pages(subject: Subject) -> MetricResult:
        score = 0.5 if subject.bench.base_tree.blob(name(1)) else 1.0
        return MetricResult(score, CUTS.status(score), n=1)

    wiki = Wiki(make_repository(first_files('[verify]\njudge = "none"\n')))
    runs = []
    for number in range(3):
        runs.append(wiki.run({name(number): page(number)}))
        assert wiki.finish(runs[-1]).result == "landed"
    wanted = Wanted({"M9": Metric("pages", 1, "weekly", pages, cuts=CUTS)}, is_past=True)
    record = found(wiki.folder, "main~3", "main", wanted).record()["first_bad"]
    assert (record["run"], record["verdict"], record["pages"]) == (runs[1].id, "commit", [name(1)])


def test_the_newest_commit_that_was_healthy_is_known_from_the_notes(wiki_of: Callable[..., Path]) -> None:
    folder = wiki_of(["1.0", "0.99", "0.9", "0.5"])
    context = Context(open_repository(folder))
    tip = resolve(context.repository, "HEAD")
    workspace = find(context.repository, tip)
    with (
        revisiting(context, workspace, WANTED) as by,
        pytest.raises(UsageError, match="M9 was healthy at no commit that was measured"),
    ):
        known_good(context, by, tip)
    for rev in ("HEAD~3", "HEAD~2", "HEAD~1"):
        (one,) = measured(context, workspace, resolve(context.repository, rev), WANTED)
        evalruns.record(context, workspace, one.measurement)
    with revisiting(context, workspace, WANTED) as by:
        assert known_good(context, by, tip) == resolve(context.repository, "HEAD~2")
