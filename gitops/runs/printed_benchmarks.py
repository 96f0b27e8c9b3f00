"""What `git assay benchmark report|compare|baseline|list --json` prints: what `git assay schema` tells of it."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict  # pydantic takes typing's own only from Python 3.12 on

from gitops.runs.feedback import Baseline
from gitops.runs.printed_comparison import ComparedMetric

Rate = list[int]
"""How many of the repeats that tried it a case passed, and how many tried it."""


class BenchmarkRegression(TypedDict):
    """A case that got worse: passes as shares, a judge's score, or milliseconds, before and after."""

    case_id: str
    kind: Literal["pass_to_fail", "judge_drop", "latency", "pass_rate"]
    before: float
    after: float
    told: str


class FlakyCase(TypedDict):
    """How often a case passed that differed between the repeats of the baseline; null where it was not tried now."""

    before: Rate
    now: Rate | None


class BenchmarkFindings(TypedDict):
    """What became of a suite's cases since the baseline.

    `lost` are those that passed and are no longer judged, with why; `changed` those that ask or expect something else,
    `new` those that the baseline has not, `doubtful` those that came out worse by no more than chance may do.
    """

    regressions: list[BenchmarkRegression]
    lost: dict[str, str]
    changed: list[str]
    new: list[str]
    flaky: dict[str, FlakyCase]
    doubtful: dict[str, str]
    remarks: list[str]


class HeldToBaseline(BenchmarkFindings):
    """The baseline that a run is held to, and what became of the cases. `is_itself`: the run is the baseline."""

    run_id: str
    told: str
    source: Literal["record", "file"]
    measured_at: str
    is_itself: bool


class ReportedCase(TypedDict):
    """A case that did not pass in every repeat, by the first repeat that came to its worst."""

    case: str
    passed: int
    tried: int
    category: str
    reason: str
    difficulty: str
    source: str
    tags: list[str]


class ReportedGroup(TypedDict):
    """The cases of one difficulty or with one tag; the interval (95 %) is of their pass rate."""

    by: Literal["difficulty", "tag"]
    name: str
    cases: int
    passed: int
    tried: int
    interval: list[float] | None


class SuiteSummary(TypedDict):
    """All results of all repeats together; null for what there is nothing to count."""

    pass_rate: float | None
    mean_latency_ms: float | None
    p95_latency_ms: float | None
    total_token_cost: int
    mean_quality_score: float | None
    failure_categories: dict[str, int]


class RatedCase(TypedDict):
    """A case of which judge and person say different things."""

    suite: str
    case: str
    repeat: int
    judge: str
    human: str
    score: float


class JudgeAgreement(TypedDict):
    """How far judge and persons agree: the share and Cohen's kappa with 95 % intervals; null, and why, where nothing
    can be said.
    """

    n: int
    agreed: int
    share: float | None
    share_interval: list[float] | None
    kappa: float | None
    kappa_interval: list[float] | None
    why: str
    differing: list[RatedCase]


class ReportedRun(TypedDict):
    """A run of one suite. `passed` and `tried` count every repeat; `interval` (95 %) takes a case as tried once.

    `baseline` is null where nobody has accepted a run.
    """

    run_id: str
    suite: str
    suite_version: str
    agent: str
    workspace: str
    commit: str
    variant: str
    repeats: int
    is_timed: bool
    cases: int
    passed: int
    tried: int
    interval: list[float] | None
    summary: SuiteSummary
    usd: float
    groups: list[ReportedGroup]
    failures: list[ReportedCase]
    skipped: list[ReportedCase]
    flaky: dict[str, Rate]
    agreement: JudgeAgreement
    baseline: HeldToBaseline | None
    skills_without_benchmarks: list[str]


class BenchmarkReport(TypedDict):
    """What `benchmark report` tells: a report for each suite that the run, the revision or the file holds."""

    schema: Literal["assay/benchmark-report/1"]
    reports: list[ReportedRun]


class ComparedSuite(BenchmarkFindings):
    """A suite that both sides ran, the ids of the runs, and what became of its cases from a to b."""

    suite: str
    a: str
    b: str


class BenchmarkCompare(TypedDict):
    """Two sides compared: by the engine, metric by metric, and by the rules of what regressed, case by case."""

    schema: Literal["assay/benchmark-compare/1"]
    run_a: str
    run_b: str
    alpha: float
    compared: list[ComparedMetric]
    suites: list[ComparedSuite]
    remarks: list[str]


class BenchmarkAccepted(TypedDict):
    """The record of an accepted run, the file that it was written to (null for none), and what to know of it."""

    schema: Literal["assay/benchmark-baseline/1"]
    baseline: Baseline
    exported: str | None
    remarks: list[str]


class ListedCase(TypedDict):
    """A case of a suite."""

    case_id: str
    description: str
    difficulty: str
    source: str
    tags: list[str]
    mode: str


class ListedRun(TypedDict):
    """A run of a suite that was kept; `passed` and `tried` count every repeat."""

    run_id: str
    suite: str
    suite_version: str
    variant: str
    commit: str
    completed_at: str
    repeats: int
    passed: int
    tried: int
    pass_rate: float | None


class ListedBaseline(TypedDict):
    """Which run a suite is held to."""

    run_id: str
    source: Literal["record", "file"]
    measured_at: str


class ListedSuite(TypedDict):
    """A suite with its newest run and its baseline; null for what there is none of."""

    suite: str
    version: str
    name: str
    agent: str
    folder: str
    skill: str
    cases: list[ListedCase]
    newest: ListedRun | None
    baseline: ListedBaseline | None


class BenchmarkList(TypedDict):
    """The suites of a workspace at a commit, what is wrong with others, and the runs that were kept, newest first."""

    schema: Literal["assay/benchmark-list/1"]
    suites: list[ListedSuite]
    faults: list[str]
    skills_without_benchmarks: list[str]
    runs: list[ListedRun]
