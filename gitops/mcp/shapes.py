"""What the tools give besides words: the shapes of `git assay … --json`, less what an agent has no use for.

A verdict names each anchor that held, twice; an agent that has to read all of that has no room left for the wiki.
`git assay run show RUN --json` has the whole record.
"""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import TypedDict  # pydantic takes typing's own only from Python 3.12 on

from gitops.agents.revising import gating
from gitops.runs.listed import listed
from gitops.runs.outcome import Outcome, Result
from gitops.runs.printed import ListedRun
from gitops.runs.printed_eval_report import EvalReport
from gitops.runs.records import Run
from gitops.runs.records import Status as RunStatus
from gitops.verify.finding import Finding, Level
from gitops.verify.verdict import Counts, Decision, Verdict


class Staged(TypedDict):
    """What a write staged: the page, and the run's new head."""

    run_id: str
    path: str
    head: str


class ToldVerdict(TypedDict):
    """A verdict; `notes` are the findings that ask nothing of anybody.

    Where `signed_by` is null nobody signed it: tamper-evident at best.
    """

    id: str
    verdict: Decision
    reasoning: str
    judge: str
    counts: Counts
    notes: int
    created_at: str
    signed_by: str | None


class FinishedRun(TypedDict):
    """What came of finishing a run; `findings` are those that gate, `next` is what to do."""

    result: Result
    run_id: str
    status: RunStatus
    commit: str | None
    candidate: str | None
    verdict: ToldVerdict | None
    findings: list[Finding]
    next: str


class ShownRun(ListedRun):
    """A run with its plan and transitions, its verdict, and the findings that gate."""

    verdict: ToldVerdict | None
    findings: list[Finding]


class Measured(TypedDict):
    """What was measured just now, one row a metric."""

    metric: str
    score: float | None
    status: str
    n: int
    interval: list[float] | None
    uncertain: bool
    reason: str
    run_id: str
    measurement: str


class Evaluation(TypedDict):
    """How the wiki stands: what was measured just now, if it was asked for, and the report.

    `cases` are samples that failed, of the metrics that were named.
    """

    action: Literal["run", "report"]
    measured: list[Measured]
    report: EvalReport
    cases: list[dict[str, Any]]


def verdict(found: Verdict, signer: str) -> dict[str, Any]:
    """A verdict as agents are told of it (`ToldVerdict`); `signer` is whose signature holds."""
    notes = sum(1 for one in found.findings if one.new and one.level is Level.NOTE)
    return {
        "id": found.id,
        "verdict": found.verdict,
        "reasoning": found.reasoning,
        "judge": found.judge,
        "counts": found.counts.model_dump(mode="json"),
        "notes": notes,
        "created_at": found.created_at,
        "signed_by": signer or None,
    }


def findings(found: Verdict | None) -> list[dict[str, Any]]:
    """The new errors and warnings of a verdict."""
    return [one.model_dump(mode="json") for one in gating(found)] if found is not None else []


def finished(outcome: Outcome, following: str) -> dict[str, Any]:
    """What came of finishing a run (`FinishedRun`)."""
    told = outcome.verdict
    return {
        "result": outcome.result,
        "run_id": outcome.run.id,
        "status": outcome.run.status,
        "commit": outcome.commit if outcome.result == "landed" else None,
        "candidate": outcome.commit or None,
        "verdict": verdict(told, outcome.signer) if told is not None else None,
        "findings": findings(told),
        "next": following,
    }


def shown(run: Run, found: Verdict | None, signer: str) -> dict[str, Any]:
    """A run and its verdict (`ShownRun`)."""
    told = verdict(found, signer) if found is not None else None
    return {**listed(run), "verdict": told, "findings": findings(found)}
