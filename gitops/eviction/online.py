"""Calibration online (silas 19.4): weights that follow rolling statistics of what is kept back, a little at a time.

After every few proposals that were resolved, the last so many are looked at together. For each feature the sum of what
was kept back less what was foretold says which way its weight is wrong; it takes one step that way, but never more than
`step`, and never further than `reach` from the weight that the policy has, to which it is drawn besides as in
`fitting.py`. All weights move at once, so each step is divided by what all features together may add to the curvature
of the loss: then the steps together do not overshoot (separable surrogates, De Pierro 1995). Small windows are what has
to be feared: weights that follow one conversation are wrong for the next.

The weights are a function of the policy and the feedback. Nothing else is kept, and anybody comes to the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from gitops.eviction.features import Row, first_seen
from gitops.eviction.fitting import STRENGTH
from gitops.eviction.heuristic import Weights

_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Rolling:
    """How weights follow: by the last `window` proposals, after `every` so many, `step` at most, `reach` in all.

    Nothing moves before the window holds `least` candidates. `memory` is how many proposals are followed at all.
    """

    window: int = 200
    every: int = 10
    step: float = 0.1
    reach: float = 3.0
    least: int = 100
    memory: int = 1000


def followed(rows: Sequence[Row], policy: Weights, rolling: Rolling = Rolling()) -> Weights:
    """The weights after all feedback, in the order in which it came: each proposal's rows one after another.

    An item that was proposed before says nothing new (see `features.first_seen`).
    """
    first = first_seen(rows)
    proposals = [list(group) for _, group in groupby(first, key=lambda row: row.proposal)][-rolling.memory :]
    present = policy
    for end in range(rolling.every, len(proposals) + 1, rolling.every):
        window = [row for each in proposals[max(0, end - rolling.window) : end] for row in each]
        if len(window) >= rolling.least:
            present = adjusted(window, present, policy, rolling)
    return present


def adjusted(window: Sequence[Row], present: Weights, policy: Weights, rolling: Rolling = Rolling()) -> Weights:
    """The weights after one step, by the rows of a window."""
    told = [(row.features, row.predicted(present), row.is_excluded) for row in window]
    curved = [(values, chance * (1 - chance) * sum(map(abs, values))) for values, chance, _ in told]
    named = {}
    for at, (name, weight) in enumerate(present.named().items()):
        start = policy.named()[name]
        wrong = sum((kept - chance) * values[at] for values, chance, kept in told) - STRENGTH * (weight - start)
        most = sum(abs(values[at]) * by for values, by in curved) + STRENGTH
        step = _within(wrong / most, rolling.step)
        named[name] = round(start + _within(weight + step - start, rolling.reach), _DIGITS)
    return Weights.of(named)


def _within(value: float, most: float) -> float:
    return max(-most, min(most, value))
