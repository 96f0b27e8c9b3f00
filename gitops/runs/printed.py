"""The shapes that `--json` prints beside the records themselves: what `git assay schema` tells of them."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import TypedDict  # pydantic takes typing's own only from Python 3.12 on

from gitops.config import RunType
from gitops.runs.records import Operation
from gitops.runs.records import Status as RunStatus
from gitops.verify.finding import Finding
from gitops.verify.verdict import Verdict


class Transition(TypedDict):
    """One transition of a run."""

    status: RunStatus
    at: str
    reason: str


class ListedRun(TypedDict):
    """A run with its plan and transitions."""

    schema: Literal["assay/run-show/1"]
    run_id: str
    workspace: str
    run_type: RunType
    triggered_by: str
    status: RunStatus
    verdict_decision: str | None
    reason: str
    started_at: str
    ended_at: str | None
    target: str
    base: str
    root: str
    head: str
    candidate: str | None
    commit: str | None
    branch: str
    sources: list[str]
    loop_count: int
    unverified: bool
    draft_only: bool
    adopted: bool
    used: dict[str, float]
    spent: dict[str, dict[str, float]]
    plan: list[Operation] | None
    states: list[Transition]


class ShownRun(ListedRun):
    """The same with its verdict, and who signed that (`run show`)."""

    verdict: Verdict | None
    signed_by: str | None


class RunList(TypedDict):
    """Runs, newest first (`run list`)."""

    schema: Literal["assay/run-list/1"]
    runs: list[ListedRun]


class Finished(TypedDict):
    """What came of finishing a run, or of overriding its verdict."""

    schema: Literal["assay/run-finish/1"]
    result: Literal["landed", "rejected", "revise", "not_landed", "draft", "would_land"]
    run_id: str
    status: RunStatus
    commit: str | None
    candidate: str | None
    verdict: Verdict | None
    signed_by: str | None
    findings: list[Finding]


class NoVerdict(TypedDict):
    """Nothing was decided (exit 3, or 4 where a gate is closed): why, what mends it, and how the run stands.

    It waits, or was abandoned.
    """

    schema: Literal["assay/run-finish/1"]
    result: Literal["no_verdict", "abandoned"]
    error: str
    hint: str
    run_id: str | None
    status: RunStatus | None


class Verdicts(TypedDict):
    """The verdicts on what is staged, where there is not exactly one workspace (`verify --staged`)."""

    schema: Literal["assay/verdicts/1"]
    verdicts: list[Verdict]


class VerifiedVerdict(TypedDict):
    """The verdict on a commit, and whether it and its signature hold (`verdict show`, `verdict verify`).

    `valid` is null where nobody signed and the policy asks nobody to.
    """

    schema: Literal["assay/verdict-verify/1"]
    commit: str
    verdict: Verdict
    valid: bool | None
    problem: str | None
    signed_by: str | None
    statement: dict[str, Any] | None


class InvalidVerdict(TypedDict):
    """A commit whose verdict does not hold, and why."""

    commit: str
    problem: str


class VerifiedVerdicts(TypedDict):
    """The verdicts of many commits (`verdict verify A..B`, `--all`), the oldest first.

    `unsigned` are those that nobody signed and nobody had to; `without_verdict` are commits of people.
    """

    schema: Literal["assay/verdicts-verify/1"]
    range: str
    valid: int
    invalid: list[InvalidVerdict]
    unsigned: int
    signed_by: dict[str, int]
    without_verdict: list[str]


class Log(TypedDict):
    """Verdicts, newest first (`log`)."""

    schema: Literal["assay/log/1"]
    verdicts: list[Verdict]
    signed_by: dict[str, str]
    """By the id of a verdict who signed it; those whose signature holds alone."""


class Brief(TypedDict):
    """A run in a few words."""

    run_id: str
    status: RunStatus
    run_type: RunType
    verdict: str | None
    unverified: bool
    draft_only: bool
    started_at: str
    reason: str


class Override(TypedDict):
    """A landing against the verdict."""

    run_id: str
    commit: str
    reasoning: str


class MetricAck(TypedDict):
    """Who lets work go on though a metric is broken, and why."""

    by: str
    at: str
    reason: str


class MetricStanding(TypedDict):
    """What a metric says of a wiki by its last measurement: what it holds up, what mends it."""

    workspace: str
    metric: str
    score: float | None
    status: str
    uncertain: bool
    measured_at: str
    commit: str
    blocks: list[str]
    mend: str | None
    ack: MetricAck | None


class Status(TypedDict):
    """How things stand (`status`)."""

    schema: Literal["assay/status/1"]
    counts: dict[RunStatus, int]
    open: list[Brief]
    unverified: list[Brief]
    overrides: list[Override]
    stray_branches: list[str]
    last_committed: Brief | None
    undone: list[Brief]
    metrics: list[MetricStanding]
    floor: list[str]
    signed: bool


class Symptom(TypedDict):
    """Something that is or was wrong; `mend` is what to do, if it is not mended."""

    what: str
    mend: str
    mended: bool


class Doctor(TypedDict):
    """What is wrong (`doctor`)."""

    schema: Literal["assay/doctor/1"]
    symptoms: list[Symptom]


class Raw(TypedDict):
    """What an intake did (`raw add`, `raw sync`)."""

    schema: Literal["assay/raw/1"]
    commit: str | None
    paths: list[str]
    removed: list[str]
    signed_by: str | None


class Lint(TypedDict):
    """What a lint of one workspace found (`lint`); `rev` is null for a tree that is not committed."""

    schema: Literal["assay/lint/1"]
    workspace: str
    rev: str | None
    tree: str
    policy: str
    counts: dict[str, int | None]
    findings: list[Finding]


class Lints(TypedDict):
    """The lints of several workspaces."""

    schema: Literal["assay/lints/1"]
    lints: list[Lint]
