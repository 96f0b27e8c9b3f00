"""What a check of a change says of benchmark suites, and of what was changed without an ablation."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from gitops.runs.printed_ci_values import Count, Moment, Number, Part, Share, Text

SuiteVerdict = Literal["regressed", "no regression", "no answer", "no baseline", "new", "not run"]
"""`no answer`: cases that passed at the baseline could not be run or judged now. `new`: only the head has the suite, so
that it is shown and gates nothing. `not run`: it is affected, and somebody said `--no-benchmarks`.
"""
RegressionKind = Literal["pass_to_fail", "judge_drop", "latency", "pass_rate"]
MOST_CASES = 50
"""So many cases of a suite are told one by one."""


class RegressedCase(Part):
    """A case that got worse than it is at the baseline. What was not measured is null."""

    case: Text
    kind: RegressionKind
    before: Number | None = None
    after: Number | None = None
    told: Text
    """In words."""


class SuiteRow(Part):
    """One benchmark suite, run against the head and compared with the baseline that the base has accepted."""

    suite: Text
    agent: Text
    """The agent or skill that the suite measures."""
    verdict: SuiteVerdict
    gated: bool = False
    """Whether the job fails by it."""
    accepted: bool = False
    """Whether somebody let its regressions pass."""
    because: Text = ""
    """What of the change affects it."""
    cases: Count = 0
    repeats: Count = 0
    before: Share | None = None
    """The pass rate of the baseline, over the cases that are compared."""
    after: Share | None = None
    """The pass rate now, over the cases that were tried."""
    skipped: Count = 0
    """Cases that could not be judged, or not run, in any repeat."""
    regressions: Annotated[tuple[RegressedCase, ...], Field(max_length=MOST_CASES)] = ()
    more_regressions: Count = 0
    flaky: Annotated[tuple[Text, ...], Field(max_length=MOST_CASES)] = ()
    """Cases that differ between the repeats of the baseline: they gate on their pass rate."""
    lost: Annotated[tuple[Text, ...], Field(max_length=MOST_CASES)] = ()
    """Cases that passed at the baseline, and now could not be run or judged."""
    baseline: Text = ""
    """Which run is compared with, and where it is from; empty where there is none."""
    measured_at: Moment | None = None
    """When the baseline was measured."""
    age_days: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    seconds: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    """How long it took to run."""
    why: Text = ""
    """Why it has no answer, or passes all the same."""


class UnablatedRow(Part):
    """What was changed that is calibrated, without an ablation that shows no harm (silas 20.6)."""

    key: Text
    """The weight, prompt or preset, such as `llm.presets.claude`."""
    suite: Text = ""
    """The suite that depends on it; empty where none does."""
    why: Text
    mend: Text = ""
