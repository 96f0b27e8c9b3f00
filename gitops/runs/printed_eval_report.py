"""What `git assay eval report --json` prints: what `git assay schema` tells of it."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import TypedDict  # pydantic takes typing's own only from Python 3.12 on

from gitops.runs.gates import Operation
from gitops.runs.measurements import Measurement


class Cut(TypedDict):
    """From which score on a metric is healthy, and from which on degraded."""

    healthy: float
    degraded: float


class Straddled(TypedDict):
    """The cut that the interval holds, and the sample that would settle it; null where none would, or none is known."""

    cut: float
    settled_by: int | None


class NotMeasured(TypedDict):
    """The last attempt, where nothing could be measured."""

    at: str
    commit: str
    reason: str


class Published(TypedDict):
    """How right a judge is on a set of labelled cases."""

    set: str
    n: int
    balanced_accuracy: float
    interval: list[float]


class VotingJudge(TypedDict):
    """A judge that voted; `published` is empty where it was never measured in this version."""

    id: str
    version: str
    published: list[Published]


class Point(TypedDict):
    """A measurement of the time that is reported."""

    at: str
    commit: str
    measurement: str
    score: float | None
    status: str
    n: int
    interval: list[float] | None


class ReportedMetric(TypedDict):
    """How a metric stands. `trend` has the last number of each of the last four weeks, null for a week without one.

    `next` is when it is due, `due` why it is due now, '' where it is not. `signed_by` is who signed the measurement, ''
    for nobody, null where nobody has to. `acknowledged` is the ack's record.
    """

    id: str
    title: str
    unit: str
    score: float | None
    status: Literal["healthy", "degraded", "broken", "not_measured"]
    n: int
    interval: list[float] | None
    uncertain: Straddled | None
    cuts: Cut | None
    counts: dict[str, int]
    measured_at: str | None
    measurement: str | None
    commit: str | None
    not_measured: NotMeasured | None
    next: str | None
    due: str
    blocks: list[Operation]
    signed_by: str | None
    acknowledged: dict[str, Any] | None
    mend: str
    judges: list[VotingJudge]
    trend: list[float | None]
    series: list[Point]


class Synthesis(TypedDict):
    """Whether scheduled synthesis may run, and which metrics keep it off because they were never healthy."""

    enabled: bool
    frozen_by: list[str]


class EvalReport(TypedDict):
    """How the metrics of a workspace stand (`eval report`). `held` says what is held up, and by which metrics.

    `floor` is a warning about the preset that writes, '' where there is none. `details` has the whole measurement that
    speaks for each metric whose cases were asked for. `ack_signers` says who signed which ack, by its id: '' for one
    that does not count because nobody did; null where nobody has to.
    """

    schema: Literal["assay/eval-report/1"]
    workspace: str
    commit: str
    at: str
    since: str
    metrics: list[ReportedMetric]
    held: dict[str, list[str]]
    synthesis: Synthesis
    floor: str
    acks: list[dict[str, Any]]
    ack_signers: dict[str, str] | None
    details: dict[str, Measurement]
