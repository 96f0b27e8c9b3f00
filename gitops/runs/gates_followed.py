"""Whether the measurements that a verdict names bear it: what the gates followed when a change was let through."""

from __future__ import annotations

from functools import partial

from gitops.runs import feedback, measurements
from gitops.runs.authority import Authority
from gitops.runs.context import Context
from gitops.runs.gates import BLOCKS
from gitops.runs.measurements import Measurement
from gitops.verify.verdict import Followed, Verdict

_ASKED = frozenset(("ingest", "cascade"))
"""The operations of runs whose gates are asked before they land."""


def problem(context: Context, verdict: Verdict) -> str:
    """The first measurement that does not bear a verdict, and why; '' where all of them do.

    Each is there, of this workspace and metric, no younger than the verdict, and holds nothing up or was acknowledged
    by then: by an ack that is signed, where the policy of the verdict's base demands it.
    """
    for each in verdict.measurements:
        found = context.once(("measurement", each.commit, each.id), partial(_found, context, each))
        if why := _objection(context, verdict, each, found):
            return f"it rests on {each.metric} of {each.commit[:10]}, {why}"
    return ""


def _found(context: Context, followed: Followed) -> Measurement | None:
    there = measurements.measurements_on(context, followed.commit)
    return next((one for one in there if one.id == followed.id), None)


def _objection(context: Context, verdict: Verdict, followed: Followed, found: Measurement | None) -> str:
    if found is None:
        return "which is not in the notes: git assay sync fetches them"
    if not found.is_of(followed.metric, verdict.workspace):
        return f"which is {found.suite or found.kind} of workspace {found.workspace}"
    if found.completed_at > verdict.created_at:
        return f"which was measured only at {found.completed_at}"
    status = found.metrics[followed.metric].status
    if not _ASKED.intersection(BLOCKS.get((followed.metric, status), ())):
        return ""
    authority = Authority(context, verdict.workspace, verdict.base)
    acks = (ack for ack in feedback.acks_on(context, found.commit) if ack.measurement == found.id)
    is_known = any(ack.at <= verdict.created_at and feedback.holds(authority, ack) for ack in acks)
    return "" if is_known else f"which is {status} and was not acknowledged"
