from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from gitops.evals.due import Due
from gitops.evals.registry import registry
from gitops.evals.reporting import Report, Standing, report
from gitops.git import notes
from gitops.git.repository import open_repository
from gitops.git.snapshot import resolve
from gitops.runs import feedback, measurements, names
from gitops.runs.context import Context
from tests.report.eval_reports import NOW, OFFLINE, ack_of, measurement, series
from tests.report.eval_reports import report as told

DAY = timedelta(days=1)


def one(found: Report, name: str) -> Standing:
    return next(each for each in found.standings if each.id == name)


# What is not known


def test_without_a_measurement_every_known_metric_stands_there_unmeasured() -> None:
    found = told([])
    assert found.is_empty
    assert {each.id for each in found.standings} == set(registry())
    assert {each.status for each in found.standings} == {"not_measured"}
    assert not found.has_synthesis
    assert found.frozen_by == ["M1", "M2"]


def test_what_is_of_another_workspace_kind_or_past_commit_counts_for_nothing() -> None:
    elsewhere = measurement("M1", NOW, 0.1, "broken", workspace="other")
    other = measurement("M1", NOW, 0.1, "broken", kind="verifier_test")
    past = measurement("M1", NOW, 0.1, "broken", subject={"is_past": True, "moment": "2020-01-01T00:00:00Z"})
    nameless = measurement("M1", NOW, 0.1, "broken", metrics={})
    assert told([elsewhere, other, past, nameless]).is_empty
    counted = measurement("M1", NOW, 0.9, "degraded")
    assert one(told([past, counted]), "M1").series == (counted,)


def test_an_attempt_that_gave_nothing_leaves_the_number_before_it_standing() -> None:
    found = one(told(), "M5")
    assert (found.status, found.number and found.number.value) == ("degraded", 0.91)
    assert found.failed is not None
    assert found.failed.reason == "no topic has two pages"
    assert [number.value for _, number in found.numbers] == [0.91]
    assert len(found.series) == 2


def test_a_first_attempt_that_gave_nothing_is_not_measured() -> None:
    found = one(told([measurement("M1", NOW, None, "not_measured", n=0, reason="an empty wiki")]), "M1")
    assert found.status == "not_measured"
    assert found.failed is found.shown
    assert found.weeks == (None,) * 4


def test_a_cost_that_never_crosses_over_was_measured_all_the_same() -> None:
    earlier = measurement("M4", NOW - 9 * DAY, 3.0)
    found = one(told([earlier, measurement("M4", NOW, None, "healthy", n=7, reason="no crossover yet")]), "M4")
    assert found.status == "healthy"
    assert found.failed is None
    assert found.shown is not None
    assert found.shown.reason == "no crossover yet"


def test_a_metric_that_is_no_longer_known_is_told_by_its_name() -> None:
    found = one(told(), "M9")
    assert found.metric is None
    assert found.title == "unknown to this version"
    assert found.status == "healthy"


# Time


def test_the_trend_has_the_last_number_of_each_week() -> None:
    every = [
        measurement("M1", NOW - 28 * DAY, 0.5),
        measurement("M1", NOW - 28 * DAY + timedelta(seconds=1), 0.91),
        measurement("M1", NOW - 8 * DAY, 0.92),
        measurement("M1", NOW - 7 * DAY - timedelta(seconds=1), 0.93),
        measurement("M1", NOW - 7 * DAY, 0.94),
        measurement("M1", NOW, 0.95),
        measurement("M1", NOW, None, "not_measured"),
    ]
    assert one(told(every), "M1").weeks == (0.91, None, 0.94, 0.95)


def test_a_measurement_of_the_future_is_in_no_week() -> None:
    assert one(told([measurement("M1", NOW + DAY, 0.9)]), "M1").weeks == (None,) * 4


def test_what_is_older_than_the_time_reported_still_speaks_for_its_metric() -> None:
    found = one(told([measurement("M3", NOW - 40 * DAY, 0.84)]), "M3")
    assert found.series == ()
    assert found.status == "healthy"


# What follows


def test_a_broken_metric_holds_up_what_the_table_says_until_it_is_acknowledged() -> None:
    every = series()
    broken = next(each for each in reversed(every) if each.suite == "M1")
    found, freed = told(every), told(every, [ack_of(broken)])
    assert found.held == {"synthesis": ["M1"]}
    assert not found.has_synthesis
    assert freed.held == {}
    assert freed.has_synthesis
    assert [ack.reason for ack in freed.acks] == ["the old guide was scanned badly"]


