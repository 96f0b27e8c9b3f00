from __future__ import annotations

from typing import Any

import pytest

from gitops.ci.fitting import fitted
from gitops.ci.metric_rows import every, gating, is_shown, sparkline
from gitops.ci.result import MetricRow
from tests.ci.comment_results import metric


def row(name: str = "M1", **changes: Any) -> MetricRow:
    return MetricRow.model_validate(metric(name, **changes))


def cells(*rows: MetricRow) -> list[list[str]]:
    told = fitted(gating(rows, 1), 10_000, "").replace("\N{NO-BREAK SPACE}", " ")
    return [line.strip("| ").split(" | ") for line in told.splitlines() if line.startswith("|")][2:]


def test_what_was_not_measured_is_never_nought() -> None:
    none = row(base=None, head=None, delta=None, gated=True, verdict="no data", limit=">= 0.95")
    assert cells(none) == [["`M1`", "-", "-", "-", "-", "-", r"\>= 0.95", "no data"]]


@pytest.mark.parametrize("value", [1e300, -1e300, 1e15])
def test_a_number_that_nothing_has_is_told_by_its_power_of_ten(value: float) -> None:
    told = cells(row(base=value, head=value, delta=value, interval=(value, value), gated=True, unit="tokens"))
    assert max(map(len, told[0])) < 40


def test_a_metric_that_neither_changed_nor_gates_stays_below_the_fold() -> None:
    assert not is_shown(row())
    assert not is_shown(row(verdict="not comparable"))
    assert is_shown(row(gated=True))
    assert is_shown(row(limit=">= 0.80"))
    assert is_shown(row(verdict="improved"))
    assert is_shown(row(verdict="regressed"))


def test_a_row_says_by_an_arrow_and_a_word_where_it_went() -> None:
    fell = row(head=0.84, delta=-0.12, interval=(-0.21, -0.04), p=0.0004, limit="0.95", verdict="regressed", gated=True)
    assert cells(fell) == [
        ["`M1`", "0.960", "0.840", "▼ -0.120 worse", "-0.210 … -0.040", r"\<0.001", "0.95", "**regressed**"]
    ]


@pytest.mark.parametrize(
    ("direction", "delta", "told"),
    [
        ("higher", 0.02, "▲ +0.020 better"),
        ("higher", -0.02, "▼ -0.020 worse"),
        ("lower", 0.02, "▲ +0.020 worse"),
        ("lower", -0.02, "▼ -0.020 better"),
        ("lower", 0.0, "unchanged"),
    ],
)
def test_better_is_where_the_metric_wants_to_go(direction: str, delta: float, told: str) -> None:
    assert cells(row(direction=direction, delta=delta, gated=True))[0][3] == told


def test_numbers_have_as_many_digits_as_show_the_difference() -> None:
    hidden = row(base=0.9601, head=0.9604, delta=0.0003, gated=True)
    assert cells(hidden, row("M2", gated=True))[1][1] == "0.9600"
    slow = row("latency", unit="ms", base=812.4, head=815.9, delta=3.5, gated=True)
    assert cells(slow)[0][:4] == ["`latency`, ms", "812.4", "815.9", "▲ +3.5 better"]
    counted = row("pages", unit="pages", base=1200.0, head=1210.0, delta=10.0, gated=True)
    assert cells(counted)[0][:4] == ["`pages`, pages", "1,200", "1,210", "▲ +10 better"]


def test_reasons_stand_below_each_table_once() -> None:
    rows = [row(gated=True, why="below 0.95"), row("M2", verdict="no data", why="no query was asked")]
    assert fitted(gating(rows, 1), 10_000, "").endswith("\n\n- `M1`: below 0.95\n")
    assert fitted(every(rows, 9, 1), 10_000, "").endswith("\n\n- `M2`: no query was asked\n")


def test_more_metrics_than_are_wanted_are_counted() -> None:
    told = fitted(every([row(f"m{number}") for number in range(5)], 3, 1), 10_000, "there")
    assert "| `m2` |" in told
    assert "m3" not in told
    assert told.endswith("*and 2 more: there*\n")


@pytest.mark.parametrize(
    ("points", "told"),
    [
        ((), ""),
        ((None, None), ""),
        ((0.5, None), ""),
        ((0.5, 0.5), "▅▅"),
        ((0.0, None, 1.0), "▁·█"),
        ((0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0), "▁▂▃▄▅▆▇█"),
        ((9.0, 9.0, *[float(each) for each in range(8)]), "▁▂▃▄▅▆▇█"),
        ((-1.7e308, 1.7e308), "▁█"),
    ],
)
def test_a_trend_is_its_last_eight_points_between_the_least_and_the_most(
    points: tuple[float | None, ...], told: str
) -> None:
    assert sparkline(points) == told
