from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gitops.errors import CannotRun, OutOfBudget
from gitops.evals.cuts import Cuts
from gitops.evals.metric import Metric, MetricResult, not_measured
from gitops.evals.running import Wanted, earlier, measured
from gitops.evals.subject import Subject
from gitops.runs import measurements
from gitops.runs.measurements import Measurement, Sample
from gitops.usage import Usage
from tests.runs.driving import MAIN, Wiki, first_files
from tests.runs.measuring import made

CUTS = Cuts(0.95, 0.85)
UNREADABLE = Sample(id="1", status="pass", scores={"overlap": float("nan")})


@pytest.fixture
def wiki(make_repository: Callable[..., Path]) -> Wiki:
    return Wiki(make_repository(first_files()))


def metric(compute: Callable[[Subject], MetricResult], **fields: Any) -> Metric:
    return Metric("made up", version=1, when="weekly", compute=compute, cuts=CUTS, **fields)


def giving(score: float, n: int = 50, interval: tuple[float, float] | None = None, **fields: Any) -> Metric:
    return metric(lambda subject: MetricResult(score, CUTS.status(score), n=n, interval=interval, **fields))


def raising(error: Exception) -> Metric:
    def compute(subject: Subject) -> MetricResult:
        raise error

    return metric(compute)


def run(wiki: Wiki, known: Sequence[Measurement] = (), **metrics: Metric) -> dict[str, Measurement]:
    commit = str(wiki.ref(MAIN))
    found = measured(wiki.context(), wiki.workspace(), commit, Wanted(metrics), known)
    return {each.measurement.suite: each.measurement for each in found}


def test_a_metric_that_raises_says_so_in_its_row_and_the_others_go_on(wiki: Wiki) -> None:
    found = run(wiki, M1=raising(ZeroDivisionError("division by\nzero")), M2=giving(0.97))
    broken = found["M1"]
    assert (broken.metrics["M1"].status, broken.metrics["M1"].value) == ("not_measured", None)
    assert "ZeroDivisionError: division by zero at test_running.py:" in broken.reason
    assert any(broken.reason in told for told in wiki.told)
    assert found["M2"].metrics["M2"].status == "healthy"


@pytest.mark.parametrize(
    ("result", "told"),
    [
        (MetricResult(float("nan"), "broken", n=3), "nan is no score"),
        (MetricResult(float("inf"), "healthy", n=3), "inf is no score"),
        (MetricResult(1.2, "healthy", n=3), "1.2 is no share"),
        (MetricResult(-0.1, "broken", n=3), "-0.1 is no share"),
        (MetricResult(0.9, "degraded", n=3, interval=(0.8, float("nan"))), "nan is no score"),
        (MetricResult(0.9, "degraded", n=3, details={"worst": object()}), "PydanticSerializationError"),
        (MetricResult(0.9, "degraded", n=3, samples=(UNREADABLE,)), "not JSON compliant"),
    ],
)
def test_a_result_that_is_none_closes_no_gate_and_the_others_go_on(wiki: Wiki, result: MetricResult, told: str) -> None:
    used = Usage(input=600, usd=0.5, calls=1)
    found = run(wiki, M1=metric(lambda subject: replace(result, used=used)), M2=giving(0.97))
    number = found["M1"].metrics["M1"]
    assert (number.value, number.status, number.n) == (None, "not_measured", 0)
    assert told in found["M1"].reason
    assert found["M1"].used["input_tokens"] == 600  # what it cost is told whatever came of it
    assert found["M2"].metrics["M2"].status == "healthy"
    assert measurements.append(wiki.context(), found["M1"]) in measurements.everything(wiki.context())


def test_a_score_that_counts_weeks_is_no_share(wiki: Wiki) -> None:
    found = run(wiki, M4=metric(lambda subject: MetricResult(19.0, "healthy"), unit="week"))
    assert found["M4"].metrics["M4"].value == 19.0


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (CannotRun("no such judge", "choose one"), "no such judge; choose one"),
        (OutOfBudget("$1.00 is spent", "raise it"), "the budget of [llm.budgets.eval] ran out: $1.00 is spent"),
    ],
)
def test_what_cannot_be_measured_has_its_reason(wiki: Wiki, error: Exception, told: str) -> None:
    [found] = run(wiki, M1=raising(error)).values()
    assert (found.metrics["M1"].status, found.reason) == ("not_measured", told)


