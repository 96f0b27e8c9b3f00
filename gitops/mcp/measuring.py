"""The tool `eval`: how the wiki stands, and on request a measurement now (alexandria 14, "MCP tool").

Read-only from the agent's perspective: a measurement is a note on a commit, and touches neither pages nor branches.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any, Literal

from pydantic import Field, TypeAdapter

from gitops import assembly
from gitops.agents.calling import Arguments
from gitops.agents.fencing import fenced
from gitops.canonical import dumps
from gitops.errors import UsageError
from gitops.evals import reporting, running
from gitops.evals.registry import chosen
from gitops.evals.reporting import Standing
from gitops.mcp import shapes
from gitops.mcp.door import Call
from gitops.mcp.offers import Offer
from gitops.report.evalrecord import record
from gitops.runs import evalruns
from gitops.runs.measurements import Measurement
from gitops.runs.spans import HINT, span
from gitops.runs.workspace import Workspace

MOST_CASES = 20
"""Of each metric that is named."""


class Evaluate(Arguments):
    """What `eval` is asked."""

    action: Literal["run", "report"] = Field(
        default="report", description="report: how things stand; run: measure now, then report"
    )
    metric: str = Field(default="all", max_length=200, description="M1, M2, … (with commas between), or all")
    since: str = Field(default="30d", max_length=20, description="how far back: 30d, 12w, 48h, or a date as 2026-03-01")
    workspace: str = Field(default="", description="which workspace of the repository; empty for the one at hand")


def evaluate(call: Call, asked: Evaluate) -> str:
    """Report, having measured first where that is asked for; of a metric that is named, with the cases that failed."""
    context = call.context
    is_whole = asked.metric.strip().lower() == "all"
    wanted = chosen(asked.metric)
    since = begun(asked.since, context.clock())
    commit = call.landed()
    workspace = call.workspace(commit, asked.workspace)
    asking = running.Wanted(wanted, answering=assembly.answered)
    measured = _measured(call, workspace, commit, asking) if asked.action == "run" else []
    found = reporting.report(context, workspace.name, commit, since)
    standings = tuple(one for one in found.standings if is_whole or one.id in wanted)
    told = record(replace(found, standings=standings)) | {"synthesis": record(found)["synthesis"]}
    cases = [] if is_whole else [case for one in standings for case in _cases(one)]
    rows = [_row(one) for one in measured]
    call.structured = {"action": asked.action, "measured": rows, "report": told, "cases": cases}
    lines = [*_now(rows), *_lines(told), *(f"failed: {dumps(case)}" for case in cases)]
    return f"how workspace {workspace.name} stands. Data:\n{fenced(chr(10).join(lines), commit=commit[:10])}"


def _cases(one: Standing) -> list[dict[str, Any]]:
    """The samples that failed, no more than an agent has use for."""
    samples = one.shown.samples if one.shown is not None else ()
    failed = [each for each in samples if each.status in ("fail", "error")][:MOST_CASES]
    kept = (each.model_dump(mode="json", exclude_none=True, exclude_defaults=True) for each in failed)
    return [{"metric": one.id, **each} for each in kept]


def _measured(call: Call, workspace: Workspace, commit: str, wanted: running.Wanted) -> list[Measurement]:
    """Each metric, recorded as soon as it is there: what a kill interrupts is the last one."""
    is_on_branch = call.context.repository.head_branch() is not None and not evalruns.is_pull_request(os.environ)
    target = call.target() if is_on_branch else ""
    return running.kept(call.context, workspace, commit, wanted, target)


def begun(text: str, now: datetime) -> datetime:
    """The moment that lies a span before now, or the beginning of a day. UsageError for what is neither."""
    try:
        found = span(text)
    except ValueError as error:
        raise UsageError(f"'{text}' is neither a span of time nor a date", HINT) from error
    return found if isinstance(found, datetime) else now - found


def _row(one: Measurement) -> dict[str, Any]:
    number = one.metrics[one.suite]
    return {
        "metric": one.suite,
        "score": number.value,
        "status": number.status,
        "n": number.n,
        "interval": list(number.interval) if number.interval is not None else None,
        "uncertain": number.uncertain is not None,
        "reason": one.reason,
        "run_id": one.run_id,
        "measurement": one.id,
    }


def _now(rows: Iterable[dict[str, Any]]) -> Iterable[str]:
    for row in rows:
        said = "not measured" if row["score"] is None else f"{row['score']:.2f}"
        yield f"measured now: {row['metric']} {said}{': ' + row['reason'] if row['reason'] else ''}"


def _lines(told: dict[str, Any]) -> Iterable[str]:
    """A line for each metric: its number, its status, its interval, when it was measured, what it holds up."""
    for one in told["metrics"]:
        score = "" if one["score"] is None else f"{one['score']:.2f}, "
        parts = [f"{one['id']} {one['title']}: {score}{one['status'].replace('_', ' ')}"]
        if one["interval"] is not None:
            low, high = one["interval"]
            parts.append(f"95 % interval {low:.2f} to {high:.2f}, n = {one['n']}")
        if one["measured_at"]:
            parts.append(f"measured {one['measured_at']}")
        if one["blocks"]:
            parts.append(f"holds up: {', '.join(one['blocks'])}")
        if one["mend"]:
            parts.append(f"mend: {one['mend']}")
        yield "; ".join(parts)
    yield f"scheduled synthesis is {'on' if told['synthesis']['enabled'] else 'off'}"


OFFERS = (
    Offer(
        "eval",
        "Ask how the wiki stands: citation fidelity, cascade coverage, retroactive queries, cost, self-consistency."
        " With action run it is measured now, which may take minutes.",
        Evaluate,
        evaluate,
        "reads",
        TypeAdapter(shapes.Evaluation),
    ),
)
