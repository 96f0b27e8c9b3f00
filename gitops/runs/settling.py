"""What is left to do once a target stands at a verified candidate; and how a verified one waits that cannot land."""

from __future__ import annotations

from typing import Any

from gitops.git import history, objects, refs
from gitops.runs import branches, endings, judging
from gitops.runs.context import Context
from gitops.runs.records import FINAL, LandedRecord, Run
from gitops.runs.store import append_landed
from gitops.verify.verdict import Verdict


def settle(context: Context, run: Run, commit: str, verdict: Verdict) -> Run:
    """Record that a run is committed, and take down its branch and candidate. May be done again at any point."""
    head = verdict.head
    is_held = head == commit or head in context.commit(commit).parents
    if not is_held and objects.exists(context.repository, head):  # a clone that only has the records holds none of it
        endings.keep_head(context, run.id, head)  # nothing else would hold the run's own commits
    context.at_step("committed")
    fields: dict[str, Any] = {"candidate": commit, "head": head, "base": verdict.base, **given(verdict)}
    unverified = judging.is_unverified(verdict)
    state = endings.next_state(context, run, "committed", reason="", unverified=unverified, draft_only=False, **fields)
    done = endings.record(context, run, state)
    context.at_step("recorded")
    endings.clear(context, run.id, head)
    return done


def take_up(context: Context, run: Run, commit: str, verdict: Verdict) -> Run:
    """Settle a run whose landing was cut short behind the commit point: its worktrees are brought along first."""
    tip = refs.read(context.repository, run.record.target)
    if tip is not None and history.is_ancestor(context.repository, commit, tip):
        with branches.moving(context):
            branches.bring_along(context, run.record.target, verdict.base, commit)
    return settle(context, run, commit, verdict)


def covered(context: Context, run: Run, commit: str, verdict: Verdict) -> Run:
    """Settle a run that somebody else's commit landed; a `landed` record on that commit says so."""
    summary = f"run {run.id}: landed as {commit[:10]}, made elsewhere"
    landed = LandedRecord(summary=summary, run_id=run.id, commit=commit, verdict_id=verdict.id, at=context.now)
    return settle(context, append_landed(context, run, landed), commit, verdict)


def wait(context: Context, run: Run, candidate: str, verdict: Verdict, reason: str) -> Run:
    """Back to pending with candidate and verdict kept: finished again on the same base, it is the same candidate."""
    if run.status in FINAL:  # an override that could not land leaves the run as it was
        return run
    state = endings.next_state(context, run, "pending", candidate=candidate, reason=reason, **given(verdict))
    return endings.record(context, run, state)


def given(verdict: Verdict) -> dict[str, Any]:
    """The fields of a state by which it names its verdict."""
    return {"verdict": verdict.verdict, "verdict_id": verdict.id}
