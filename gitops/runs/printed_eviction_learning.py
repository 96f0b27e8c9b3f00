"""What `git assay eviction report` and `eviction calibrate` print as JSON: what `git assay schema` tells of it."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict  # pydantic takes typing's own only from Python 3.12 on


class ExclusionRate(TypedDict):
    """Of `n` candidates of so many proposals, `excluded` were kept back; the interval is at 95 %."""

    name: str
    excluded: int
    n: int
    proposals: int
    rate: float | None
    interval: list[float] | None
    mean_score: float | None


class EvictionRemark(TypedDict):
    """A pattern that the interval shows; `of` is the zone or the scope, '' where it is of neither."""

    kind: Literal["zone", "age", "scope"]
    of: str
    told: str


class ResolvedCounts(TypedDict):
    """How many proposals were resolved by whom; those of `auto` are in no rate."""

    llm: int
    user: int
    auto: int


class EvictionReport(TypedDict):
    """How often candidates are kept back (`eviction report`). `drawn_by` is what counts as one draw in intervals."""

    schema: Literal["assay/eviction-report/1"]
    scope: str | None
    resolved: ResolvedCounts
    drawn_by: Literal["proposal", "scope"]
    overall: ExclusionRate
    zones: list[ExclusionRate]
    ages: list[ExclusionRate]
    scores: list[ExclusionRate]
    scopes: list[ExclusionRate]
    scorers: list[ExclusionRate]
    remarks: list[EvictionRemark]


class FeedbackPart(TypedDict):
    """One part of the feedback: candidates, how many were kept back, proposals, scopes."""

    n: int
    excluded: int
    proposals: int
    scopes: int


class PredictionMeasure(TypedDict):
    """A measure of the held part by both sets of weights; `difference` is the second less the first."""

    name: Literal["auroc", "log_loss", "brier"]
    before: float | None
    before_interval: list[float] | None
    after: float | None
    after_interval: list[float] | None
    difference: float | None
    interval: list[float] | None
    reading: Literal["better", "worse", "no_difference_shown"]


class PredictionBand(TypedDict):
    """A fifth of the held part by its score: the mean score, and the share that was kept back."""

    low: float
    high: float
    n: int
    predicted: float
    observed: float
    interval: list[float] | None


class EvictionCalibration(TypedDict):
    """Weights fitted on one part of the feedback and shown on the other (`eviction calibrate`)."""

    schema: Literal["assay/eviction-calibration/1"]
    weights_before: dict[str, float]
    weights_after: dict[str, float]
    toml: str
    fitted: FeedbackPart
    held: FeedbackPart
    split_by: Literal["proposal", "scope"]
    by_time: bool
    seed: int
    measures: list[PredictionMeasure]
    bands_before: list[PredictionBand]
    bands_after: list[PredictionBand]


class EvictionOnline(TypedDict):
    """The weights that online calibration has come to (`eviction calibrate --online`).

    `shown_on` are the suites on which an ablation shows that it does no harm.
    """

    schema: Literal["assay/eviction-online/1"]
    weights_policy: dict[str, float]
    weights_now: dict[str, float]
    followed: FeedbackPart
    shown_on: list[str]
