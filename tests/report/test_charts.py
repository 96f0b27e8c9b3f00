from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from gitops.report.charts import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, Chart, Measured, curves, path, short, trend

FIRST = datetime(2026, 3, 1, tzinfo=UTC)
FLOOR = HEIGHT - BOTTOM


def point(days: float, value: float | None, interval: tuple[float, float] | None = None) -> Measured:
    return Measured(FIRST + timedelta(days=days), value, interval, "healthy", f"day {days:g}")


def drawn(points: Sequence[Measured], cuts: Sequence[tuple[str, float]] = (), *, share: bool = True) -> Chart:
    return trend("t", "a title", points, cuts, share=share)


def test_one_number_stands_in_the_middle_without_a_line_or_band() -> None:
    chart = drawn([point(0, 0.9, (0.8, 0.95))])
    (dot,) = chart.dots
    assert dot.x == pytest.approx((LEFT + WIDTH - RIGHT) / 2)
    assert chart.line == chart.band == ""
    assert [tick.label for tick in chart.xs] == ["2026-03-01"]
    assert dot.low is not None
    assert dot.high is not None
    assert dot.low > dot.y > dot.high


def test_places_are_in_proportion_to_time_and_value() -> None:
    chart = drawn([point(0, 1.0), point(7, 0.5), point(28, 0.75)])
    first, second, third = chart.dots
    assert (second.x - first.x) / (third.x - first.x) == pytest.approx(7 / 28)
    assert first.y == pytest.approx(TOP)
    assert [tick.label for tick in chart.ys] == ["0.40", "0.60", "0.80", "1.00"]
    assert second.y == pytest.approx(FLOOR - (FLOOR - TOP) / 6)
    assert third.y == pytest.approx(FLOOR - (FLOOR - TOP) * 35 / 60)
    assert chart.line.count("L") == 2


def test_the_axis_of_a_share_ends_at_one_and_holds_cuts_and_intervals() -> None:
    chart = drawn([point(0, 0.97, (0.91, 1.0)), point(7, 0.96, (0.88, 0.99))], [("healthy", 0.95), ("degraded", 0.85)])
    assert [tick.label for tick in chart.ys] == ["0.80", "0.85", "0.90", "0.95", "1.00"]
    healthy, degraded = chart.cuts
    assert (healthy.name, healthy.label, degraded.label) == ("healthy", "0.95", "0.85")
    assert TOP < healthy.at < degraded.at < FLOOR


def test_a_band_goes_there_along_the_upper_and_back_along_the_lower_ends() -> None:
    chart = drawn([point(0, 0.9, (0.8, 1.0)), point(10, 0.9, (0.8, 1.0))])
    left, right = LEFT + 8, WIDTH - RIGHT - 8
    corners = [(left, TOP), (right, TOP), (right, chart.dots[0].low), (left, chart.dots[0].low)]
    assert chart.band == f"{path([(x, y or 0) for x, y in corners])} Z"
    assert drawn([point(0, 0.9, (0.8, 1.0)), point(10, 0.9)]).band == ""


def test_what_could_not_be_measured_is_a_mark_and_no_zero() -> None:
    chart = drawn([point(0, 0.9), point(7, None), point(14, 0.9)])
    assert len(chart.dots) == 2
    assert [tick.label for tick in chart.missed] == ["day 7"]
    assert chart.missed[0].at == pytest.approx((chart.dots[0].x + chart.dots[1].x) / 2)
    assert chart.ys[0].label != "0.00"


@pytest.mark.parametrize("value", [-1e308, -0.5, 5.0, 1e308])
@pytest.mark.parametrize("share", [True, False])
def test_what_no_axis_could_hold_is_drawn_at_its_edge(value: float, share: bool) -> None:
    chart = drawn([point(0, 0.9), point(7, value, (-1e308, 1e308))], [("healthy", 0.95)], share=share)
    assert all(TOP <= dot.y <= FLOOR for dot in chart.dots)
    assert chart.dots[1].told == "day 7"


def test_numbers_that_are_no_shares_stand_on_a_round_axis_from_zero() -> None:
    chart = drawn([point(0, 6.0), point(7, 19.0)], share=False)
    assert [tick.label for tick in chart.ys] == ["0", "5", "10", "15", "20"]
    assert drawn([point(0, 0.0)], share=False).ys[0].label == "0"


def test_curves_stand_on_powers_of_ten_and_name_the_crossing() -> None:
    lines = [("writing", "one", [1_000.0, 10_000.0]), ("reading", "two", [0.0, 1_000_000.0])]
    chart = curves("c", "a title", [1, 3], lines, 2.0)
    assert [tick.label for tick in chart.ys] == ["1", "100", "10 k", "1 M"]
    assert [tick.label for tick in chart.xs] == ["week 1", "week 3"]
    writing, reading = chart.series
    assert reading.end[1] == pytest.approx(TOP)
    assert reading.path.startswith(f"M{LEFT + 8:.1f} {FLOOR:.1f} ")
    assert writing.end[1] == pytest.approx(FLOOR - (FLOOR - TOP) * 4 / 6)
    assert chart.crossing is not None
    assert chart.crossing.at == pytest.approx((LEFT + WIDTH - RIGHT) / 2)
    assert chart.told == "writing: 10 k by week 3; reading: 1 M by week 3"


def test_one_week_of_nothing_is_drawn_and_crosses_nothing() -> None:
    chart = curves("c", "t", [1], [("writing", "one", [0.0])], None)
    assert chart.crossing is None
    assert chart.series[0].path == ""
    assert chart.series[0].end[1] == pytest.approx(FLOOR)
    assert curves("c", "t", [1], [("writing", "one", [0.0])], 9.0).crossing is None


@pytest.mark.parametrize(
    ("value", "told"), [(0, "0"), (999, "999"), (1_500, "1.5 k"), (2e6, "2 M"), (3e9, "3 G"), (4e12, "4 T")]
)
def test_large_numbers_are_told_shortly(value: float, told: str) -> None:
    assert short(value) == told
