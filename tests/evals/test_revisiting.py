from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from gitops.evals.history import history, revisiting
from gitops.evals.metrics.m1 import METRIC
from gitops.evals.revisiting import Revisiting
from gitops.evals.running import Measured, Wanted, measured
from gitops.git.repository import open_repository
from gitops.git.snapshot import resolve
from gitops.runs import evalruns, measurements
from gitops.runs.context import Context
from gitops.runs.workspace import find
from gitops.verify.judge import Question, Vote

Commit = Callable[..., str]
Judge = Callable[..., Any]
Make = Callable[..., Path]
POLICY = '[workspace]\nname = "w"\n[citations]\nrequire = []\n'
WANTED = Wanted({"M1": METRIC}, is_past=True)


def page(*words: str) -> str:
    return "# A\n\n" + "\n\n".join(f"{each} it is.[^1]" for each in words) + "\n\n[^1]: raw/a.md\n"


def by_name(question: Question) -> Vote:
    return Vote("does_not_support" if question.claim.startswith("Not") else "supports", 1.0, "so", may_gate=True)


@pytest.fixture
def folder(make_repository: Make, commit_files: Commit) -> Path:
    """Three commits: 2 of 2, 3 of 4, and 2 of 4 claims are right."""
    made = make_repository({"assay.toml": POLICY, "raw/a.md": "A.\n", "wiki/a.md": page("Yes", "Sure")})
    commit_files(made, {"wiki/a.md": page("Yes", "Sure", "True", "Not so")})
    commit_files(made, {"wiki/a.md": page("Yes", "Sure", "Not true", "Not so")})
    return made


def context(folder: Path, judge: Any = None) -> Context:
    seating = None if judge is None else (lambda name, seat: judge)
    return Context(open_repository(folder), lambda: datetime(2024, 3, 1, tzinfo=UTC), seating=seating)


def visiting(made: Context, wanted: Wanted = WANTED) -> AbstractContextManager[Revisiting]:
    return revisiting(made, find(made.repository, "HEAD"), wanted)


def keeping(made: Context) -> Callable[[Measured], None]:
    workspace = find(made.repository, "HEAD")

    def keep(found: Measured) -> None:
        evalruns.record(made, workspace, found.measurement)

    return keep


def values(made: Context, **options: Any) -> list[tuple[float | None, bool]]:
    tip = resolve(made.repository, "HEAD")
    found = history(made, find(made.repository, tip), WANTED, tip, **options)
    return [(step.number.value, step.measured.is_kept) for step in found.steps]


def test_a_measurement_by_another_instrument_does_not_count(folder: Path, make_judge: Judge) -> None:
    made = context(folder, make_judge(by_name))
    assert values(made, keep=keeping(made)) == [(0.5, False), (0.75, False), (1.0, False)]
    other = make_judge(by_name, digest="f" * 64)
    assert values(context(folder, other)) == [(0.5, False), (0.75, False), (1.0, False)]
    sized = Wanted({"M1": METRIC}, is_past=True, size=2)
    with visiting(made, sized) as by:
        assert not by.at(resolve(made.repository, "HEAD")).is_kept


def test_what_was_kept_is_not_measured_again_and_not_kept_twice(folder: Path, make_judge: Judge) -> None:
    made = context(folder, make_judge(by_name))
    assert values(made, keep=keeping(made)) == [(0.5, False), (0.75, False), (1.0, False)]
    before = len(measurements.everything(made))
    assert before == 3
    assert values(made, keep=keeping(made)) == [(0.5, True), (0.75, True), (1.0, True)]
    assert len(measurements.everything(made)) == before


def test_without_keep_nothing_is_recorded(folder: Path, make_judge: Judge, git: Callable[..., str]) -> None:
    before = git(folder, "for-each-ref")
    values(context(folder, make_judge(by_name)))
    assert git(folder, "for-each-ref") == before


