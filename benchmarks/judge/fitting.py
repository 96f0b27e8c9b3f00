"""Logistic regressions over the judge's features, cross-validated with nothing of a test fold seen in training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedGroupKFold

Array = np.ndarray[Any, np.dtype[Any]]
STRENGTHS = (0.03, 0.1, 0.3)
"""Inverse strengths of the L2 penalty to choose from, in an inner cross-validation."""
FOLDS, INNER = 10, 5
PLANTED = "planted"
"""The set of planted errors."""
STEPS, STEP, RIDGE = 2000, 0.5, 0.003


@dataclass(frozen=True)
class Table:
    """Features by name, one row a case; `length` mixes passage and document; `weight` is the same for every set."""

    names: tuple[str, ...]
    by_length: frozenset[str]
    against: frozenset[str]
    """Features of what differs; they may only lower a sum, or raise it where `truth` is that something differs."""
    is_raised: bool
    values: Array
    length: Array
    truth: Array
    sets: Array
    groups: Array

    def rows(self, chosen: Array) -> Table:
        """Some of the cases."""
        parts = (each[chosen] for each in (self.values, self.length, self.truth, self.sets, self.groups))
        return Table(self.names, self.by_length, self.against, self.is_raised, *parts)


@dataclass(frozen=True)
class Fitted:
    """Weights in the features' own units: one, or one for passages and one for documents."""

    weights: Mapping[str, float | list[float]]

    def sums(self, table: Table) -> Array:
        """The weighted sums, as `weighing.Weights.sum` has them."""
        passage, document = (self._side(table, side) for side in (0, 1))
        sums: Array = (1 - table.length) * passage + table.length * document
        return sums

    def _side(self, table: Table, side: int) -> Array:
        chosen = {name: value[side] if isinstance(value, list) else value for name, value in self.weights.items()}
        sums: Array = chosen["intercept"] + table.values @ np.array([chosen[name] for name in table.names])
        return sums


def evened(table: Table) -> Array:
    """Weights by which every set, and within it either side, counts the same; what was planted counts nothing."""
    weight = np.zeros(len(table.truth))
    for name in np.unique(table.sets[table.sets != PLANTED]):
        for side in (False, True):
            mask = (table.sets == name) & (table.truth == side)
            if mask.any():
                weight[mask] = 1 / mask.sum()
    evened: Array = weight / weight.mean()
    return evened


def fit(table: Table, strength: float) -> Fitted:
    """What covers a claim is weighed by readers' labels; what speaks against it by planted errors, on top."""
    readers = table.rows(table.sets != PLANTED)
    base = _fit(readers, strength)
    planted = table.rows(table.sets == PLANTED)
    if not len(planted.truth):
        return base
    against = [at for at, name in enumerate(table.names) if name in table.against]
    sign = -1.0 if table.is_raised else 1.0
    found = sign * _held_down(sign * planted.values[:, against], planted.truth, base.sums(planted))
    raised = {table.names[at]: float(one) for at, one in zip(against, found, strict=True)}
    return Fitted({**base.weights, **raised})


def _held_down(values: Array, truth: Array, sums: Array) -> Array:
    """Weights of at most 0 to add to sums that stand (projected gradient descent, logistic loss, L2)."""
    weights = np.zeros(values.shape[1])
    for _ in range(STEPS):
        off = 1 / (1 + np.exp(-(sums + values @ weights))) - truth
        weights = np.minimum(0.0, weights - STEP * (values.T @ off / len(truth) + RIDGE * weights))
    return weights


def _fit(table: Table, strength: float) -> Fitted:
    columns, places = [table.length], []
    for at, name in enumerate(table.names):
        value = np.zeros(len(table.length)) if name in table.against else table.values[:, at]
        parts = [value * (1 - table.length), value * table.length] if name in table.by_length else [value]
        places.append((name, list(range(len(columns), len(columns) + len(parts)))))
        columns.extend(parts)
    matrix = np.column_stack(columns)
    mean, scale = matrix.mean(axis=0), matrix.std(axis=0)
    scale[scale == 0] = 1
    model = LogisticRegression(C=strength, max_iter=5000)
    model.fit((matrix - mean) / scale, table.truth, sample_weight=evened(table))
    raw = model.coef_[0] / scale
    intercept = float(model.intercept_[0] - (raw * mean).sum())
    kept: dict[str, float | list[float]] = {"intercept": [intercept, intercept + float(raw[0])]}
    for name, columns_of in places:
        kept[name] = float(raw[columns_of[0]]) if len(columns_of) == 1 else [float(raw[one]) for one in columns_of]
    return Fitted(kept)


def folds(table: Table, count: int, seed: int) -> list[tuple[Array, Array]]:
    """Folds that part no group, and keep sets and sides in proportion."""
    strata = [f"{name}{side}" for name, side in zip(table.sets, table.truth, strict=True)]
    return list(StratifiedGroupKFold(count, shuffle=True, random_state=seed).split(table.values, strata, table.groups))


def chosen(table: Table, seed: int) -> float:
    """The strength under which held-out cases are most probable, by an inner cross-validation."""
    parts = folds(table, INNER, seed)
    losses = []
    for strength in STRENGTHS:
        sums = np.zeros(len(table.truth))
        for train, test in parts:
            sums[test] = fit(table.rows(train), strength).sums(table.rows(test))
        loss = np.logaddexp(0, np.where(table.truth, -sums, sums))
        losses.append(float(np.average(loss, weights=evened(table))))
    return STRENGTHS[int(np.argmin(losses))]


def unseen_sums(table: Table, seed: int) -> Array:
    """For each case the sum by weights trained without its fold, the strength chosen without it too."""
    sums = np.zeros(len(table.truth))
    for train, test in folds(table, FOLDS, seed):
        part = table.rows(train)
        sums[test] = fit(part, chosen(part, seed)).sums(table.rows(test))
    return sums


def calibrated(table: Table, sums: Array) -> tuple[float, float]:
    """Slope and offset of Platt's calibration, every set and either side counting the same."""
    model = LogisticRegression(C=1e6, max_iter=5000)
    model.fit(sums.reshape(-1, 1), table.truth, sample_weight=evened(table))
    return float(model.coef_[0][0]), float(model.intercept_[0])


def precise_from(confidence: Sequence[float], right: Sequence[bool], least: float, cases: int) -> float | None:
    """The lowest confidence from which on `least` of at least `cases` votes are right; None if there is none."""
    ordered = sorted(zip(confidence, right, strict=True), reverse=True)
    hits, found = 0, None
    for number, (at, is_right) in enumerate(ordered, 1):
        hits += is_right
        is_last_of_equals = number == len(ordered) or ordered[number][0] != at
        if number >= cases and is_last_of_equals and hits / number >= least:
            found = at
    return found
