"""Records runs of type eval, benchmark and extraction: measurements in the notes, a run that says they were made, and
a line for the wiki's log.

Such a run writes nothing and has no branch and no candidate: it is committed as soon as it is recorded, on the commit
that was measured (alexandria 14, "The eval operation"). Its line in the log is queued (`PROTOCOL.md` 9): what lands
next on the branch that was measured brings it along.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict

from gitops.config import RunType
from gitops.errors import CannotRun
from gitops.git import history, notes, objects
from gitops.git.process import git
from gitops.index import records as rows
from gitops.runs import attesting_records, logline, measurements, mirror, names, store
from gitops.runs.authority import Authority
from gitops.runs.context import Context
from gitops.runs.measurements import Measurement
from gitops.runs.records import Person, Run, RunRecord, StateRecord
from gitops.runs.transcripts import Transcript, keep_all
from gitops.runs.workspace import Workspace
from gitops.usage import NOTHING, Usage

RUN_TYPE: RunType = "eval"
BENCHMARK: RunType = "benchmark"
"""The type of a run of a benchmark suite, or of several variants of one."""
EXTRACTION: RunType = "extraction"
"""The type of a run that scored what was extracted; one that extracts itself writes, and is no such run."""
MEASURING = (RUN_TYPE, BENCHMARK, EXTRACTION)
"""The types of runs that measure, and write nothing."""
_NAMED = re.compile(rb"\(run ([a-z0-9-]+)\)")


def is_measuring(run: Run) -> bool:
    """Is this a run that measured and wrote nothing? It has no candidate, so no history can have lost it."""
    if run.state.candidate:
        return False
    # A run that writes may be called a benchmark, too; one that measured is over as soon as it is recorded.
    is_over = run.status == "committed" and run.plan is None
    return run.record.run_type == RUN_TYPE or (run.record.run_type in (BENCHMARK, EXTRACTION) and is_over)


def record(
    context: Context,
    workspace: Workspace,
    measurement: Measurement,
    target: str = "",
    used: Usage = NOTHING,
    transcripts: Sequence[Transcript] = (),
) -> Measurement:
    """Keep a measurement, its run and what was said for it. `target` is the branch whose log gets a line, '' for none.

    The measurement first: killed in between, it counts, and the index has no row of it until its run is there. It is
    signed where signatures are demanded; where that cannot be, it is kept all the same, and CannotRun then.
    """
    [kept] = record_all(context, workspace, [measurement], target, used, transcripts)
    return kept


def record_all(
    context: Context,
    workspace: Workspace,
    measured: Sequence[Measurement],
    target: str = "",
    used: Usage = NOTHING,
    transcripts: Sequence[Transcript] = (),
) -> list[Measurement]:
    """The same for all measurements of one run, which are kept together or not at all: a suite's repeats."""
    named = [one.named() for one in measured]
    authorities = [Authority(context, workspace.name, one.commit) for one in named]
    signed = [_signature(authority, one) for authority, one in zip(authorities, named, strict=True)]
    kept = measurements.append_all(context, named, [beside for beside, _ in signed])
    for authority, one, (beside, _) in zip(authorities, kept, signed, strict=True):
        if is_gating(one) and not beside:
            attesting_records.remember(authority, one.id)
    first = kept[0]
    records = _records(context, workspace, first, target, used)
    run = store.append(context, first.commit, records, f"assay: {records[0].run_type} run {first.run_id}")
    keep_all(context, run, transcripts)
    for one in kept:
        mirror.put_measurement(context, one, lambda: store.everything(context))
    unsigned = next((why for _, why in signed if why is not None), None)
    if unsigned is not None:
        told = f"{first.suite} is measured and kept, but unsigned it opens no gate: {unsigned.message}"
        raise CannotRun(told, unsigned.hint) from unsigned
    return kept


def demand_key(context: Context, workspace: Workspace, commit: str) -> None:
    """CannotRun, before anything is spent, where what is measured has to be signed and there is no key."""
    attesting_records.demand_key(Authority(context, workspace.name, commit))


def is_gating(measurement: Measurement) -> bool:
    """May a gate follow this measurement? Then it is signed where signatures are demanded.

    A change may land by an ablation; by a benchmark only once somebody accepts it as the baseline, who signs that.
    """
    if measurement.kind == measurements.ABLATION:
        return True
    is_number = measurement.is_metric and measurement.metrics[measurement.suite].value is not None
    return is_number and not measurement.is_past


def _signature(authority: Authority, named: Measurement) -> tuple[list[str], CannotRun | None]:
    """The line with the signature of a measurement, and why there is none where there should be one."""
    if not is_gating(named):
        return [], None
    try:
        return attesting_records.beside(authority, names.EVALS, named.commit, named.record()), None
    except CannotRun as error:
        return [], error


