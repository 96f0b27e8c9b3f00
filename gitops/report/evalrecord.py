"""The report on the metrics as plain JSON."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from gitops.evals.reporting import Report, Standing
from gitops.runs.measurements import Measurement

SCHEMA = "assay/eval-report/1"


def record(told: Report, detailed: Iterable[Standing] = ()) -> dict[str, Any]:
    """The report as plain JSON (schema `assay/eval-report/1`), with the measurements that speak for some metrics."""
    return {
        "schema": SCHEMA,
        "workspace": told.workspace,
        "commit": told.commit,
        "at": spelled(told.at),
        "since": spelled(told.since),
        "metrics": [_record(one) for one in told.standings],
        "held": {operation: list(by) for operation, by in sorted(told.held.items())},
        "synthesis": {"enabled": told.has_synthesis, "frozen_by": told.frozen_by},
        "floor": told.floor,
        "acks": [ack.record() for ack in told.acks],
        "ack_signers": dict(told.signers) if told.signers is not None else None,
        "details": {one.id: one.shown.record() for one in detailed if one.shown is not None},
    }


def _record(one: Standing) -> dict[str, Any]:
    known, gate, number, shown = one.metric, one.gate, one.number, one.shown
    return {
        "id": one.id,
        "title": one.title,
        "unit": known.unit if known is not None else number.unit if number is not None else "",
        "score": number.value if number is not None else None,
        "status": one.status,
        "n": number.n if number is not None else 0,
        "interval": list(number.interval) if number is not None and number.interval is not None else None,
        "uncertain": number.uncertain.model_dump() if number is not None and number.uncertain is not None else None,
        "cuts": {"healthy": known.cuts.healthy, "degraded": known.cuts.degraded} if known and known.cuts else None,
        "counts": dict(number.counts) if number is not None else {},
        "measured_at": shown.completed_at if shown is not None else None,
        "measurement": shown.id if shown is not None else None,
        "commit": shown.commit if shown is not None else None,
        "not_measured": _failure(one.failed),
        "next": spelled(one.due.next) if one.due is not None and one.due.next is not None else None,
        "due": one.due.why if one.due is not None else "",
        "blocks": list(gate.blocks) if gate is not None else [],
        "signed_by": one.signer,
        "acknowledged": gate.ack.record() if gate is not None and gate.ack is not None else None,
        "mend": gate.mend if gate is not None else "",
        "judges": [
            {"id": each.id, "version": each.version, "published": [figure.record() for figure in each.published]}
            for each in one.judges
        ],
        "trend": list(one.weeks),
        "series": [_point(one.id, each) for each in one.series],
    }


def _failure(failed: Measurement | None) -> dict[str, str] | None:
    return None if failed is None else {"at": failed.completed_at, "commit": failed.commit, "reason": failed.reason}


def _point(name: str, one: Measurement) -> dict[str, Any]:
    number = one.metrics[name]
    return {
        "at": one.completed_at,
        "commit": one.commit,
        "measurement": one.id,
        "score": number.value,
        "status": number.status,
        "n": number.n,
        "interval": list(number.interval) if number.interval is not None else None,
    }


def spelled(at: datetime) -> str:
    """A moment as records write it."""
    return f"{at:%Y-%m-%dT%H:%M:%SZ}"
