"""A person's decision to land what the verdict refused. It is recorded with a name and a reason, and shown."""

from __future__ import annotations

from gitops.errors import Refused
from gitops.git import refs
from gitops.runs import adopting, candidate, deciding, examining, judging, landing, names, settling, store
from gitops.runs.candidate import Candidate, Conflict
from gitops.runs.context import Context
from gitops.runs.outcome import Outcome
from gitops.runs.owning import owned
from gitops.runs.records import FINAL, Run
from gitops.runs.seating import Asking
from gitops.runs.workspace import Workspace
from gitops.verify.verdict import Verdict


def override(context: Context, text: str, reason: str) -> Outcome:
    """Land what was refused: a fresh C on the present tip, and a verdict that says who, why, and which it overrides."""
    if not reason.strip():
        raise Refused("an override says why", "--reason '…'")
    run_id = adopting.whole_id(context, text)
    with owned(context, run_id):
        return _overridden(context, _refused(context, store.find(context, run_id)), reason)


def _refused(context: Context, run: Run) -> Run:
    show = f"git assay run show {run.id}"
    if run.status not in ("rejected", "pending"):
        raise Refused(f"run {run.id} is {run.status}: there is no refusal to override", show)
    if run.state.verdict not in ("reject", "revise"):
        why = f": {run.state.reason}" if run.state.reason else ""
        raise Refused(f"run {run.id} is {run.status} without a verdict to override{why}", show)
    tip = refs.read(context.repository, names.branch(run.id))
    if run.status == "pending" and tip != run.state.head:
        raise Refused(
            f"run {run.id} was written to since it was judged", f"git assay run finish {run.id} judges it anew"
        )
    return run


def _overridden(context: Context, run: Run, reason: str) -> Outcome:
    while True:
        base, workspace = deciding.base_of(context, run)
        made = _made(context, run, workspace, base)
        verdict = _stated(context, run, workspace, made, reason)
        context.at_step("candidate")
        ref = names.candidate(run.id)
        while (old := refs.read(context.repository, ref)) != made.commit:
            refs.move(context.repository, ref, made.commit, old, f"assay: candidate of run {run.id}, overridden")
        context.at_step("verdict")
        store.append_verdict(context, verdict)
        if landing.publish(context, run, made, verdict):
            done = settling.settle(context, run, made.commit, verdict)
            return Outcome("landed", done, verdict, made.commit, examining.signer(context, verdict))


def _made(context: Context, run: Run, workspace: Workspace, base: str) -> Candidate:
    deciding.demand_unbroken(context, run, base, run.state.head)
    try:
        return candidate.build(context, run, workspace, base, run.state.head, context.now)
    except Conflict as error:
        if run.status not in FINAL:
            raise
        # What has come to its end cannot be rebased, and taken up whole it would conflict again.
        hint = f"git assay run start, then run write for each page of git assay run diff {run.id}"
        raise Conflict(error.message, hint) from error


def _stated(context: Context, run: Run, workspace: Workspace, made: Candidate, reason: str) -> Verdict:
    judgement = judging.judge_candidate(context, run, workspace, made, Asking(only_free=True))
    if sealed := judging.sealed_only(judgement):
        told = f"{sealed[0].check} cannot be overridden: {sealed[0].path}: {sealed[0].message}"
        raise Refused(told, sealed[0].repair)
    why = f"overridden by {context.identity.name} <{context.identity.email}>: {reason}"
    there = store.verdicts_on(context, made.commit)
    named = dict.fromkeys([run.state.verdict_id, *(v.id for v in there if v.verdict in ("reject", "revise"))])
    return judging.state(
        context, run, workspace, made, judgement, "commit_override", why, supersedes=tuple(filter(None, named))
    )
