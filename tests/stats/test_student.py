"""Quantiles of Student's t, as SciPy has them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from gitops.stats.student import student


@given(st.integers(1, 5_000), st.floats(1e-5, 0.45))
def test_quantiles_are_those_of_scipy(degrees: int, tail: float) -> None:
    assert student(degrees, tail) == pytest.approx(float(stats.t.isf(tail, degrees)), rel=1e-7)


@pytest.mark.parametrize(("degrees", "expected"), [(1, 12.7062), (2, 4.3027), (4, 2.7764), (30, 2.0423), (10**9, 1.96)])
def test_by_the_table(degrees: int, expected: float) -> None:
    assert student(degrees) == pytest.approx(expected, abs=5e-5)
