"""How a run ends: kept under its name, out of the branch list, with a record that says why."""

from __future__ import annotations

from typing import Any

from gitops.git import refs
from gitops.runs import branches, names, store
from gitops.runs.context import Context
from gitops.runs.records import Record, Run, StateRecord, Status


def next_state(context: Context, run: Run, status: Status, **fields: Any) -> StateRecord:
    """The run's next transition; what is not given carries over from the present one."""
    before = run.state
    if fields.get("head", before.head) != before.head or status == "verifying":
        fields = {"verdict": "", "verdict_id": "", **fields}  # a verdict is on one head, and on no later one
    values: dict[str, Any] = {
        "base": before.base,
        "head": before.head,
        "candidate": before.candidate,
        "verdict": before.verdict,
        "verdict_id": before.verdict_id,
        "loop_count": before.loop_count,
        "unverified": before.unverified,
        "draft_only": before.draft_only,
        "used": before.used,
        "spent": before.spent,
        "at": context.now,
    }
    values |= fields
    told = f": {values['reason']}" if values.get("reason") else ""
    summary = f"run {run.id}: {before.status} → {status}{told}"
    return StateRecord(summary=summary, run_id=run.id, number=before.number + 1, status=status, **values)


def record(context: Context, run: Run, *records: Record) -> Run:
    """Append records to the run's note and return the run as it now is."""
    message = f"assay: run {run.id}: {', '.join(_word(each) for each in records)}"
    return store.append(context, run.record.root, records, message)


def reject(context: Context, run: Run, head: str, reason: str, judged: str = "", **fields: Any) -> Run:
    """End a run as rejected; what was judged (the candidate, else the head) stays under `refs/assay/kept/`."""
    return _end(context, run, "rejected", judged, head, reason, fields)


def abandon(context: Context, run: Run, head: str, judged: str, reason: str, **fields: Any) -> Run:
    """End a run as abandoned; nothing of it is lost."""
    return _end(context, run, "abandoned", judged, head, reason, fields)


def forget(context: Context, run: Run, reason: str) -> Run:
    """End a run as abandoned whose commits this clone does not hold: there is nothing to keep."""
    return record(context, run, next_state(context, run, "abandoned", reason=reason))


def _end(
    context: Context, run: Run, status: Status, judged: str, head: str, reason: str, fields: dict[str, Any]
) -> Run:
    # In this order: killed in between, the run is still open and its content is held twice, never not at all.
    keep(context, run.id, judged, head)
    ended = record(context, run, next_state(context, run, status, reason=reason, head=head, **fields))
    clear(context, run.id, head)
    return ended


def keep(context: Context, run_id: str, judged: str, head: str) -> None:
    """Hold what was judged, and the run's own head where that does not lead to it; whatever was held before."""
    kept = judged or head
    _point(context, names.kept(run_id), kept)
    if head != kept and head not in context.commit(kept).parents:
        _point(context, names.kept_head(run_id), head)


def keep_head(context: Context, run_id: str, head: str) -> None:
    """Hold the commits of a run that landed without them, beside whatever of it is held already."""
    held = refs.read(context.repository, names.kept(run_id))
    _point(context, names.kept(run_id) if held in (None, head) else names.kept_head(run_id), head)


def _point(context: Context, ref: str, commit: str) -> None:
    while (old := refs.read(context.repository, ref)) != commit:
        refs.move(context.repository, ref, commit, old, f"assay: keep {ref}")


def clear(context: Context, run_id: str, head: str) -> None:
    """Take down the run's branch (unless it moved on, or is checked out), then its candidate."""
    branch = names.branch(run_id)
    if refs.read(context.repository, branch) == head:
        branches.remove(context, branch, head)
    drop_candidate(context, run_id)


def drop_candidate(context: Context, run_id: str) -> None:
    """Take down the candidate ref, if there is one."""
    ref = names.candidate(run_id)
    old = refs.read(context.repository, ref)
    if old is not None:
        refs.delete(context.repository, ref, old)


def _word(each: Record) -> str:
    return each.status if isinstance(each, StateRecord) else each.summary
