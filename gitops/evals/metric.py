"""What a metric is and what it gives: one shape for all of them, present and to come (alexandria 14)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from gitops.evals.cuts import Cuts, Interval, Status
from gitops.runs.measurements import Measurement, Sample, Uncertain
from gitops.usage import NOTHING, Usage

if TYPE_CHECKING:
    from gitops.evals.subject import Subject

When = Literal["weekly", "monthly", "ingest"]
"""How often a metric is due; `ingest`: after every ingest that landed, and weekly besides."""
_NOTHING = "nothing_to_measure"
"""Among the details of a measurement: there is nothing of what the metric measures."""


@dataclass(frozen=True, slots=True)
class MetricResult:
    """One number, or why there is none, and all that it was taken from.

    `score` is None where the status is `not_measured`, and `reason` then says why; and where what was measured has no
    number yet (M4 without a crossover, whose status is `healthy` and whose `reason` says so). `n` is the number of
    samples that the score rests on: those that were not judged are among `samples` and not in `n`. `counts` are whole
    numbers by name, `details` what a reader wants to see beside the number (the worst cases, a curve), `instrument`
    what it was measured with, so far as that is not the same for every metric: the digest of the sample drawn, the
    gold's, judges.
    `subject` is what was measured besides the wiki (the model that answers).
    """

    score: float | None
    status: Status
    n: int = 0
    interval: Interval | None = None
    reason: str = ""
    uncertain: Uncertain | None = None
    samples: tuple[Sample, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    details: Mapping[str, Any] = field(default_factory=dict)
    instrument: Mapping[str, Any] = field(default_factory=dict)
    subject: Mapping[str, Any] = field(default_factory=dict)
    used: Usage = NOTHING


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric: what it is called, when it is due, how its scores are read, and the one function that computes it.

    `version` rises when the same wiki gets another number. `unit` is `share` for what is counted of so many, `product`
    for the product of means, else what the score counts (`week`). Without `cuts` it is informational. `compute` only
    reads: it records nothing, and knows nothing of schedules.
    """

    title: str
    version: int
    when: When
    compute: Callable[[Subject], MetricResult]
    unit: str = "share"
    direction: Literal["higher", "lower"] = "higher"
    cuts: Cuts | None = None
    asks: Literal["", "claims", "pairs"] = ""
    """What judges vote on, if they do: how right they are on such cases then stands beside the score."""

    @property
    def is_judged(self) -> bool:
        """Whether judges vote."""
        return bool(self.asks)


def not_measured(reason: str, **more: Any) -> MetricResult:
    """A result without a number; `more` are other fields of the result."""
    return MetricResult(None, "not_measured", reason=reason, **more)


def nothing_to_measure(reason: str, details: Mapping[str, Any] = MappingProxyType({}), **more: Any) -> MetricResult:
    """The same where the wiki has none of what the metric measures: no failure, and nothing to be mended."""
    return not_measured(reason, details={**details, _NOTHING: True}, **more)


def could_not_be_measured(measurement: Measurement) -> bool:
    """Has a measurement of one metric no number, although there was something to measure?"""
    is_measured = measurement.metrics[measurement.suite].status != "not_measured"
    return not is_measured and not measurement.details.get(_NOTHING)
