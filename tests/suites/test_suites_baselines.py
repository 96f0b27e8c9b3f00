from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from gitops.errors import CannotRun, UsageError
from gitops.git.repository import open_repository
from gitops.runs import feedback
from gitops.runs.authority import Authority
from gitops.runs.context import Context
from gitops.suites import baselines, exporting, kept, labels, loading, measuring
from gitops.suites.baselines import Baselined
from gitops.suites.loading import Loaded
from gitops.suites.model import BenchmarkRun
from gitops.suites.reading import BadSuite
from gitops.suites.recalling import of_file
from tests.runs.driving import MAIN, Wiki, first_files
from tests.runs.signed import SignedWiki
from tests.runs.signed import signed as signed
from tests.suites.suite_runs import a_case, a_result, a_run, a_suite

FOLDER = "gold/suites/shell"
SUITE = a_suite(a_case("a"), a_case("b"))
Commit = Callable[..., str]


def a_baseline(name: str) -> str:
    """A baseline.json of a run of that id."""
    return json.dumps(run(name, "0" * 40).model_dump(mode="json"))


@pytest.fixture
def wiki(make_repository: Callable[..., Path]) -> Wiki:
    return Wiki(make_repository({**first_files(pages=2), f"{FOLDER}/suite.json": SUITE.model_dump_json()}))


def run(name: str, commit: str, *results: Any, **fields: Any) -> BenchmarkRun:
    found = results or (a_result("a"), a_result("b", "fail"))
    return a_run(found, SUITE, run_id=f"20240102-030405-{name * 8}"[:24], commit=commit, **fields)


def accepted(wiki: Wiki, name: str, commit: str) -> BenchmarkRun:
    """A run that is recorded on a commit, and accepted, a minute after the one before."""
    context, workspace, made = wiki.context(), wiki.workspace(), run(name, commit)
    [measured] = measuring.record(context, workspace, [made])
    wiki.later(minutes=1)
    baselines.accept(wiki.context(), workspace, [made], [measured.id], "it is what we have")
    return made


def loaded_at(wiki: Wiki, commit: str) -> Loaded:
    return loading.suite_at(wiki.context(), wiki.workspace(), commit, "shell")


def counting(wiki: Wiki, commit: str) -> Baselined | None:
    return baselines.baseline_of(wiki.context(), wiki.workspace(), commit, loaded_at(wiki, commit))


def test_without_a_baseline_there_is_none(wiki: Wiki) -> None:
    assert counting(wiki, str(wiki.ref(MAIN))) is None


def test_the_newest_accepted_run_of_the_history_counts(wiki: Wiki, commit_files: Commit) -> None:
    first = str(wiki.ref(MAIN))
    second = commit_files(wiki.folder, {"notes.txt": "more\n"})
    newer, older = accepted(wiki, "1", second), accepted(wiki, "2", first)  # an older commit, but accepted last
    found = counting(wiki, second)
    assert found is not None
    assert (found.run_id, found.source) == (older.run_id, "record")
    assert list(found.runs) == [older]
    assert "accepted by Ada Writer on 2024-01-02" in found.told
    assert newer.run_id != older.run_id


def test_the_bases_wins_over_all_that_a_change_says(wiki: Wiki, commit_files: Commit, git: Commit) -> None:
    base = str(wiki.ref(MAIN))
    kept_by_base = accepted(wiki, "1", base)
    git(wiki.folder, "checkout", "-q", "-b", "change")
    head = commit_files(wiki.folder, {f"{FOLDER}/baseline.json": a_baseline("9")})
    accepted(wiki, "2", head)
    found = counting(wiki, base)
    assert found is not None
    assert found.run_id == kept_by_base.run_id
    # whatever tree the suite was read from, the base's own file is meant
    assert baselines.baseline_of(wiki.context(), wiki.workspace(), base, loaded_at(wiki, head)) == found


def test_a_run_of_another_workspace_is_not_accepted_here(wiki: Wiki) -> None:
    made = run("1", str(wiki.ref(MAIN)))
    measuring.record(wiki.context(), wiki.workspace(), [made])
    assert len(kept.kept(wiki.context(), made.run_id, "tides")) == 1
    with pytest.raises(UsageError, match="is of the workspace tides, not of ponds"):
        kept.kept(wiki.context(), made.run_id, "ponds")


def test_what_was_accepted_on_a_branch_that_was_merged_does_not_count(
    wiki: Wiki, commit_files: Commit, git: Commit
) -> None:
    git(wiki.folder, "checkout", "-q", "-b", "change")
    side = commit_files(wiki.folder, {"notes.txt": "more\n"})
    accepted(wiki, "1", side)
    git(wiki.folder, "checkout", "-q", "main")
    git(wiki.folder, "merge", "-q", "--no-ff", "-m", "merge", "change")
    assert counting(wiki, str(wiki.ref(MAIN))) is None


def test_the_file_in_the_tree_counts_where_nothing_was_accepted(wiki: Wiki, commit_files: Commit) -> None:
    head = commit_files(wiki.folder, {f"{FOLDER}/baseline.json": a_baseline("9")})
    found = counting(wiki, head)
    assert found is not None
    assert found.source == "file"
    assert found.told.endswith("in gold/suites/shell/baseline.json")
    accepted(wiki, "1", head)
    found = counting(wiki, head)
    assert found is not None
    assert found.source == "record"


