"""What one check of a change came to, as it is printed, written, and carried from one CI job to another."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from gitops.runs.printed_ci_benchmarks import SuiteRow, UnablatedRow
from gitops.runs.printed_ci_extraction import ExtractionAnswer
from gitops.runs.printed_ci_values import Commit as Commit
from gitops.runs.printed_ci_values import Moment as Moment
from gitops.runs.printed_ci_values import Number as Number
from gitops.runs.printed_ci_values import Outcome as Outcome
from gitops.runs.printed_ci_values import Part as Part
from gitops.runs.printed_ci_values import Text as Text

MetricVerdict = Literal["regressed", "improved", "within noise", "not comparable", "no data"]


class Line(Part):
    """One finding that the change brings in."""

    check: Text
    level: Literal["error", "warning", "note"]
    result: Text
    path: Text = ""
    line: Annotated[int, Field(ge=0)] = 0
    message: Text
    mend: Text = ""


class MetricRow(Part):
    """One metric at the base and at the head. Not measured is null, never zero."""

    metric: Text
    unit: Text = ""
    direction: Literal["higher", "lower"]
    base: Number | None
    head: Number | None
    delta: Number | None = None
    interval: tuple[Number, Number] | None = None
    """The 95 % interval of the delta."""
    p: Number | None = None
    """Adjusted for all tests of the comparison (Holm)."""
    limit: Text = ""
    """What the metric is held to, in words (`>= 0.80`); empty where it gates nothing."""
    verdict: MetricVerdict
    gated: bool = False
    """Whether the job fails by it."""
    why: Text = ""
    """Why it was not compared, or why it fails."""
    trend: Annotated[tuple[Number | None, ...], Field(max_length=12)] = ()
    """The scores of the last commits measured, the oldest first, the head's own last."""


class Samples(Part):
    """How many samples stand on both sides, and how many on one."""

    paired: Annotated[int, Field(ge=0)] = 0
    added: Annotated[int, Field(ge=0)] = 0
    removed: Annotated[int, Field(ge=0)] = 0


class Baseline(Part):
    """Where the base's numbers are from."""

    source: Literal["notes", "measured here", "none"]
    commit: Commit | None = None
    measured_at: Moment | None = None
    age_days: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None


class Accepted(Part):
    """A regression that somebody let pass: by a label on the pull request, or by a record."""

    by: Text
    reason: Text = ""
    label: Text = ""


class Result(Part):
    """Everything that the comment, the summary and the check's own line say."""

    schema_: Literal["assay/ci/1"] = Field(default="assay/ci/1", alias="schema")
    suite: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]{0,62}$")] = "wiki"
    """One comment on a pull request is kept for each suite."""
    version: Text
    created_at: Moment
    workspace: Text
    base: Commit
    head: Commit
    outcome: Outcome
    cause: Text
    """Why, in one sentence."""
    decision: Literal["commit", "reject", "revise", "none"]
    reasoning: Text = ""
    judge: Text = "none"
    judged: Annotated[int, Field(ge=0)] = 0
    asked: Annotated[int, Field(ge=0)] = 0
    """Claims with a vote, of those that the change brings in."""
    tokens: Annotated[int, Field(ge=0)] = 0
    usd: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    cache_hits: Annotated[int, Field(ge=0)] = 0
    findings: Annotated[tuple[Line, ...], Field(max_length=200)] = ()
    """The new ones, errors first; so many at most."""
    more_findings: Annotated[int, Field(ge=0)] = 0
    samples: Samples = Samples()
    baseline: Baseline
    metrics: Annotated[tuple[MetricRow, ...], Field(max_length=100)] = ()
    benchmarks: Annotated[tuple[SuiteRow, ...], Field(max_length=100)] = ()
    """The benchmark suites that the change affects."""
    unablated: Annotated[tuple[UnablatedRow, ...], Field(max_length=100)] = ()
    """What it calibrates anew without an ablation that shows no harm: each fails it, and is not accepted away."""
    extraction: ExtractionAnswer | None = None
    """What extraction scores; null where the change touches nothing that decides it, or there is no gold for it."""
    is_touched: bool = True
    """Whether the change touches the workspace at all."""
    policy_changed: Annotated[tuple[Text, ...], Field(max_length=100)] = ()
    """Paths of the policy, gold, debt and baseline that the change touches: those of the base rule."""
    intakes: Annotated[tuple[Text, ...], Field(max_length=200)] = ()
    """Sources that come in by intake commits of their own."""
    overrides: Annotated[tuple[Text, ...], Field(max_length=100)] = ()
    """Landings in the change that a person let through against the verdict: who, and why."""
    accepted: Accepted | None = None
    trust: Text = ""
    """`signed by …`, or that nothing is signed and tampering at best shows."""
    remarks: Annotated[tuple[Text, ...], Field(max_length=50)] = ()
    """What was not looked at; and first what mends it, where the check had no answer."""
    reproduce: Text
    """The command that does the same here."""

    def record(self) -> dict[str, Any]:
        """The result as plain JSON."""
        return self.model_dump(mode="json", by_alias=True)


class Several(TypedDict):
    """What `git assay ci check --json` prints of a change to several workspaces (schema `assay/cis/1`)."""

    schema: Literal["assay/cis/1"]
    results: list[Result]


class Nothing(TypedDict):
    """What it prints where nothing could be checked (schema `assay/ci-nothing/1`): why, and what mends it."""

    schema: Literal["assay/ci-nothing/1"]
    error: str
    hint: str