def test_a_clock_that_went_backwards_measures_nothing(wiki: Wiki) -> None:
    wiki.later(days=3)
    later = made(wiki, "M1", 0.97, "healthy")
    wiki.later(days=-2)
    [found] = run(wiki, [later], M1=giving(0.5)).values()
    assert found.metrics["M1"].value is None
    assert found.reason == (
        "the clock went backwards: it is 2024-01-03T03:04:05Z, and M1 was last measured at 2024-01-05T03:04:05Z"
    )


def test_an_interval_that_straddles_a_cut_is_uncertain_and_the_status_follows_the_score(wiki: Wiki) -> None:
    found = run(wiki, M1=giving(0.96, interval=(0.865, 0.989)), M2=giving(0.99, interval=(0.96, 1.0)))
    number = found["M1"].metrics["M1"]
    assert number.status == "healthy"
    assert number.uncertain is not None
    assert number.uncertain.cut == 0.95
    # Wilson at 0.96: the smallest n whose lower bound passes 0.95 (0.96 - 0.95 is a hundredth: some 1,800 samples)
    assert number.uncertain.settled_by is not None
    assert 1_500 < number.uncertain.settled_by < 2_100
    assert found["M2"].metrics["M2"].uncertain is None


def test_the_record_names_what_was_measured_and_with_what(wiki: Wiki) -> None:
    [found] = run(wiki, M1=giving(0.97, instrument={"gold": "abc"}, subject={"model": "m"})).values()
    assert found.instrument == {"metrics": {"M1": 1}, "gold": "abc"}
    assert found.subject["model"] == "m"
    assert found.subject["moment"] == "2024-01-02T03:04:05Z"
    assert not found.is_past
    assert measurements.parse(line(found)) == found


def line(measurement: Measurement) -> str:
    from gitops import canonical

    body = measurement.record()
    return canonical.line(body.pop("summary"), body)


def test_what_one_metric_spends_the_next_has_not(wiki: Wiki, make_repository: Callable[..., Path]) -> None:
    rich = Wiki(make_repository(first_files("[llm.budgets.eval]\ninput_tokens = 1000\nusd = 2.0\n"), name="rich"))
    left: list[tuple[int, float]] = []

    def spending(subject: Subject) -> MetricResult:
        left.append((subject.budget.input_tokens, subject.budget.usd))
        return replace(not_measured("nothing"), used=Usage(input=600, usd=0.5, calls=1))

    found = run(rich, M1=metric(spending), M2=metric(spending), M3=metric(spending))
    assert left == [(1000, 2.0), (400, 1.5), (1, 1.0)]
    assert found["M1"].used == {"input_tokens": 600, "output_tokens": 0, "usd": 0.5}


def test_a_past_commit_is_measured_as_of_its_own_time(wiki: Wiki) -> None:
    commit = str(wiki.ref(MAIN))
    wiki.later(days=100)
    wanted = Wanted({"M1": giving(0.9)}, is_past=True)
    [found] = measured(wiki.context(), wiki.workspace(), commit, wanted, [])
    assert found.measurement.is_past
    assert found.measurement.subject["moment"] != wiki.context().now
    assert found.measurement.completed_at == wiki.context().now


def test_a_trend_mixes_no_two_clocks(wiki: Wiki) -> None:
    now = made(wiki, "M3", 0.9, "healthy")
    past = made(wiki, "M3", 0.8, "degraded", subject={"is_past": True, "moment": "2020-01-01T00:00:00Z"})
    wiki.later(days=1)
    at = wiki.now
    assert earlier([now, past], "M3", "tides", at, is_past=False) == [now]
    assert earlier([now, past], "M3", "tides", at, is_past=True) == [past, now]
    assert earlier([now, past], "M3", "elsewhere", at, is_past=True) == []
    assert earlier([now, past], "M2", "tides", at, is_past=True) == []
