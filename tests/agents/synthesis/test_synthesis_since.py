from __future__ import annotations

from datetime import UTC, datetime

import pytest

from gitops.agents.synthesis.since import Last, due_at, failed_since, of_workspace, open_one
from gitops.config import Config
from gitops.config import Workspace as Names
from gitops.runs.records import Person, Run, RunRecord, StateRecord, Status
from gitops.runs.workspace import Workspace
from gitops.wiki.layout import Layout
from tests.runs.driving import MAIN

AT = datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)


def run(name: str, status: Status, started: str = "2024-01-02T00:00:00Z", workspace: str = "tides") -> Run:
    person = Person(name="Ada", email="ada@example.org")
    record = RunRecord(
        summary="",
        run_id=name,
        workspace=workspace,
        run_type="synthesis",
        triggered_by="cli:",
        target=MAIN,
        base="b" * 40,
        root="r" * 40,
        started_at=started,
        author=person,
    )
    return Run(record, (StateRecord(summary="", run_id=name, number=0, status=status, at=started),))


@pytest.mark.parametrize(
    ("every", "due"),
    [("36h", datetime(2024, 1, 3, 15, 4, 5, tzinfo=UTC)), ("2w", datetime(2024, 1, 16, 3, 4, 5, tzinfo=UTC))],
)
def test_when_the_next_is_due(every: str, due: datetime) -> None:
    assert due_at(Last(run("one", "committed"), "b" * 40, AT), every) == due
    assert due_at(None, every) is None


def test_syntheses_of_one_workspace_newest_first() -> None:
    old, new = run("old", "committed", "2024-01-01T00:00:00Z"), run("new", "pending", "2024-01-03T00:00:00Z")
    assert of_workspace([old, run("other", "pending", workspace="x"), new], _workspace("tides")) == [new, old]


def _workspace(name: str) -> Workspace:
    return Workspace(Layout(names=Names(name=name)), Config(), "")


def test_what_is_open_and_what_failed_since() -> None:
    runs = [
        run("e", "abandoned", "2024-01-05T00:00:00Z"),
        run("d", "verifying"),
        run("c", "rejected", "2024-01-01T00:00:00Z"),
    ]
    found = open_one(runs)
    assert found is not None
    assert found.id == "d"
    assert open_one(runs[:1]) is None
    last = Last(run("last", "committed", "2024-01-04T00:00:00Z"), "b" * 40, AT)
    assert [each.id for each in failed_since(runs, last)] == ["e"]
    assert [each.id for each in failed_since(runs, None)] == ["e", "c"]
