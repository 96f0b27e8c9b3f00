"""Means over repeats, as SciPy and NumPy have them."""

from __future__ import annotations

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from gitops.stats.repeated import mean


@given(st.lists(st.floats(0, 1_000), min_size=2, max_size=12))
def test_mean_spread_and_interval_are_those_of_scipy(values: list[float]) -> None:
    found = mean(values)
    assert found is not None
    assert found.value == pytest.approx(float(numpy.mean(values)))
    assert found.spread == pytest.approx(float(numpy.std(values, ddof=1)), abs=1e-9)
    assert found.interval is not None
    error = float(numpy.std(values, ddof=1)) / len(values) ** 0.5
    if error > 1e-9:
        expected = stats.t.interval(0.95, len(values) - 1, float(numpy.mean(values)), error)
        assert found.interval == pytest.approx(expected)


def test_one_repeat_says_nothing_of_the_others_and_none_says_nothing() -> None:
    assert mean([]) is None
    one = mean([0.5])
    assert one is not None
    assert (one.value, one.repeats, one.spread, one.interval) == (0.5, 1, None, None)
