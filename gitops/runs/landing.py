"""Landing a run: what is verified is exactly what lands (`PROTOCOL.md` 2).

There is one commit point, the swap of the target from B to C. Everything before it leaves the target alone
and can be done again; everything after it can be recomputed from refs and notes.
"""

from __future__ import annotations

import random
import time
from contextlib import ExitStack
from dataclasses import replace

from gitops.errors import CannotRun, Refused, UsageError
from gitops.git import history, objects, refs
from gitops.git.locks import held
from gitops.runs import (
    adopting,
    attesting,
    branches,
    candidate,
    deciding,
    endings,
    evalruns,
    examining,
    gates,
    judging,
    names,
    proof,
    pushing,
    settling,
    staging,
    store,
    syncing,
)
from gitops.runs.candidate import Candidate
from gitops.runs.context import Context
from gitops.runs.outcome import NotLanded as NotLanded
from gitops.runs.outcome import Options as Options
from gitops.runs.outcome import Outcome as Outcome
from gitops.runs.outcome import Result
from gitops.runs.owning import owned
from gitops.runs.records import Run
from gitops.runs.seating import Asking, would_ask
from gitops.verify.verdict import Verdict

_PATIENCE = 3
"""After this many lost swaps a run takes its turn under a lock, so that a slow one gets through at all."""

AS_USUAL = Options()
_REHEARSED: dict[str, Result] = {"commit": "would_land", "reject": "rejected", "revise": "revise"}


def finish(context: Context, text: str, options: Options = AS_USUAL) -> Outcome:
    """Judge a run and, if the verdict is commit, land it. A run that has landed is told as landed, again."""
    run_id = adopting.whole_id(context, text)
    with owned(context, run_id):
        known = store.exact(context, run_id)
        if known is not None and evalruns.is_measuring(known) and known.status == "committed":
            raise UsageError(f"run {run_id} measured and wrote nothing", f"git assay run show {run_id}")
        if known is not None and known.status == "committed":
            return _told_again(context, known)
        run = adopting.open_run(context, run_id, record=not options.dry_run)
        if options.draft_only:
            return _draft(context, run, options)
        if options.dry_run:
            return _rehearsed(context, run, options)
        return _land(context, run, options)


def _told_again(context: Context, run: Run) -> Outcome:
    _refuse_newer(context, run)
    _demand_standing(context, run)
    store.mirror_again(context, run)
    commits = dict.fromkeys(state.candidate for state in reversed(run.states) if state.candidate)
    verdicts = (verdict for commit in commits for verdict in store.verdicts_on(context, commit))
    verdict = next((each for each in verdicts if each.id == run.state.verdict_id), None)
    return Outcome("landed", run, verdict, run.state.candidate, examining.signer(context, verdict))


def _refuse_newer(context: Context, run: Run) -> None:
    """What was written to the branch of a run that has landed is not told as landed: it is another run's."""
    tip = refs.read(context.repository, names.branch(run.id))
    if tip not in (None, run.state.head):
        hint = f"git branch -m run/{run.id} run/NEW-ID, then git assay run finish NEW-ID"
        raise Refused(f"run {run.id} is committed already, and its branch has newer commits", hint)


def _demand_standing(context: Context, run: Run) -> None:
    """CannotRun where the run's commit is in the target's history no more, here or where it was pushed to."""
    target, commit = run.record.target, run.state.candidate
    short = target.removeprefix("refs/heads/")
    tip = refs.read(context.repository, target)
    if tip is not None and not proof.outside(context, [run], tip):
        return
    followed = pushing.tracked(context, target)
    if followed is not None and not proof.outside(context, [run], followed):
        context.warn(f"{short} here does not have it yet: git pull --ff-only")
        return
    if tip is None:
        raise CannotRun(f"run {run.id} landed as {commit[:10]}, but {short} is gone", f"git branch {short} {commit}")
    there = objects.exists(context.repository, commit)
    forward = there and history.is_ancestor(context.repository, tip, commit)
    hint = f"git merge --ff-only {commit[:10]}" if forward else f"git reflog {short} shows who moved it"
    again = f"git assay run start --from {run.id} takes its pages up in a new run"
    told = f"run {run.id} landed as {commit[:10]}, but {commit[:10]} is not in the history of {short} any more"
    raise CannotRun(told, f"{hint}; {again}")


def _draft(context: Context, run: Run, options: Options) -> Outcome:
    head = staging.head_of(context, run)
    state = endings.next_state(context, run, "pending", head=head, draft_only=True, used=options.used or run.state.used)
    return Outcome("draft", endings.record(context, run, state))


