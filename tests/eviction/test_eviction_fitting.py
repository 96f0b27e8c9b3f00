from __future__ import annotations

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import approx_fprime
from sklearn.linear_model import LogisticRegression

from gitops.eviction import fitting
from gitops.eviction.features import rows
from gitops.eviction.heuristic import BUILT_IN, FEATURES
from tests.eviction.resolutions import many


def drawn(seed: int, count: int = 300, width: int = 4) -> tuple[numpy.ndarray, numpy.ndarray]:
    draw = numpy.random.default_rng(seed)
    matrix = draw.normal(size=(count, width))
    chances = 1 / (1 + numpy.exp(-matrix @ draw.normal(size=width)))
    return matrix, (draw.random(count) < chances).astype(float)


@given(st.integers(0, 10_000), st.floats(0.01, 100))
@settings(max_examples=40, deadline=None)
def test_the_gradient_is_the_slope_of_the_loss(seed: int, strength: float) -> None:
    matrix, labels = drawn(seed, 50)
    draw = numpy.random.default_rng(seed + 1)
    weights, centre = draw.normal(size=4), draw.normal(size=4)
    arguments = (matrix, labels, centre, strength)

    def value(at: numpy.ndarray) -> float:
        return fitting.loss(at, *arguments)[0]

    slope = approx_fprime(weights, value, 1e-6)
    assert fitting.loss(weights, *arguments)[1] == pytest.approx(slope, rel=1e-3, abs=1e-3 * (1 + strength))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("strength", [0.1, 1.0, 20.0])
def test_about_nought_it_is_scikit_learns_regression(seed: int, strength: float) -> None:
    matrix, labels = drawn(seed)
    theirs = LogisticRegression(C=1 / strength, fit_intercept=False, tol=1e-10, max_iter=10_000).fit(matrix, labels)
    assert fitting.minimum(matrix, labels, numpy.zeros(4), strength) == pytest.approx(theirs.coef_[0], abs=1e-4)


def test_what_the_feedback_says_nothing_of_stays_as_it_is() -> None:
    found = fitting.fit(rows(many(40, 50, "workspace")), BUILT_IN)
    assert (found.memory, found.memory_age, found.chronicle, found.references) == (
        BUILT_IN.memory,
        BUILT_IN.memory_age,
        BUILT_IN.chronicle,
        BUILT_IN.references,
    )
    assert found.workspace > BUILT_IN.workspace


def test_little_feedback_moves_little_and_none_nothing() -> None:
    assert fitting.fit(rows(many(1, 1)), BUILT_IN).chronicle == pytest.approx(BUILT_IN.chronicle, abs=0.5)
    matrix = numpy.zeros((0, len(FEATURES)))
    centre = numpy.array(BUILT_IN.values)
    assert fitting.minimum(matrix, numpy.zeros(0), centre) == pytest.approx(centre)


def test_labels_that_are_parted_cleanly_do_not_run_away() -> None:
    found = fitting.fit(rows([*many(200, 200, "memory"), *many(0, 200, "workspace")]), BUILT_IN)
    assert 1 < found.memory < 10
    assert -10 < found.workspace < 0
