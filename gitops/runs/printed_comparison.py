"""What `git assay eval compare --json` prints: what `git assay schema` tells of it."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import TypedDict  # pydantic takes typing's own only from Python 3.12 on


class ComparedSide(TypedDict):
    """One side: as it was asked for, its commit where it is one, and the ids of the measurements by metric."""

    name: str
    commit: str | None
    measurements: dict[str, list[str]]


class ComparedScore(TypedDict):
    """The score of one side: the mean over its repeats, their standard deviation where there are several.

    `samples` are those that can be paired; `status` and `interval` (95 %) are those of the last repeat.
    """

    name: str
    value: float | None
    spread: float | None
    repeats: int
    samples: int
    status: str | None
    interval: list[float] | None


class PairedTest(TypedDict):
    """What the samples that both sides have tell; `units` are independent of one another, `moved` of which differ."""

    pairs: int
    units: int
    moved: int
    first: float
    second: float
    difference: float
    interval: list[float] | None
    test: Literal["mcnemar", "permutation"]
    p: float
    detectable: float | None


class UnpairedSamples(TypedDict):
    """The samples that one side alone has, and their score."""

    samples: int
    value: float | None


class FlippedSample(TypedDict):
    """A sample that passes on one side and fails on the other, or is new and fails; `told` is its place and words."""

    id: str
    told: str


class DifferingValue(TypedDict):
    """Something that one side has otherwise than the other; null where a side lacks it."""

    name: str
    reference: Any
    other: Any


class RuleOutcome(TypedDict):
    """What a rule says; `is_kept` is null where something was not measured."""

    rule: str
    is_kept: bool | None
    told: str


class ComparedMetric(TypedDict):
    """One metric of one side beside the reference.

    `difference` is of the whole scores, null where they are not compared (`why`, `differing`), and so are `interval`
    (95 %), `p`, `moved` and `detectable`; `adjusted_p` is what alpha is compared with, after Holm's correction for all
    tests of the comparison in which enough units moved for p to come to alpha; of the others it is p itself. `paired`
    says what those samples tell that both sides have.
    """

    metric: str
    direction: Literal["higher", "lower"]
    reference: ComparedScore
    other: ComparedScore
    reading: Literal["better", "worse", "no_difference_shown", "not_tested", "not_compared"]
    why: str
    difference: float | None
    interval: list[float] | None
    test: Literal["mcnemar", "permutation"] | None
    p: float | None
    adjusted_p: float | None
    moved: int | None
    detectable: float | None
    paired: PairedTest | None
    only_reference: UnpairedSamples
    only_other: UnpairedSamples
    lost: list[FlippedSample]
    won: list[FlippedSample]
    new_and_failing: list[FlippedSample]
    differing: list[DifferingValue]
    subject: list[DifferingValue]
    rules: list[RuleOutcome]


class EvalCompare(TypedDict):
    """A comparison: its sides, the first of which is the reference, and each metric of each further one."""

    schema: Literal["assay/eval-compare/1"]
    alpha: float
    sides: list[ComparedSide]
    compared: list[ComparedMetric]
