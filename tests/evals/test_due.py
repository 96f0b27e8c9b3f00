from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.evals.due import Due, schedule
from gitops.evals.metric import Metric, When, not_measured
from gitops.runs import measurements, store
from tests.runs.driving import MAIN, Wiki, first_files
from tests.runs.measuring import measure


def of(when: When) -> Metric:
    return Metric("made up", 1, when, lambda subject: not_measured("never"))


METRICS = {"M1": of("weekly"), "M2": of("ingest"), "M3": of("monthly")}


@pytest.fixture
def wiki(make_repository: Callable[..., Path]) -> Wiki:
    return Wiki(make_repository(first_files()))


def times(wiki: Wiki) -> dict[str, Due]:
    context = wiki.context()
    known, runs = measurements.everything(context), store.all_runs(context).values()
    return schedule(context, "tides", METRICS, known, runs, str(wiki.ref(MAIN)))


def due(wiki: Wiki) -> list[str]:
    return [name for name, each in times(wiki).items() if each.why]


def test_what_was_never_measured_is_due(wiki: Wiki) -> None:
    assert due(wiki) == ["M1", "M2", "M3"]


@pytest.mark.slow
def test_weekly_and_monthly_metrics_wait_for_their_day(wiki: Wiki) -> None:
    for name in METRICS:
        measure(wiki, name, None, "not_measured")
    assert due(wiki) == []
    wiki.later(days=6)
    assert due(wiki) == []
    wiki.later(hours=23)  # a weekly job that is an hour early must not pass a week
    assert due(wiki) == ["M1", "M2"]
    wiki.later(days=23)
    assert due(wiki) == ["M1", "M2"]
    wiki.later(hours=24)
    assert due(wiki) == ["M1", "M2", "M3"]
    assert f"{times(wiki)['M3'].next:%Y-%m-%d}" == "2024-02-02"


def test_a_month_has_an_end(wiki: Wiki) -> None:
    wiki.later(days=29)  # January the 31st
    measure(wiki, "M3", 0.9, "healthy")
    assert f"{times(wiki)['M3'].next:%Y-%m-%d}" == "2024-02-29"


@pytest.mark.slow
def test_an_ingest_makes_its_metric_due_once(wiki: Wiki) -> None:
    for name in METRICS:
        measure(wiki, name, 0.97, "healthy")
    run = wiki.run(run_type="ingest", sources=("raw/tides.md",))
    assert due(wiki) == []
    wiki.finish(run)
    assert due(wiki) == ["M2"]
    assert run.id in times(wiki)["M2"].why
    wiki.later(seconds=1)
    measure(wiki, "M2", 0.97, "healthy")
    assert due(wiki) == []


def test_another_workspace_and_the_past_count_for_nothing(wiki: Wiki) -> None:
    measure(wiki, "M1", 0.97, "healthy", workspace="elsewhere")
    measure(wiki, "M1", 0.97, "healthy", subject={"is_past": True})
    assert "M1" in due(wiki)


@pytest.mark.slow
def test_a_clock_that_went_backwards_is_told_by_measuring(wiki: Wiki) -> None:
    for name in METRICS:
        measure(wiki, name, 0.97, "healthy")
    wiki.later(days=-10)
    assert due(wiki) == ["M1", "M2", "M3"]
    assert "the clock went backwards" in times(wiki)["M1"].why
    for name in METRICS:
        measure(wiki, name, None, "not_measured", run_id=f"late-{name.lower()}")
    assert due(wiki) == []  # told once, and not by every job until the clock has caught up
    wiki.later(days=7)
    assert due(wiki) == ["M1", "M2"]
