"""From a run to a verdict on the exact commit that would land (`PROTOCOL.md` 2, steps 1 to 3)."""

from __future__ import annotations

from dataclasses import replace

from gitops.errors import AssayError, CannotRun, OutOfBudget
from gitops.git import refs
from gitops.runs import (
    attesting,
    candidate,
    endings,
    judgements,
    judging,
    names,
    pushing,
    rebasing,
    settling,
    store,
    transcripts,
)
from gitops.runs.candidate import Candidate, Conflict
from gitops.runs.context import Context
from gitops.runs.judging import Judgement
from gitops.runs.outcome import Options, Outcome
from gitops.runs.records import FINAL, Run, StateRecord, added_up
from gitops.runs.seating import Asking
from gitops.runs.workspace import Workspace, rooted
from gitops.verify.verdict import Followed, Verdict

WRITERS = ("cli:ingest ", "cli:synthesize ", "cli:lint --cascade-backfill ", "cli:lint --resolve-contradictions ")
"""The beginnings of what triggers a run that a preset writes; behind them stands the preset's name."""


def base_of(context: Context, run: Run, *, push: bool = False) -> tuple[str, Workspace]:
    """B and its policy: the target's tip here, or at the upstream when the landing is to be pushed."""
    target = run.record.target
    base = pushing.fetched_base(context, target) if push else refs.read(context.repository, target)
    if base is None:
        raise CannotRun(f"the target {target} is gone", f"git assay run abandon {run.id}")
    return base, rooted(context.repository, base, run.record.workspace_root)


def demand_unbroken(context: Context, run: Run, base: str, head: str) -> None:
    """CannotRun where B has dropped what the run was begun on: merged, it would bring other people's commits back."""
    if rebasing.dropped(context, run, base, head) is not None:
        short = run.record.target.removeprefix("refs/heads/")
        final = run.status in FINAL
        hint = f"git assay run start --from {run.id}" if final else f"git assay run rebase {run.id}"
        raise CannotRun(f"{short} was rewritten since run {run.id} began", hint)


def _made(context: Context, run: Run, workspace: Workspace, base: str, head: str, moment: str) -> Candidate:
    demand_unbroken(context, run, base, head)
    try:
        return candidate.build(context, run, workspace, base, head, moment)
    except Conflict as error:
        local = refs.read(context.repository, run.record.target)
        if local in (None, base):
            raise
        # The base is the upstream's; a rebase here would look at a branch that lacks what conflicts.
        raise Conflict(error.message, f"git pull --ff-only, then {error.hint}") from error


def prepare(
    context: Context, run: Run, workspace: Workspace, base: str, head: str, options: Options
) -> tuple[Run, Candidate]:
    """Steps 1 and 2. An attempt that was killed on the same B and R is taken up, so that C comes out the same."""
    before = run.state
    again = before.status == "verifying" and (before.base, before.head) == (base, head)
    moment = before.at if again else context.now
    try:
        made = _made(context, run, workspace, base, head, moment)
    except AssayError:
        if before.status == "verifying":
            endings.record(context, run, endings.next_state(context, run, "pending", candidate=""))
            endings.drop_candidate(context, run.id)
        raise
    context.at_step("verifying")
    used = options.used or (options.writer.record() if options.writer.calls else before.used)
    spent = before.spent | (added_up({}, "writer", options.writer) if options.writer.calls else {})
    if not again or (before.candidate, before.used, before.spent) != (made.commit, used, spent):
        fields = {"base": base, "head": head, "candidate": made.commit, "at": moment, "reason": "", "draft_only": False}
        state = endings.next_state(context, run, "verifying", used=used, spent=spent, **fields)
        run = endings.record(context, run, candidate.plan(run, base, head, made.operations), state)
    context.at_step("candidate")
    ref = names.candidate(run.id)
    while (old := refs.read(context.repository, ref)) != made.commit:
        refs.move(context.repository, ref, made.commit, old, f"assay: candidate of run {run.id}")
    return run, made


