"""What it is to have got worse (silas 20.5), as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["pass_to_fail", "judge_drop", "latency", "pass_rate"]
ALPHA = 0.05
"""How often, at most, chance alone makes a suite look worse."""
DROP = 0.1
"""A judge's score that falls by more than this regressed."""
RISE = 0.5
"""A latency that rises by more than this share of itself regressed, if it does by more than the suite's floor."""


@dataclass(frozen=True, slots=True)
class Regression:
    """One case that got worse: passes as shares, a judge's score, or milliseconds, before and now."""

    case_id: str
    kind: Kind
    before: float
    after: float
    told: str


@dataclass(frozen=True, slots=True)
class Tested:
    """A case that may have got worse: `is_worse` says that it did by enough to count, if that is no chance.

    `p` is that of a one-sided test; None where nothing varies that chance could have a say in. `could_show` is false
    where so few repeats could have shown nothing, whatever they had come to.
    """

    found: Regression
    is_worse: bool
    p: float | None = None
    could_show: bool = True
