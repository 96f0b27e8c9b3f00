"""A score of rows: its value, its linear part, and the same from sums."""

from __future__ import annotations

from math import isnan

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.stats.bootstrap import product_of_means
from gitops.stats.statistic import MEANS, RATIO, TOTAL, Row, Statistic

pairs = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)).map(lambda two: (float(two[0]), float(sum(two)))))
Three = pytest.mark.parametrize("statistic", [MEANS, RATIO, TOTAL], ids=lambda one: type(one).__name__)


def test_micro_is_no_macro() -> None:
    rows = [(1.0, 2.0), (8.0, 8.0), (0.0, 0.0)]
    assert RATIO.value(rows) == 0.9
    assert MEANS.value([(0.5,), (1.0,)]) == 0.75
    assert TOTAL.value([(2.0,), (0.0,), (1.0,)]) == 3


@given(pairs)
def test_a_ratio_is_told_by_the_sums_alone(rows: list[Row]) -> None:
    over, under = (sum(column) for column in zip(*rows, strict=True)) if rows else (0, 0)
    assert RATIO.is_defined(rows) == (under > 0)
    assert RATIO.is_bounded(rows)
    if under:
        assert RATIO.value(rows) == pytest.approx(over / under)
    else:
        with pytest.raises(ValueError, match="no ratio to nothing"):
            RATIO.value(rows)


@Three
@given(rows=pairs.filter(lambda rows: sum(under for _, under in rows) > 0))
def test_sums_of_columns_give_the_same_value(statistic: Statistic, rows: list[Row]) -> None:
    taken = [row[:1] for row in rows] if statistic is TOTAL else rows
    sums = numpy.array([[*(sum(column) for column in zip(*taken, strict=True)), len(taken)]] * 2)
    assert statistic.of_sums(sums).tolist() == pytest.approx([statistic.value(taken)] * 2)


@Three
@given(rows=pairs.filter(lambda rows: sum(under for _, under in rows) > 0))
def test_parts_are_the_slope_of_the_score_and_add_up_to_nothing(statistic: Statistic, rows: list[Row]) -> None:
    taken = [row[:1] for row in rows] if statistic is TOTAL else rows
    parts = statistic.parts(taken)
    assert sum(parts) == pytest.approx(0, abs=1e-9)
    # A row is weighed by a millionth more: the score moves by its part, and by a total's mean besides.
    little = 1e-6
    for at, row in enumerate(taken):
        heavier = numpy.array([[*(sum(column) for column in zip(*taken, strict=True)), len(taken)]], dtype=float)
        heavier += little * numpy.array([*row, 1.0])
        slope = (statistic.of_sums(heavier)[0] - statistic.value(taken)) / little
        centre = statistic.value(taken) / len(taken) if statistic is TOTAL else 0
        assert slope == pytest.approx(parts[at] + centre, abs=1e-3)


def test_what_a_side_has_not_adds_nothing_to_a_ratio_and_counts_as_none_in_a_total() -> None:
    assert RATIO.parts([(1.0, 2.0), None, (3.0, 4.0)]) == pytest.approx([-1 / 18, 0, 1 / 18])
    assert TOTAL.parts([(3.0,), None]) == [1.5, -1.5]


def test_of_sums_that_have_nothing_below_the_line_there_is_no_ratio() -> None:
    found = RATIO.of_sums(numpy.array([[1.0, 2.0, 3.0], [0.0, 0.0, 3.0], [1e-17, 1e-17, 3.0]]))
    assert found[0] == 0.5
    assert all(map(isnan, found[1:]))


def test_more_above_the_line_than_below_it_is_not_bounded() -> None:
    assert not RATIO.is_bounded([(3.0, 2.0)])
    assert not TOTAL.is_bounded([(0.0,)])
    assert not MEANS.is_bounded([(1.5,)])


def test_a_product_is_that_of_the_bootstrap() -> None:
    rows = [(0.2, 0.9), (0.4, 0.1)]
    assert MEANS.value(rows) == product_of_means(rows)
    with pytest.raises(ValueError, match="no mean of nothing"):
        MEANS.value([])
    assert not MEANS.is_defined([])
    assert not TOTAL.is_defined([])