def judge(
    context: Context,
    run: Run,
    workspace: Workspace,
    made: Candidate,
    options: Options,
    followed: tuple[Followed, ...] = (),
) -> Outcome:
    """Step 3: verify C against B, and put the verdict where it outlives this process. `landed` means: it may.

    `followed` are the measurements by which the gates let the run through.
    """
    context.at_step("verify")
    asking = Asking(fresh=options.fresh, nobody=options.no_verify, spent=run.state.spent.get("verifier", {}))
    try:
        judgement = judging.judge_candidate(context, run, workspace, made, asking)
        stated = verdict_on(context, run, workspace, made, judgement, options, followed)
    except AssayError as error:
        told = _without_verdict(context, run, made, asking, error)
        if told is error:
            raise
        raise told from error
    except KeyboardInterrupt:
        _without_verdict(context, run, made, asking, CannotRun("interrupted"))
        raise
    context.at_step("verdict")
    votes = judgements.lines(asking, "landing", context.now)
    votes += judgements.signed_list(context, workspace.name, made.base, made.commit, votes)
    verdict = store.append_verdict(context, stated, votes)
    attesting.remember_no(context, verdict)
    transcripts.keep_all(context, run, asking.transcripts, verdict.id)
    if asking.used.calls:
        run = replace(run, states=(*run.states[:-1], _spent(run, asking)))
    # Somebody else may have judged the same candidate: reject wins, if it counts.
    root, there = run.record.workspace_root, store.verdicts_on(context, made.commit)
    verdict = store.standing(attesting.counting(context, root, made.base, there, verdict), made.commit) or verdict
    match verdict.verdict:
        case "reject":
            context.at_step("rejected")
            given = settling.given(verdict)
            ended = endings.reject(context, run, made.head, verdict.reasoning, made.commit, **given)
            return Outcome("rejected", ended, verdict, made.commit)
        case "revise":
            return _revised(context, run, workspace, made, verdict)
        case _:
            return Outcome("landed", run, verdict, made.commit)


def _without_verdict(context: Context, run: Run, made: Candidate, asking: Asking, error: AssayError) -> AssayError:
    """No verdict: the run waits, and what the judges spent is on record. Out of budget, it is abandoned, head kept."""
    transcripts.keep_all(context, run, asking.transcripts)
    spent = _spent(run, asking).spent
    if isinstance(error, OutOfBudget):
        endings.abandon(
            context, run, made.head, made.commit, f"the verifier's budget ran out: {error.message}", spent=spent
        )
        told = f"run {run.id} is abandoned, its content is kept: {error.message}"
        return OutOfBudget(told, f"{error.hint}; then git assay run start --from {run.id} takes it up")
    waiting = endings.next_state(context, run, "pending", reason=error.message, candidate="", spent=spent)
    endings.record(context, run, waiting)
    endings.drop_candidate(context, run.id)
    return error


def _spent(run: Run, asking: Asking) -> StateRecord:
    """The run's present state, with what its verifier spent just now added."""
    if not asking.used.calls:
        return run.state
    return run.state.model_copy(update={"spent": added_up(run.state.spent, "verifier", asking.used)})


def verdict_on(
    context: Context,
    run: Run,
    workspace: Workspace,
    made: Candidate,
    judgement: Judgement,
    options: Options,
    followed: tuple[Followed, ...] = (),
    *,
    is_open: bool = False,
) -> Verdict:
    """The verdict, ready to be recorded. CannotRun where the policy wants votes that there are not.

    Where votes are still open none are wanted: a rehearsal asks no judge that costs something.
    """
    if not options.no_verify:
        if not is_open:
            judging.demand_votes(workspace, judgement)
        return judging.state(context, run, workspace, made, judgement, followed=followed)
    sealed = judging.sealed_only(judgement)
    if sealed:
        first = f"{sealed[0].path}: {sealed[0].message}"
        return judging.state(context, run, workspace, made, judgement, "reject", f"not verified, and refused: {first}")
    why = "not verified, as asked (--no-verify)"
    return judging.state(context, run, workspace, made, judgement, "commit", why, unverified=True, followed=followed)


def _revised(context: Context, run: Run, workspace: Workspace, made: Candidate, verdict: Verdict) -> Outcome:
    """Back to pending. An agent that was sent back too often is rejected; a person may take their time."""
    loops = len(run.revised_heads | {made.head})
    fields = {"loop_count": loops, **settling.given(verdict)}
    context.at_step("revised")
    if is_agent(run) and loops > workspace.config.verify.max_loops:
        reason = f"still to be revised after {workspace.config.verify.max_loops} loops: {verdict.reasoning}"
        ended = endings.reject(context, run, made.head, reason, made.commit, **fields)
        return Outcome("rejected", ended, verdict, made.commit)
    back = endings.next_state(context, run, "pending", reason=verdict.reasoning, candidate="", **fields)
    sent = endings.record(context, run, back)
    endings.drop_candidate(context, run.id)
    return Outcome("revise", sent, verdict, made.commit)


def is_agent(run: Run) -> bool:
    """Does a program, not a person, answer for this run? Of the commands, those whose pages a preset writes."""
    by = run.record.triggered_by
    return by.startswith(WRITERS) or not by.startswith(("cli:", "push:"))
