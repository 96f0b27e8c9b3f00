"""What a metric is held to when it is compared: each rule says whether two measurements of it keep it."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

Direction = Literal["higher", "lower"]
Op = Literal["==", ">=", "<="]
PASSED = "pass"
FAILED = frozenset(("fail", "error", "timeout"))
"""What a sample that was tried came to; one that was skipped, or on which a judge abstained, says neither."""
_NEAR = 1e-9
"""A value that was written down and read again is still equal; records keep six digits."""
_COMPARED = {"==": lambda value, bar: abs(value - bar) <= _NEAR, ">=": operator.ge, "<=": operator.le}


@dataclass(frozen=True, slots=True)
class Seen:
    """One side of a comparison: the score, which direction is good, and what became of each sample by its id."""

    value: float | None
    direction: Direction = "higher"
    statuses: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a rule says. `is_kept` is None where it can say nothing, because something was not measured."""

    rule: str
    is_kept: bool | None
    told: str


class Rule(Protocol):
    """A rule of a metric."""

    def judged(self, before: Seen, after: Seen) -> Outcome:
        """What it says of a measurement, with another as its reference."""
        ...


@dataclass(frozen=True, slots=True)
class StatusFlip:
    """No more than so many samples that passed fail now."""

    allowed: int = 0

    def judged(self, before: Seen, after: Seen) -> Outcome:
        """Count them among the samples that were tried both times."""
        rule = f"at most {self.allowed} from pass to fail"
        tried = tried_samples(before.statuses) & tried_samples(after.statuses)
        if not tried:
            return Outcome(rule, None, "no sample was tried both times")
        lost = flipped(before.statuses, after.statuses)
        told = f"{len(lost)} of {len(tried)}" + (f": {', '.join(lost)}" if lost else "")
        return Outcome(rule, len(lost) <= self.allowed, told)


@dataclass(frozen=True, slots=True)
class AbsoluteDrop:
    """The score gets worse by no more than so much: lower where higher is better, higher where lower is."""

    limit: float

    def judged(self, before: Seen, after: Seen) -> Outcome:
        """Compare the scores."""
        rule = f"worse by at most {self.limit:g}"
        if before.value is None or after.value is None:
            return Outcome(rule, None, _unmeasured(before))
        worse = before.value - after.value if after.direction == "higher" else after.value - before.value
        told = f"{before.value:.4g} → {after.value:.4g}"
        return Outcome(rule, worse <= self.limit + _NEAR, told)


@dataclass(frozen=True, slots=True)
class RelativeRise:
    """The value rises by no more than such a part of what it was: 0.5 lets a latency grow by half."""

    limit: float

    def judged(self, before: Seen, after: Seen) -> Outcome:
        """Compare the values; of a rise from nothing, or from below it, no part can be told."""
        rule = f"up by at most {self.limit:.0%}"
        if before.value is None or after.value is None:
            return Outcome(rule, None, _unmeasured(before))
        told = f"{before.value:.4g} → {after.value:.4g}"
        if after.value <= before.value:
            return Outcome(rule, True, told)
        if before.value <= 0:
            return Outcome(rule, None, f"{told}, a rise from nothing")
        return Outcome(rule, after.value - before.value <= self.limit * before.value + _NEAR, told)


@dataclass(frozen=True, slots=True)
class Bar:
    """The score reaches a bar, whatever it was before."""

    op: Op
    value: float

    def judged(self, before: Seen, after: Seen) -> Outcome:
        """Hold the later score to the bar."""
        rule = f"{self.op} {self.value:g}"
        if after.value is None:
            return Outcome(rule, None, "not measured")
        return Outcome(rule, bool(_COMPARED[self.op](after.value, self.value)), f"{after.value:.4g}")


def tried_samples(statuses: Mapping[str, str]) -> frozenset[str]:
    """The ids of those that passed or failed."""
    return frozenset(name for name, status in statuses.items() if status == PASSED or status in FAILED)


def flipped(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[str, ...]:
    """The ids of samples that passed before and fail after, sorted."""
    return tuple(sorted(name for name, status in before.items() if status == PASSED and after.get(name) in FAILED))


def failing(statuses: Mapping[str, str], without: Mapping[str, str]) -> tuple[str, ...]:
    """The ids of samples that fail and that another side has not at all, sorted."""
    return tuple(sorted(name for name, status in statuses.items() if status in FAILED and name not in without))


def _unmeasured(before: Seen) -> str:
    return "the reference was not measured" if before.value is None else "not measured"