@pytest.mark.parametrize("content", ["{", '{"run_id": 1}', json.dumps({"suite_id": "other"})])
def test_a_file_that_is_no_run_of_the_suite_is_refused(wiki: Wiki, commit_files: Commit, content: str) -> None:
    before = loaded_at(wiki, str(wiki.ref(MAIN)))
    head = commit_files(wiki.folder, {f"{FOLDER}/baseline.json": content})
    with pytest.raises(BadSuite, match=r"baseline\.json"):
        baselines.baseline_of(wiki.context(), wiki.workspace(), head, before)


def test_a_record_that_leads_nowhere_is_told_and_the_one_before_it_counts(wiki: Wiki) -> None:
    commit = str(wiki.ref(MAIN))
    first = accepted(wiki, "1", commit)
    wiki.later(minutes=1)
    baselines.accept(wiki.context(), wiki.workspace(), [run("2", commit)], ["f" * 64])
    found = counting(wiki, commit)
    assert found is not None
    assert found.run_id == first.run_id
    assert "leads to no measurement" in wiki.told[-1]


def test_labels_of_persons_count_in_the_baseline(wiki: Wiki) -> None:
    commit = str(wiki.ref(MAIN))
    made = run("1", commit, a_result("a"), a_result("b", "skipped", category="human"))
    [measured] = measuring.record(wiki.context(), wiki.workspace(), [made])
    baselines.accept(wiki.context(), wiki.workspace(), [made], [measured.id])
    labels.keep(wiki.context(), made, "b", "pass")
    found = counting(wiki, commit)
    assert found is not None
    assert [each.status for each in found.runs[0].results] == ["pass", "pass"]


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"variant": "low"}, "of a variant"),
        ({"snapshot": {"overrides": {"model": "x"}}}, "of a variant"),
        ({"snapshot": {"cases": ["a"]}}, "some of the cases"),
        ({"results": [a_result("a", "fail"), a_result("b", "skipped")]}, "nothing passed"),
    ],
)
def test_what_later_runs_could_not_be_held_to_is_refused(fields: Mapping[str, Any], why: str) -> None:
    told = dict(fields)
    results = told.pop("results", [a_result("a"), a_result("b")])
    with pytest.raises(UsageError, match=why):
        baselines.refuse([a_run(results, SUITE, **told)])


@pytest.mark.slow
def test_where_signatures_are_demanded_an_unsigned_one_counts_for_nothing(
    signed: SignedWiki, commit_files: Commit
) -> None:
    wiki = signed.wiki
    commit = commit_files(wiki.folder, {f"{FOLDER}/suite.json": SUITE.model_dump_json()})
    accepted(wiki, "1", commit)
    found = counting(wiki, commit)
    assert found is not None
    signed.use(signed.other)
    with pytest.raises(CannotRun, match="is none of the allowed signers"):
        accepted(wiki, "2", commit)
    said = feedback.everything(wiki.context(), feedback.Baseline)[-1].model_copy(update={"run": "3", "id": ""})
    feedback.keep(Authority(wiki.context(), "tides"), said, "by hand", is_signed=False)
    assert counting(wiki, commit) == found
    assert "is not signed" in wiki.told[-1]


def test_in_a_clone_that_is_cut_off_nobody_guesses(
    wiki: Wiki, commit_files: Commit, git: Commit, tmp_path: Path
) -> None:
    accepted(wiki, "1", str(wiki.ref(MAIN)))
    commit_files(wiki.folder, {"notes.txt": "more\n"})
    clone = tmp_path / "clone"
    git(wiki.folder, "clone", "-q", "--depth", "1", f"file://{wiki.folder}", str(clone))
    git(clone, "fetch", "-q", "origin", "refs/notes/assay/*:refs/notes/assay/*")
    context = Context(open_repository(clone))
    head = git(clone, "rev-parse", "HEAD")
    with pytest.raises(CannotRun, match="cannot be told in this clone"):
        baselines.baseline_of(context, wiki.workspace(), head, loaded_at(wiki, str(wiki.ref(MAIN))))


def test_an_exported_run_has_all_repeats_and_no_case_of_a_real_session(tmp_path: Path) -> None:
    suite = a_suite(a_case("a"), a_case("b", source="organic", input={"goal": "secret", "context": None}))
    statuses = (("pass", "pass"), ("fail", "pass"), ("error", "fail"))
    runs = [
        a_run([a_result("a", first), a_result("b", second, actual_output="secret")], suite, repeat=at)
        for at, (first, second) in enumerate(statuses)
    ]
    (tmp_path / "x").mkdir()
    file = kept.export(tmp_path / "x", runs)
    assert "secret" not in file.read_text()
    assert [path.name for path in file.parent.iterdir()] == ["baseline.json"]
    read = of_file("baseline.json", file)
    assert [[(each.case_id, each.status) for each in one.results] for one in read] == [
        [("a", "pass")],
        [("a", "fail")],
        [("a", "error")],
    ]
    assert exporting.joined(read) == exporting.joined(runs)


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(CannotRun, match="cannot write"):
        kept.export(tmp_path / "nowhere", [a_run([a_result("a")])])


@pytest.mark.parametrize("others", ["x", [1], [{"repeat": 1}], [{"repeat": "no", "results": []}], None])
def test_what_is_no_repeat_in_an_export_is_passed_over(others: Any) -> None:
    made = a_run([a_result("a")], snapshot={exporting.REPEATS: others})
    [one] = exporting.split(made)
    assert one.results == made.results
