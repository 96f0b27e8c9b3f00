"""What `git assay benchmark ablation --json` prints: what `git assay schema` tells of it."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import TypedDict  # pydantic takes typing's own only from Python 3.12 on

from gitops.runs.printed_comparison import ComparedMetric


class AblatedVariant(TypedDict):
    """A variant: `overrides` are what its targets were told besides, `calibrated` the digests of its calibrated keys
    by suite; `differing` those keys in which it differs from the control.
    """

    name: str
    commit: str
    is_control: bool
    overrides: dict[str, Any]
    calibrated: dict[str, dict[str, str]]
    differing: list[str]


class AblatedSuite(TypedDict):
    """A suite that all variants were asked: its digest is of all that it says and of its files."""

    suite: str
    version: str
    digest: str
    cases: int


class AblatedScore(TypedDict):
    """A variant in one metric: the mean over its repeats, their standard deviation, the mean's 95 % interval."""

    suite: str
    metric: str
    unit: str
    direction: Literal["higher", "lower"]
    variant: str
    mean: float | None
    spread: float | None
    interval: list[float] | None
    repeats: int


class AblatedHarm(TypedDict):
    """Whether a treatment was shown to do no harm in one metric of a suite.

    `difference` and `interval` (95 %) are over pairs of cases and repeats; `needed` is how many repeats that come out
    alike would show it, null where none would.
    """

    suite: str
    treatment: str
    metric: str
    held: Literal["no_harm", "harm", "cannot_tell"]
    pairs: int
    difference: float | None
    interval: list[float] | None
    needed: int | None
    why: str


class Ablation(TypedDict):
    """An ablation. `compared` calls metrics by suite: `ablation.planner.pass_rate`; `measurements` are ids in the
    notes, whether they were kept or not; `files` are the reports that were written, by their paths.
    """

    schema: Literal["assay/ablation/1"]
    id: str
    workspace: str
    started_at: str
    completed_at: str
    repeats: int
    seed: int
    alpha: float
    margin: float
    is_harmless: bool
    is_kept: bool
    variants: list[AblatedVariant]
    suites: list[AblatedSuite]
    scores: list[AblatedScore]
    compared: list[ComparedMetric]
    harm: list[AblatedHarm]
    remarks: list[str]
    measurements: list[str]
    files: list[str]