def _rehearsed(context: Context, run: Run, options: Options) -> Outcome:
    """What would happen, with nothing recorded and no ref moved."""
    base, workspace = deciding.base_of(context, run)
    followed = gates.demand_open_for(context, workspace.name, run.record.run_type, base)
    if options.used:
        run = replace(run, states=(*run.states[:-1], run.state.model_copy(update={"used": options.used})))
    head = staging.head_of(context, run)
    deciding.demand_unbroken(context, run, base, head)
    made = candidate.build(context, run, workspace, base, head, context.now)
    asking = Asking(nobody=options.no_verify, only_kept=True, fresh=options.fresh)
    judgement = judging.judge_candidate(context, run, workspace, made, asking)
    left = [(judge, asked) for judge in asking.remembered if (asked := judge.still_open(judgement.judged.unsure))]
    told = f"a rehearsal asks no model: {'; '.join(would_ask(judge, asked) for judge, asked in left)}"
    if left and judgement.decision == "commit":
        raise CannotRun(f"not decided: {told}", f"git assay run finish {run.id} asks")
    if left and judgement.decision == "revise":
        context.warn(told)
    verdict = deciding.verdict_on(context, run, workspace, made, judgement, options, followed, is_open=bool(left))
    return Outcome(_REHEARSED[verdict.verdict], run, verdict, made.commit)


def _land(context: Context, run: Run, options: Options) -> Outcome:
    lost = 0
    while True:
        with ExitStack() as turn:
            if lost >= _PATIENCE:
                turn.enter_context(held(context.repository.common_dir, names.TURN, wait=600))
            base, workspace = deciding.base_of(context, run, push=options.push)
            if (landed := proof.landed_in(context, run, base)) is not None:
                return _landed_before(context, run, *landed, options)
            followed = gates.demand_open_for(context, workspace.name, run.record.run_type, base)
            attesting.demand_key(context, run.record.workspace_root, base)
            head = staging.head_of(context, run)
            run, made = deciding.prepare(context, run, workspace, base, head, options)
            outcome = deciding.judge(context, run, workspace, made, options, followed)
            if outcome.result != "landed" or outcome.verdict is None:
                return outcome
            run = outcome.run
            if publish(context, run, made, outcome.verdict, push=options.push):
                return _landed(context, run, made.commit, outcome.verdict, options)
        lost += 1
        time.sleep(random.uniform(0, 0.05 * min(lost, 10)))


def publish(context: Context, run: Run, made: Candidate, verdict: Verdict, *, push: bool = False) -> bool:
    """Steps 4 and 5. False when the target has moved on; NotLanded, with the evidence kept, when it cannot move.

    Where the base's policy wants the verdict signed, it is signed first: that too is evidence, and durable before.
    """
    context.at_step("publish")
    try:
        attesting.attest(context, run.record.workspace_root, verdict)
        return _pushed(context, run, made) if push else _swapped(context, run, made)
    except CannotRun as error:
        waiting = settling.wait(context, run, made.commit, verdict, f"verified, not landed: {error.message}")
        outcome = Outcome("not_landed", waiting, verdict, made.commit)
        raise NotLanded(f"verified, not landed: {error.message}", error.hint, outcome) from error


def _swapped(context: Context, run: Run, made: Candidate) -> bool:
    """Rehearse in every worktree that has the target checked out, then the one swap; then they follow."""
    with branches.moving(context):
        return _moved(context, run, made)


def _moved(context: Context, run: Run, made: Candidate) -> bool:
    target = run.record.target
    try:
        following = branches.rehearse(context, target, made.base, made.commit)
    except CannotRun:
        if refs.read(context.repository, target) != made.base:
            return False
        raise
    context.at_step("swap")
    reason = f"assay: land run {run.id}"
    candidate_ref = names.candidate(run.id)
    if not refs.publish(context.repository, target, made.commit, made.base, candidate_ref, made.commit, reason=reason):
        return False
    context.at_step("published")
    branches.follow(context, following, made.base, made.commit)
    return True


def _pushed(context: Context, run: Run, made: Candidate) -> bool:
    """The swap on a server, which has the verdict first. The local branch and its worktrees follow once it has C."""
    context.at_step("swap")
    syncing.bring_ahead(context, run.record.target)
    if not pushing.push(context, run.record.target, made.commit, made.base):
        return False
    context.at_step("published")
    pushing.catch_up(context, run.record.target, made.commit)
    return True


def _landed_before(context: Context, run: Run, commit: str, verdict: Verdict, options: Options) -> Outcome:
    """An earlier attempt was cut short behind the commit point; only the rest is left to do."""
    if options.push:
        pushing.catch_up(context, run.record.target, commit)
    done = settling.take_up(context, run, commit, verdict)
    return Outcome("landed", done, verdict, commit, examining.signer(context, verdict))


def _landed(context: Context, run: Run, commit: str, verdict: Verdict, options: Options) -> Outcome:
    """Step 6: what is left to do once the target stands at C. Sweep does the same after a crash."""
    done = settling.settle(context, run, commit, verdict)
    if not options.push and (followed := pushing.upstream(context, run.record.target)) is not None:
        short = run.record.target.removeprefix("refs/heads/")
        context.warn(f"{short} follows {followed[0]}, which does not have this yet: git push {followed[0]} {short}")
    return Outcome("landed", done, verdict, commit, examining.signer(context, verdict))