def record_again(context: Context, measurement: Measurement) -> Measurement:
    """Keep another measurement of a run that is recorded already, on the same commit: from now on this one counts."""
    kept = measurements.append(context, measurement)
    mirror.put_measurement(context, kept, lambda: store.everything(context))
    return kept


def _records(
    context: Context, workspace: Workspace, measurement: Measurement, target: str, used: Usage
) -> tuple[RunRecord, StateRecord, StateRecord]:
    run_id, run_type = measurement.run_id, type_of(measurement)
    begun = RunRecord(
        summary=f"run {run_id} started: {run_type} {measurement.suite}",
        run_id=run_id,
        workspace=workspace.name,
        workspace_root=workspace.layout.root,
        run_type=run_type,
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
    return begun, pending, StateRecord.model_validate(pending.model_dump() | fields)


def type_of(measurement: Measurement) -> RunType:
    """The type of the run that makes such a measurement."""
    if measurement.kind == measurements.EXTRACTION:
        return EXTRACTION
    return BENCHMARK if measurement.kind in (measurements.BENCHMARK, measurements.ABLATION) else RUN_TYPE


def _briefly(measurement: Measurement) -> str:
    """What was measured, in a line of a log: why something was not, its record says."""
    return measurement.summary.removesuffix(f": {measurement.reason}") if measurement.reason else measurement.summary


def is_pull_request(environment: Mapping[str, str]) -> bool:
    """Whether this is a CI job on a pull or merge request: it must not write to the log what others will land."""
    event = environment.get("GITHUB_EVENT_NAME", "")
    requests = ("CI_MERGE_REQUEST_IID", "CI_EXTERNAL_PULL_REQUEST_IID")
    return event.startswith("pull_request") or any(environment.get(name) for name in requests)


def queued(context: Context, workspace: Workspace, target: str, base: str, log: bytes, until: str) -> list[Run]:
    """The runs that measured, recorded by a moment, whose line no landing has brought into the log of a branch's tip;
    oldest first.

    The index says which runs there are, the notes what they are; a run of which the index does not know yet waits for
    the next landing. A line that somebody took out of the log since is not brought again: its landing names the run.
    """
    there = named(log)
    missing = [each for each in _recorded(context, workspace, target, until) if each[1] not in there]
    within = _within(context, {root for root, _ in missing}, base)
    missing = [each for each in missing if each[0] in within]
    landed = _landed_since(context, missing[0][0], base) if missing else set()
    found = [run for root, run_id in missing if run_id not in landed and (run := _read(context, root, run_id))]
    told = [run for run in found if is_measuring(run) and run.status == "committed"]
    return [run for run in told if run.record.workspace == workspace.name and run.state.at <= until]


def named(log: bytes) -> set[str]:
    """The ids of the runs whose lines stand in a log."""
    return {found.decode() for found in _NAMED.findall(log)}


def _recorded(context: Context, workspace: Workspace, target: str, until: str) -> list[tuple[str, str]]:
    """Root commit and id of the runs that measured, as far as the index knows them, oldest first."""
    try:
        with mirror.opened(context) as index:
            of_all = {"workspace": workspace.name, "target": target, "candidate": ""}
            found = [row for kind in MEASURING for row in rows.rows(index, "runs", {**of_all, "run_type": kind})]
    except CannotRun:
        return []
    done = sorted((row["started_at"], row["run_id"], row["root"]) for row in found if (row["ended_at"] or "~") <= until)
    return [(root, run_id) for _, run_id, root in done]


def _landed_since(context: Context, commit: str, tip: str) -> set[str]:
    """The eval runs that landings between two commits say they brought the lines of."""
    only = ("--no-show-signature", "--format=%(trailers:key=Assay-Eval,valueonly)", "--basic-regexp")
    found = git(context.repository, "log", *only, "--grep=^Assay-Eval: ", f"{commit}..{tip}")
    return set(found.text.split())


def _read(context: Context, root: str, run_id: str) -> Run | None:
    return store.begun_on(context, root, notes.read(context.repository, names.RUNS, root)).get(run_id)


def _within(context: Context, commits: Iterable[str], tip: str) -> set[str]:
    """Those commits that are in the history of a tip."""
    here = (commit for commit in commits if objects.exists(context.repository, commit))
    return {commit for commit in here if history.is_ancestor(context.repository, commit, tip)}


def line(run: Run) -> str:
    """The log's line of a run that measured: a function of its record."""
    return logline.measured(run.record)
