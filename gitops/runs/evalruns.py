"""Records runs of type eval: a measurement in the notes, a run that says it was made, and a line for the wiki's log.

Such a run writes nothing and has no branch and no candidate: it is committed as soon as it is recorded, on the commit
that was measured (alexandria 14, "The eval operation"). Its line in the log is queued (`PROTOCOL.md` 9): what lands
next on the branch that was measured brings it along.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict

from gitops.errors import CannotRun
from gitops.git import history, notes, objects
from gitops.index import records as rows
from gitops.runs import logline, measurements, mirror, names, store
from gitops.runs.context import Context
from gitops.runs.measurements import Measurement
from gitops.runs.records import Person, Record, Run, RunRecord, StateRecord
from gitops.runs.transcripts import Transcript, keep_all
from gitops.runs.workspace import Workspace
from gitops.usage import NOTHING, Usage

RUN_TYPE = "eval"
_LOOKED_AT = 60
"""So many of the newest eval runs are looked at for lines that the log lacks."""


def is_measuring(run: Run) -> bool:
    """Is this a run that measured and wrote nothing? It has no candidate, so no history can have lost it."""
    return run.record.run_type == RUN_TYPE and not run.state.candidate


def record(
    context: Context,
    workspace: Workspace,
    measurement: Measurement,
    target: str = "",
    used: Usage = NOTHING,
    transcripts: Sequence[Transcript] = (),
) -> Measurement:
    """Keep a measurement, its run and what was said for it. `target` is the branch whose log gets a line, '' for none.

    The measurement first: killed in between, it counts, and the index has no row of it until its run is there.
    """
    kept = measurements.append(context, measurement)
    run = store.append(
        context, kept.commit, _records(context, workspace, kept, target, used), f"assay: eval run {kept.run_id}"
    )
    keep_all(context, run, transcripts)
    mirror.put_measurement(context, kept, lambda: store.everything(context))
    return kept


def _records(
    context: Context, workspace: Workspace, measurement: Measurement, target: str, used: Usage
) -> list[Record]:
    run_id = measurement.run_id
    begun = RunRecord(
        summary=f"run {run_id} started: {RUN_TYPE} {measurement.suite}",
        run_id=run_id,
        workspace=workspace.name,
        workspace_root=workspace.layout.root,
        run_type="eval",
        triggered_by=context.triggered_by,
        reason=f"{_briefly(measurement)}, at {measurement.commit[:10]}",
        target=target,
        base=measurement.commit,
        root=measurement.commit,
        started_at=measurement.started_at,
        author=Person(name=context.identity.name, email=context.identity.email),
        verifier_preset=workspace.config.verifier_preset,
    )
    at, base = measurement.completed_at, measurement.commit
    spent = {"judge": {name: float(value) for name, value in asdict(used).items()}} if used.calls else {}
    pending = StateRecord(
        summary=f"run {run_id}: pending", run_id=run_id, number=0, status="pending", at=at, base=base, head=base
    )
    told = f"run {run_id}: pending → committed: measured"
    fields = {"number": 1, "status": "committed", "summary": told, "used": used.record(), "spent": spent}
    return [begun, pending, StateRecord.model_validate(pending.model_dump() | fields)]


def _briefly(measurement: Measurement) -> str:
    """What was measured, in a line of a log: why something was not, its record says."""
    return measurement.summary.removesuffix(f": {measurement.reason}") if measurement.reason else measurement.summary


def queued(context: Context, workspace: Workspace, target: str, base: str, log: bytes) -> list[Run]:
    """The eval runs whose line the log of a branch's tip still lacks, oldest first.

    The index says which runs there are, the notes what they are; a run of which the index does not know yet waits for
    the next landing.
    """
    try:
        with mirror.opened(context) as index:
            wanted = {"workspace": workspace.name, "run_type": RUN_TYPE, "target": target, "candidate": ""}
            newest = rows.rows(index, "runs", wanted, newest_by="started_at", limit=_LOOKED_AT)
            known = [(row["root"], row["run_id"]) for row in newest]
    except CannotRun:
        return []
    missing = [(root, run_id) for root, run_id in known if f"(run {run_id})".encode() not in log]
    found = [run for root, run_id in missing if (run := _read(context, root, run_id)) is not None]
    there = [run for run in found if is_measuring(run) and run.status == "committed"]
    within = _within(context, {run.record.root for run in there}, base)
    told = [run for run in there if run.record.root in within and run.record.workspace == workspace.name]
    return sorted(told, key=lambda run: (run.record.started_at, run.id))


def _read(context: Context, root: str, run_id: str) -> Run | None:
    return store.begun_on(context, root, notes.read(context.repository, names.RUNS, root)).get(run_id)


def _within(context: Context, commits: Iterable[str], tip: str) -> set[str]:
    """Those commits that are in the history of a tip."""
    here = (commit for commit in commits if objects.exists(context.repository, commit))
    return {commit for commit in here if history.is_ancestor(context.repository, commit, tip)}


def line(run: Run) -> str:
    """The log's line of an eval run: a function of its record."""
    return logline.line(run.record, ())
