"""What is kept of a capability floor: a measurement in the notes, and a file in the clone's own folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gitops import canonical
from gitops.errors import CannotRun
from gitops.evals.floor import Floor
from gitops.runs import measurements, names
from gitops.runs.context import Context
from gitops.runs.floors import METRICS, path_of, preset_digest, shown
from gitops.runs.judging import VERIFIER
from gitops.runs.measurements import Measurement, Metric, Sample
from gitops.runs.workspace import Workspace

KIND = "floor"
SCHEMA = "assay/floor/1"
_FAILING = 10
"""So many claims or pages that a metric found wanting are kept with the floor."""


def measurement(
    context: Context, workspace: Workspace, commit: str, found: Floor, sources: str, started: str
) -> Measurement:
    """A floor as a measurement of a commit: of the repository in which it was asked for, whose policy it took.

    `sources` says which sources were ingested. The scores are of the synthetic wiki, not of this one.
    """
    preset = workspace.config.llm.preset(found.preset)
    numbers = {name: found.measured[name].metrics[name] for name in METRICS}
    told = ", ".join(f"{name} {shown(found.score(name))}" for name in METRICS)
    return Measurement(
        summary=f"capability floor of preset {found.preset}: {found.verdict.replace('_', ' ')} ({told})",
        kind=KIND,
        run_id=names.new_id(context.clock()),
        commit=commit,
        workspace=workspace.name,
        suite=KIND,
        subject={
            "preset": found.preset,
            "preset_digest": preset_digest(workspace, found.preset),
            "provider": preset.provider,
            "model": preset.model,
            "verifier": VERIFIER,
            "config_snapshot": workspace.policy,
        },
        instrument={
            "sources": sources,
            "metrics": {name: found.measured[name].instrument["metrics"][name] for name in METRICS},
            "judges": found.measured["M1"].instrument.get("judges", []),
        },
        started_at=started,
        completed_at=context.now,
        samples=tuple(_sample(one.record(), landed=one.has_landed) for one in found.tried),
        metrics={**numbers, **_counted(found)},
        reason="; ".join(f"{name}: {one.reason}" for name, one in found.measured.items() if one.reason),
        details={
            "verdict": found.verdict,
            "ingests": [one.record() for one in found.tried],
            "failing": {name: _failing(found.measured[name]) for name in METRICS},
        },
        used=found.used.record(),
    ).named()


def _counted(found: Floor) -> dict[str, Metric]:
    n = len(found.tried)
    refused = sum(one.result in ("rejected", "revise") for one in found.tried)
    failed = sum(one.result == "failed" for one in found.tried)
    counts = {"refused": refused, "failed": failed, "landed": sum(one.has_landed for one in found.tried)}
    return {
        "tool_call_count": Metric(
            value=round(found.tool_call_count, 3), n=n, direction="lower", unit="calls per ingest", status="measured"
        ),
        "landed": Metric(
            value=counts["landed"] / n, n=n, direction="higher", unit="share", status="measured", counts=counts
        ),
    }


def _sample(record: Mapping[str, Any], *, landed: bool) -> Sample:
    status = "pass" if landed else "error" if record["result"] == "failed" else "fail"
    about = {key: value for key, value in record.items() if key != "error"}
    return Sample.model_validate(
        {"id": record["source"], "status": status, "error": record.get("error"), "usd": record["usd"], "details": about}
    )


def _failing(measured: Measurement) -> list[Mapping[str, Any]]:
    return [one.details for one in measured.samples if one.status == "fail"][:_FAILING]


def keep(context: Context, made: Measurement) -> Path:
    """Keep a floor: in the notes of its commit, and in the clone's own folder; gives the file.

    CannotRun where that cannot be written.
    """
    measurements.append(context, made)
    path = path_of(context, str(made.subject["preset"]))
    written = (canonical.dumps(summary(made)) + "\n").encode()
    aside = path.with_suffix(".json.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        aside.write_bytes(written)
        aside.replace(path)
    except OSError as error:
        raise CannotRun(f"{path} cannot be written: {error.strerror}", "make room for it") from error
    return path


def summary(made: Measurement) -> dict[str, Any]:
    """What the file of a floor holds (schema `assay/floor/1`)."""
    metrics = made.metrics
    return {
        "schema": SCHEMA,
        "preset": made.subject["preset"],
        "preset_digest": made.subject["preset_digest"],
        "model": made.subject["model"],
        "verdict": made.details["verdict"],
        **{name: metrics[name].value for name in METRICS},
        "intervals": {name: metrics[name].interval for name in METRICS},
        "tool_call_count": metrics["tool_call_count"].value,
        "ingests": dict(metrics["landed"].counts),
        "judges": made.instrument["judges"],
        "sources": made.instrument["sources"],
        "used": dict(made.used),
        "reason": made.reason,
        "measured_at": made.completed_at,
        "commit": made.commit,
        "measurement": made.id,
    }
