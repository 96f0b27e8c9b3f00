"""Logs of real sessions become cases without personal data, where git ignores them, for those who opted in."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gitops.errors import UsageError
from gitops.runs.bad_input import BadInput
from gitops.suites import datasets, loading
from gitops.suites.grading import faults
from gitops.suites.scrubbing import Scrubber
from tests.suites.suite_folders import OPTED_IN, POLICY, SHELL, case, opened, suite, written

pytest.importorskip("scrubadub")

Make = Callable[..., Path]
IGNORED = {".gitignore": "/data/benchmarks/\n"}


def log(*sessions: Any) -> bytes:
    return "".join(json.dumps(one) + "\n" for one in sessions).encode()


def read(*sessions: Any) -> datasets.Log:
    return datasets.read(log(*sessions), "log.jsonl")


def test_a_session_becomes_a_case_that_a_judge_can_hold_outputs_to() -> None:
    [session] = read({"goal": "Write to jo@x.org", "outcome": "Wrote to jo@x.org.", "tags": ["mail"]}).sessions
    made = datasets.case_of(session, "llm_judge", Scrubber())
    assert (made.source, made.difficulty, made.tags) == ("organic", "medium", ["mail"])
    assert made.input.goal == "Write to {{EMAIL-1}}"
    assert made.expected.mode == "llm_judge"
    assert str(made.expected.value).endswith("\n\nWrote to {{EMAIL-1}}.")
    assert made.case_id.startswith("organic-")
    assert faults(made) == []


@pytest.mark.parametrize(("mode", "value"), [("contains", "yes"), ("exact", "yes"), ("human", None)])
def test_other_modes_take_the_outcome_as_it_is(mode: Any, value: str | None) -> None:
    [session] = read({"goal": "x", "outcome": "yes"}).sessions
    made = datasets.case_of(session, mode, Scrubber())
    assert (made.expected.mode, made.expected.value, faults(made)) == (mode, value, [])


def test_what_the_log_expects_itself_counts_before_all_modes() -> None:
    expected = {"mode": "contains+human", "value": "jo@x.org"}
    [session] = read({"goal": "x", "outcome": "no", "accepted": False, "expected": expected}).sessions
    made = datasets.case_of(session, "exact", Scrubber())
    assert (made.expected.mode, made.expected.value) == ("contains+human", "{{EMAIL-1}}")


def test_sessions_that_went_wrong_expect_nothing_and_are_counted() -> None:
    rejected, open_end = {"goal": "x", "outcome": "no", "accepted": False}, {"goal": "y"}
    found = read(rejected, open_end, {"goal": "z", "outcome": "ok", "ts": 1})
    assert [one.goal for one in found.sessions] == ["z"]
    assert (found.left_out, found.overlooked) == (2, ("ts",))


def test_the_same_session_is_the_same_case_whoever_it_was_of() -> None:
    sessions = read({"goal": "Ask jo@x.org", "outcome": "ok"}, {"goal": "Ask al@x.org", "outcome": "ok"}).sessions
    one, other = (datasets.case_of(each, "exact", Scrubber()) for each in sessions)
    assert one == other


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "log.jsonl: it holds no session"),
        (b"\n\n", "log.jsonl: it holds no session"),
        (log({"goal": "x"}) + b"{", "log.jsonl:2: the file is cut in the middle of this line"),
        (log({"goal": "x"}, {"goal": 3}), "log.jsonl:2: goal: input should be a valid string (it is 3)"),
        (log({"outcome": "x"}), "log.jsonl:1: goal: this field is missing"),
        (log({"goal": "x", "expected": {"mode": "fuzzy"}}), "log.jsonl:1: expected.mode: there is no mode 'fuzzy'"),
        (log({"goal": "x", "expected": {"mode": "contains"}}), "log.jsonl:1: expected: mode contains needs a 'value'"),
        (b"[1]\n", "log.jsonl:1: not a JSON object"),
        (
            log({"goal": "x"}, {"goal": "y", "outcome": "no", "accepted": False}),
            "log.jsonl: none of its 2 sessions has",
        ),
    ],
)
def test_logs_that_cannot_be_taken(data: bytes, told: str) -> None:
    with pytest.raises(BadInput) as raised:
        datasets.read(data, "log.jsonl")
    assert raised.value.message.startswith(told)


def test_what_is_kept_is_loaded_with_the_suite(make_repository: Make) -> None:
    repository = make_repository({"assay.toml": OPTED_IN, **IGNORED, **written(SHELL, suite(), case())})
    context, workspace, commit = opened(repository)
    folder = datasets.folder(context, workspace, "shell")
    assert folder == repository / "data/benchmarks/shell/cases"
    made = [datasets.case_of(one, "exact", Scrubber()) for one in read({"goal": "x", "outcome": "y"}).sessions]
    first, again = datasets.keep(folder, made * 2), datasets.keep(folder, made)
    assert (first.added, first.there) == ((made[0].case_id,), (made[0].case_id,))
    assert (again.added, again.there) == ((), (made[0].case_id,))
    [loaded] = loading.suites_at(context, workspace, commit)
    assert loaded.organic == (made[0].case_id,)
    assert loaded.suite.cases[-1] == made[0]


def test_nothing_is_kept_where_nobody_opted_in(make_repository: Make) -> None:
    context, workspace, _ = opened(make_repository({"assay.toml": POLICY, **IGNORED}))
    with pytest.raises(UsageError, match=r"assay\.toml at HEAD has no \[benchmarks\] organic = true") as raised:
        datasets.folder(context, workspace, "shell")
    assert "organic = true" in raised.value.hint


def test_nothing_is_kept_where_git_would_take_it(make_repository: Make) -> None:
    repository = make_repository({"plant/assay.toml": OPTED_IN})
    context, workspace, _ = opened(repository)
    with pytest.raises(UsageError, match="git would not ignore plant/data/benchmarks/") as raised:
        datasets.folder(context, workspace, "shell")
    assert raised.value.hint.startswith("echo '/plant/data/benchmarks/' >> .gitignore")
    (repository / ".gitignore").write_text("/plant/data/benchmarks/\n")
    assert datasets.folder(context, workspace, "shell").parts[-4:] == ("data", "benchmarks", "shell", "cases")


def test_a_rule_that_brings_cases_back_is_seen(make_repository: Make) -> None:
    context, workspace, _ = opened(
        make_repository({"assay.toml": OPTED_IN, ".gitignore": "/data/benchmarks/**\n!*/\n!*.json\n"})
    )
    with pytest.raises(UsageError, match="git would not ignore"):
        datasets.folder(context, workspace, "shell")


def test_nothing_is_kept_beside_what_is_tracked(make_repository: Make) -> None:
    tracked = {"data/benchmarks/shell/cases/o.json": json.dumps(case("o", source="organic"))}
    context, workspace, _ = opened(make_repository({"assay.toml": OPTED_IN, **IGNORED, **tracked}))
    with pytest.raises(UsageError, match=r"data/benchmarks/shell/cases/o\.json is tracked by git"):
        datasets.folder(context, workspace, "shell")


def test_nothing_is_kept_outside_the_worktree(make_repository: Make, tmp_path: Path) -> None:
    repository = make_repository({"assay.toml": OPTED_IN, ".gitignore": "/data\n"})
    (tmp_path / "elsewhere").mkdir()
    (repository / "data").symlink_to(tmp_path / "elsewhere")
    context, workspace, _ = opened(repository)
    with pytest.raises(UsageError, match="lies behind a symbolic link"):
        datasets.folder(context, workspace, "shell")