def test_it_is_the_number_that_the_commit_alone_would_have(folder: Path, make_judge: Judge) -> None:
    made = context(folder, make_judge(by_name, is_free=True))
    with visiting(made) as by:
        for rev in ("HEAD~2", "HEAD", "HEAD~1"):
            commit = resolve(made.repository, rev)
            alone = context(folder, make_judge(by_name))
            (apart,) = measured(alone, find(alone.repository, commit), commit, WANTED)
            together = by.at(commit).measurement
            assert together.metrics == apart.measurement.metrics
            assert together.samples == apart.measurement.samples


def test_each_commit_is_read_by_its_own_policy(make_repository: Make, commit_files: Commit, make_judge: Judge) -> None:
    blind = POLICY + 'dialects = ["caret"]\n'
    folder = make_repository({"assay.toml": blind, "raw/a.md": "A.\n", "wiki/a.md": page("Yes", "Not so")})
    commit_files(folder, {"assay.toml": POLICY})
    commit_files(folder, {"assay.toml": blind})
    assert values(context(folder, make_judge(by_name))) == [(None, False), (0.5, False), (None, False)]


@pytest.mark.parametrize("is_free", [True, False])
def test_a_judge_is_asked_about_what_changed_alone(folder: Path, make_judge: Judge, is_free: bool) -> None:
    judge = make_judge(by_name, is_free=is_free)
    values(context(folder, judge))
    assert [sorted(question.claim for question in asked) for asked in judge.asked] == [
        ["Sure it is.", "Yes it is."],
        ["Not so it is.", "True it is."],
        ["Not true it is."],
    ]


def test_a_free_judge_is_asked_again_where_the_sources_are_others(
    folder: Path, make_judge: Judge, commit_files: Commit
) -> None:
    commit_files(folder, {"raw/new.md": "New.\n", "wiki/b.md": "# B\n"})
    judge = make_judge(by_name, is_free=True)
    values(context(folder, judge), limit=2)
    assert [len(asked) for asked in judge.asked] == [4, 4]


def test_a_commit_without_a_policy_is_read_by_the_newest(
    make_repository: Make, commit_files: Commit, make_judge: Judge
) -> None:
    folder = make_repository({"raw/a.md": "A.\n", "wiki/a.md": page("Yes", "Not so")})
    commit_files(folder, {"assay.toml": POLICY})
    assert values(context(folder, make_judge(by_name))) == [(0.5, False), (0.5, False)]


def test_the_judge_is_the_newest_policys_at_every_commit(
    make_repository: Make, commit_files: Commit, make_judge: Judge
) -> None:
    nobody = POLICY + '[verify]\njudge = "none"\n'
    folder = make_repository({"assay.toml": nobody, "raw/a.md": "A.\n", "wiki/a.md": page("Yes")})
    commit_files(folder, {"assay.toml": POLICY})
    assert values(context(folder, make_judge(by_name))) == [(1.0, False), (1.0, False)]


def test_all_commits_together_spend_what_one_evaluation_may(
    folder: Path, make_judge: Judge, commit_files: Commit
) -> None:
    commit_files(folder, {"assay.toml": POLICY + "[llm.budgets.eval]\ninput_tokens = 2500\n"})
    seen: list[int] = []

    def seated(name: str, seat: Any) -> Any:
        seen.append(seat.workspace.config.llm.budgets.of("eval").input_tokens)
        return make_judge(by_name)

    made = Context(open_repository(folder), lambda: datetime(2024, 3, 1, tzinfo=UTC), seating=seated)
    with visiting(made) as by:
        for rev in ("HEAD~3", "HEAD~2", "HEAD~1"):
            by.at(resolve(made.repository, rev))
        assert by.used.read == 5000  # 2, 2 and 1 claims of a thousand tokens each
    assert seen == [2500, 500, 1]  # a budget that is spent is no budget without a bound


def test_only_measurements_that_speak_of_the_commits_own_time_count(folder: Path, make_judge: Judge) -> None:
    made = context(folder, make_judge(by_name))
    commit = resolve(made.repository, "HEAD")
    now = Wanted({"M1": METRIC})  # two months after the commit
    (found,) = measured(made, find(made.repository, commit), commit, now)
    evalruns.record(made, find(made.repository, commit), found.measurement)
    with visiting(made) as by:
        assert not by.at(commit).is_kept
