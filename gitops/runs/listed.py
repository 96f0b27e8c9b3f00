"""A run as it is printed and told: `run show`, `run list`, and to agents."""

from __future__ import annotations

from typing import Any

from gitops.runs.records import Run


def listed(run: Run) -> dict[str, Any]:
    """A run with its plan and transitions as plain JSON (schema `assay/run-show/1`)."""
    state, record = run.state, run.record
    return {
        "schema": "assay/run-show/1",
        "run_id": run.id,
        "workspace": record.workspace,
        "run_type": record.run_type,
        "triggered_by": record.triggered_by,
        "status": state.status,
        "verdict_decision": state.verdict or None,
        "reason": state.reason,
        "started_at": record.started_at,
        "ended_at": run.ended_at,
        "target": record.target,
        "base": state.base or record.base,
        "root": record.root,
        "head": state.head,
        "candidate": state.candidate or None,
        "commit": state.candidate if state.status == "committed" else None,
        "branch": f"run/{run.id}",
        "sources": list(record.sources),
        "loop_count": state.loop_count,
        "unverified": state.unverified,
        "draft_only": state.draft_only,
        "adopted": record.adopted,
        "used": dict(state.used),
        "spent": {role: dict(totals) for role, totals in state.spent.items()},
        "plan": [step.model_dump(mode="json") for step in run.plan.operations] if run.plan else None,
        "states": [{"status": each.status, "at": each.at, "reason": each.reason} for each in run.states],
    }
