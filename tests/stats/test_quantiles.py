from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops.stats.quantiles import percentile


def test_of_nothing_there_is_none() -> None:
    assert percentile([], 0.95) is None


@pytest.mark.parametrize(("share", "value"), [(0.0, 1.0), (0.5, 2.5), (0.95, 3.85), (1.0, 4.0)])
def test_between_two_values_it_is_interpolated(share: float, value: float) -> None:
    assert percentile([4, 1, 3, 2], share) == pytest.approx(value, abs=1e-12)


def test_of_one_value_it_is_that_value() -> None:
    assert percentile([7.5], 0.95) == 7.5


@pytest.fixture(scope="module")
def numpy() -> Any:
    return pytest.importorskip("numpy")


@settings(deadline=None)
@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=30), st.sampled_from([0.0, 0.5, 0.95, 1.0]))
def test_it_is_numpy_s(numpy: Any, values: list[float], share: float) -> None:
    assert percentile(values, share) == pytest.approx(float(numpy.quantile(values, share)), rel=1e-9, abs=1e-9)