def test_the_freeze_holds_until_each_was_healthy_or_is_acknowledged() -> None:
    never = measurement("M2", NOW, 0.8, "degraded")
    every = [measurement("M1", NOW - 9 * DAY, 0.97), measurement("M1", NOW, 0.9, "degraded"), never]
    assert told(every).frozen_by == ["M2"]
    assert told(every, [ack_of(never)]).frozen_by == []


def test_acks_of_other_workspaces_and_times_are_not_told() -> None:
    every = series()
    other = ack_of(every[0], workspace="other")
    old = ack_of(every[0], at="2026-01-01T00:00:00Z")
    assert told(every, [other, old]).acks == ()


def test_the_judges_stand_there_with_what_is_published_of_them() -> None:
    judges = [OFFLINE, {"id": "claude", "version": "opus", "digest": "e"}, "nonsense"]
    found = one(told([measurement("M1", NOW, 0.9, "degraded", instrument={"judges": judges})]), "M1")
    assert [(judge.id, len(judge.published)) for judge in found.judges] == [("offline", 3), ("claude", 0)]
    (pairs,) = one(told(), "M5").judges
    assert [figure.set for figure in pairs.published] == ["contradictions-chatprotect"]
    assert one(told(), "M2").judges == ()


@pytest.mark.parametrize("judges", [5, None, "offline", {"id": "offline"}, [[]]])
def test_judges_that_are_no_list_are_none(judges: Any) -> None:
    assert one(told([measurement("M1", NOW, 0.9, "degraded", instrument={"judges": judges})]), "M1").judges == ()


# Of a repository


def kept(folder: Path, moment: datetime = NOW, said: Callable[[str], None] = print) -> Context:
    return Context(open_repository(folder), lambda: moment, said)


def test_a_report_is_read_from_the_notes_and_what_is_none_is_told(
    make_repository: Callable[..., Path], wiki_files: Mapping[str, Any]
) -> None:
    said: list[str] = []
    context = kept(make_repository(wiki_files), said=said.append)
    commit = resolve(context.repository, "HEAD")
    made = measurement("M1", NOW - DAY, 0.81, "broken", commit=commit, workspace="plant")
    stored = measurements.append(context, made)
    ack = feedback.acknowledge(context, "M1", stored, "known")
    notes.append(context.repository, names.EVALS, {commit: ["{half a li"]}, "x", context.identity, context.epoch)
    found = report(context, "plant", commit, NOW - 30 * DAY)
    assert one(found, "M1").shown == stored
    assert found.acks == (ack,)
    assert found.held == {}
    assert len(said) == 1
    assert said[0].endswith("; skipped")


def test_what_can_be_no_metric_s_name_stands_in_no_command(
    make_repository: Callable[..., Path], wiki_files: Mapping[str, Any]
) -> None:
    said: list[str] = []
    context = kept(make_repository(wiki_files), said=said.append)
    commit = resolve(context.repository, "HEAD")
    hostile = "M7; curl example.org | sh"
    for suite in (hostile, "M7"):
        made = measurement(suite, NOW - DAY, 0.1, "broken", commit=commit, workspace="plant")
        measurements.append(context, made)
    found = report(context, "plant", commit, NOW - 30 * DAY)
    assert [each.id for each in found.standings if each.metric is None] == ["M7"]
    assert said == [f"a measurement on {commit[:10]}: '{hostile}' can be no metric's name; skipped"]


def test_when_a_metric_is_due_is_told(make_repository: Callable[..., Path], wiki_files: Mapping[str, Any]) -> None:
    context = kept(make_repository(wiki_files))
    commit = resolve(context.repository, "HEAD")
    measurements.append(context, measurement("M1", NOW - 3 * DAY, 0.97, commit=commit, workspace="plant"))
    later = replace(context, clock=lambda: NOW + 30 * DAY)
    due = one(report(context, "plant", commit, NOW - 30 * DAY), "M1").due
    assert due == Due("M1", NOW - 3 * DAY, NOW + 4 * DAY)
    overdue = one(report(later, "plant", commit, NOW), "M1").due
    assert overdue is not None
    assert overdue.why == "it was last measured on 2026-04-13"
