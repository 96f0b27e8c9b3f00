from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from benchmarks.accuracy import taking
from gitops.errors import CannotRun, UsageError
from gitops.evals.planting.kinds import KINDS
from gitops.evals.verifier_test import Wanted, measure
from gitops.git import notes, refs
from gitops.git.repository import open_repository
from gitops.git.snapshot import resolve
from gitops.runs import names
from gitops.runs.context import Context
from gitops.runs.measurements import Measurement, measurements_on
from gitops.runs.verifier_tests import KIND
from gitops.runs.workspace import find
from gitops.verify.judge import Question, Vote

CLOCK = datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)
TIMES = ("id", "run_id", "started_at", "completed_at")


@pytest.fixture
def folder(make_repository: Callable[..., Path], wiki_files: Mapping[str, Any]) -> Path:
    return make_repository(wiki_files)


def context(folder: Path, passed: int = 0) -> Context:
    return Context(open_repository(folder), lambda: CLOCK + timedelta(seconds=passed))


def measured(made: Context, **wanted: Any) -> Measurement:
    commit = resolve(made.repository, "HEAD")
    return measure(made, find(made.repository, commit), commit, Wanted(**wanted))


def test_without_a_sound_claim_nothing_is_measured(make_repository: Callable[..., Path]) -> None:
    page = "# Plant\n\nSolvent is used.[^1]\n\n[^1]: raw/gone.md\n"
    made = context(make_repository({"assay.toml": "", "raw/a.md": "A.\n", "wiki/index.md": page}))
    with pytest.raises(CannotRun, match="no claim of"):
        measured(made)
    assert refs.read(made.repository, names.EVALS) is None


def test_a_judge_that_is_not_there_is_a_usage_error(folder: Path) -> None:
    with pytest.raises(UsageError, match="no judge 'ofline'"):
        measured(context(folder), judges=("ofline",))


def test_a_judge_that_gives_no_answer_leaves_no_measurement(folder: Path, make_judge: Callable[..., Any]) -> None:
    def rule(question: Question) -> Vote:
        raise CannotRun("the network is down", "wait")

    made = replace(context(folder), seating=lambda name, seat: make_judge(rule))
    with pytest.raises(CannotRun, match="network"):
        measured(made)
    assert refs.read(made.repository, names.EVALS) is None


def test_a_dry_run_keeps_nothing(folder: Path) -> None:
    made = context(folder)
    assert measured(made, is_kept=False).id
    assert refs.read(made.repository, names.EVALS) is None


def test_it_is_kept_on_the_commit_that_was_measured(folder: Path) -> None:
    made = context(folder)
    found = measured(made)
    assert measurements_on(made, found.commit) == [found]
    assert measurements_on(made, found.commit, KIND) == [found]
    assert measurements_on(made, found.commit, "other") == []
    (line,) = notes.read(made.repository, names.EVALS, found.commit)
    assert line.startswith('{"summary":"verifier test, judge offline/')


def test_the_same_again_is_the_same_but_for_the_times(folder: Path) -> None:
    first, again = measured(context(folder)).record(), measured(context(folder, passed=60)).record()
    assert [first[name] == again[name] for name in TIMES] == [False] * 4
    for record in (first, again):
        for name in TIMES:
            del record[name]
    assert json.dumps(first) == json.dumps(again)


def test_another_seed_and_size_draw_others(folder: Path) -> None:
    one, other = (measured(context(folder), seed=seed, sample=2, is_kept=False) for seed in (0, 4))
    assert one.instrument["sample"]["digest"] != other.instrument["sample"]["digest"]
    assert one.subject == other.subject
    assert max(one.metrics[kind].n for kind in KINDS) == 2


def test_a_measurement_says_what_was_measured_and_by_what(folder: Path) -> None:
    found = measured(context(folder), judges=("none",), sample=3)
    assert found.subject["judges"] == []
    assert found.subject["verifier"].startswith("git-assay/")
    assert found.instrument["sample"]["sound_claims"] == 6
    assert found.instrument["metrics"] == {"verifier_test": 1}
    assert (found.kind, found.suite, found.repeat, found.workspace) == (KIND, KIND, 0, "plant")
    assert set(found.metrics) == {*KINDS, "caught", "wrongly_refused", "input_tokens", "output_tokens", "usd"}
    assert found.metrics["invented_quotation"].value == 1
    assert found.metrics["digit"].value == 0
    assert found.metrics["digit"].status == "measured"
    assert {one.status for one in found.samples} <= {"pass", "fail", "abstained"}


def test_what_the_judges_used_is_counted_and_what_they_said_is_remembered(
    folder: Path, make_judge: Callable[..., Any], knowing: Callable[[Question], Vote]
) -> None:
    seats = []

    def seating(name: str, seat: Any) -> Any:
        seats.append(seat)
        return make_judge(knowing)

    first = measured(replace(context(folder), seating=seating))
    assert first.metrics["caught"].value == 1
    assert first.metrics["wrongly_refused"].value == 0
    questions = first.metrics["input_tokens"].n
    assert first.metrics["input_tokens"].value == 1000 * questions > 0
    assert first.metrics["usd"].value == pytest.approx(0.01 * questions)
    again = measured(replace(context(folder), seating=seating))
    fresh = measured(replace(context(folder), seating=seating), fresh=True)
    assert again.metrics["input_tokens"].value == 0
    assert fresh.metrics["input_tokens"].value == first.metrics["input_tokens"].value
    assert again.samples == first.samples == fresh.samples
    assert {(seat.purpose, seat.operation) for seat in seats} == {("test", "eval")}


def test_the_judges_of_the_policy_sit_unless_others_are_named(
    folder: Path, make_judge: Callable[..., Any], knowing: Callable[[Question], Vote]
) -> None:
    asked_for: list[str] = []

    def seating(name: str, seat: Any) -> Any:
        asked_for.append(name)
        return make_judge(knowing, id=name)

    made = replace(context(folder), seating=seating)
    measured(made, is_kept=False)
    found = measured(made, judges=("first", "second"), is_kept=False)
    assert asked_for == ["offline", "first", "second"]
    assert [one["id"] for one in found.subject["judges"]] == ["first", "second"]
    assert found.summary.startswith("verifier test, judge first/1+second/1: ")


def test_nothing_of_the_repository_changes_but_the_note(folder: Path, git: Callable[..., str]) -> None:
    def state() -> list[str]:
        listed = git(folder, "for-each-ref", "--format=%(refname) %(objectname)").split("\n")
        return [*(line for line in listed if names.EVALS not in line), git(folder, "status", "--porcelain")]

    before = state()
    measured(context(folder))
    assert state() == before


WIKIS = Path(__file__).parents[2] / "../shared/data/wikis"


@pytest.mark.skipif(not WIKIS.is_dir(), reason="the wikis of other people are not here")
@pytest.mark.slow
def test_errors_are_planted_in_a_real_wiki_and_its_sound_claims_let_pass(tmp_path: Path) -> None:
    folder = taking.adopted(WIKIS / "citadel-gazette", tmp_path)
    found = measured(Context(open_repository(folder)), judges=("none",))
    assert len(found.samples) > 100
    planted = [(one.tags, *map(str, one.details.values())) for one in found.samples]
    assert len(set(planted)) == len(planted)
    assert found.metrics["invented_quotation"].counts["by_checks"] > 20
    assert found.metrics["wrongly_refused"].n > 20
    assert found.metrics["wrongly_refused"].value == 0
