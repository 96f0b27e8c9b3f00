from __future__ import annotations

import subprocess
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.errors import UsageError
from gitops.runs import names

IDS = st.from_regex(r"[a-z0-9][a-z0-9-]{2,62}", fullmatch=True)


@pytest.mark.parametrize(
    "text", ["", "ab", "-abc", "abc\n", "a.b", "A-run", "heads/abc", "run/", "run/run/abc", "a" * 64]
)
def test_what_is_no_id_is_refused_and_said_back(text: str) -> None:
    with pytest.raises(UsageError, match="is no run id") as caught:
        names.checked_id(text)
    assert text in caught.value.message


@given(IDS)
def test_an_id_is_known_by_itself_and_by_its_branch(run_id: str) -> None:
    assert names.checked_id(run_id) == names.checked_id(f"run/{run_id}") == run_id
    assert names.checked_id(names.branch(run_id)) == run_id


@given(
    st.datetimes(datetime(1970, 1, 1), datetime(9999, 1, 1)), st.datetimes(datetime(1970, 1, 1), datetime(9999, 1, 1))
)
def test_fresh_ids_are_ids_and_sort_by_time(one: datetime, other: datetime) -> None:
    first, second = names.new_id(one), names.new_id(other)
    assert names.is_id(first)
    if one.replace(microsecond=0) < other.replace(microsecond=0):
        assert first < second


def test_no_id_is_one_of_the_locks_that_runs_share() -> None:
    assert not any(names.is_id(lock) for lock in (names.TURN, names.MOVING))


def test_the_refs_of_a_run_are_refs_that_git_takes_and_do_not_collide() -> None:
    run_id = names.new_id(datetime(2024, 1, 2, tzinfo=UTC))
    refs = [make(run_id) for make in (names.branch, names.candidate, names.kept, names.kept_head)]
    assert len(set(refs)) == 4
    for ref in refs:
        assert subprocess.run(["git", "check-ref-format", ref], check=False).returncode == 0
