"""Weights fitted to what was kept back: logistic regression, drawn towards the weights there are.

The loss is the negative log likelihood and a penalty on how far each weight moves,

    Σ log(1 + exp(zᵢ)) - yᵢ zᵢ  +  strength / 2 · Σ (wⱼ - w⁰ⱼ)²,    zᵢ = Σ wⱼ xᵢⱼ,

which is convex, with one minimum: the posterior mode of a normal prior around the present weights w⁰ (ridge regression,
le Cessie and van Houwelingen, Applied Statistics 41 (1992), 191-201, about w⁰ in place of 0). So what the feedback says
nothing of stays as it is, and little feedback moves little.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gitops.errors import CannotRun
from gitops.eviction.features import Row
from gitops.eviction.heuristic import FEATURES, MOST, Weights
from gitops.eviction.predicting import scipy_is_there

STRENGTH = 1.0
"""A prior of standard deviation 1: to move a weight by 1 takes evidence."""
_DIGITS = 4
"""What a person puts into a file, and reads in a difference."""


def fit(rows: Sequence[Row], present: Weights, strength: float = STRENGTH) -> Weights:
    """The weights that foretell best what was kept back, rounded to four digits.

    CannotRun where SciPy is not installed, or where no minimum was found.
    """
    scipy_is_there()
    import numpy

    matrix = numpy.array([row.features for row in rows], dtype=float)
    labels = numpy.array([row.is_excluded for row in rows], dtype=float)
    found = minimum(matrix, labels, numpy.array(present.values), strength)
    named = dict(zip(FEATURES, (round(float(value), _DIGITS) for value in found), strict=True))
    return Weights.of(named)


def minimum(matrix: Any, labels: Any, centre: Any, strength: float = STRENGTH) -> Any:
    """Where the loss is least, by L-BFGS-B (Zhu et al. 1997) within the bounds of a weight.

    `matrix` has a row of features for each label (0 or 1), `centre` is where the weights are drawn to.
    """
    from scipy.optimize import minimize

    done = minimize(
        loss,
        centre,
        (matrix, labels, centre, strength),
        method="L-BFGS-B",
        jac=True,
        bounds=[(-MOST, MOST)] * len(centre),
        options={"maxiter": 1000, "ftol": 1e-12, "gtol": 1e-8},
    )
    if not done.success:
        raise CannotRun(f"the weights could not be fitted: {done.message}", "git assay eviction export, and look at it")
    return done.x


def loss(weights: Any, matrix: Any, labels: Any, centre: Any, strength: float) -> tuple[float, Any]:
    """The loss at some weights, and its gradient."""
    import numpy
    from scipy.special import expit

    logits, moved = matrix @ weights, weights - centre
    value = (numpy.logaddexp(0, logits) - labels * logits).sum() + strength / 2 * moved @ moved
    return float(value), matrix.T @ (expit(logits) - labels) + strength * moved
