"""`git assay synthesize`: what landed since the last synthesis, as a page, by a run of its own type.

One at a time: a synthesis that is pending, a draft too, is finished or abandoned before the next begins, as with a
rebase that is under way. Two would tell of the same claims, and the second would not know of the first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal

from gitops.agents import revising
from gitops.agents.synthesis import composing, rehearsing, since
from gitops.agents.synthesis.composing import Composed, Since
from gitops.agents.synthesis.offline import OfflineSynthesis
from gitops.errors import Absent, CannotRun, Refused, UsageError
from gitops.git import refs
from gitops.git.failure import FETCH_MORE
from gitops.git.locks import held
from gitops.runs import abandoning, gates, staging, store
from gitops.runs.candidate import Conflict
from gitops.runs.context import Context
from gitops.runs.outcome import Options, Outcome
from gitops.runs.records import Run
from gitops.runs.views import Bench
from gitops.runs.workspace import Workspace
from gitops.usage import Usage
from gitops.wiki.conventions import CANONICAL

TRIGGER = "cli:synthesize"
_LOCK = "SYNTHESIS"
"""No id of a run can be spelt like this."""
_PATIENCE_S = 60.0
State = Literal["nothing", "not_due", "planned", "finished"]


@dataclass(frozen=True, slots=True)
class Request:
    """How to synthesize: with `due` only when it is due; with `plan` nothing is written, what would be is told."""

    target: str
    preset: str = "offline"
    due: bool = False
    plan: bool = False
    options: Options = field(default_factory=Options)


@dataclass(frozen=True, slots=True)
class Synthesized:
    """What came of it. `since` is the day of the last synthesis, '' for the beginning; `due` when the next is due.

    `composed` is what is or would be written; of a model's page, what it was given. `outcome` is what came of its run,
    `used` what a model has used, or with `plan` would at least.
    """

    state: State
    since: str = ""
    due: datetime | None = None
    claims: int = 0
    composed: Composed | None = None
    outcome: Outcome | None = None
    used: Usage | None = None

    @property
    def is_refused(self) -> bool:
        """Was something written that may not land as it is?"""
        return self.outcome is not None and self.outcome.result in ("rejected", "revise")


class AnotherOpen(Refused):
    """A synthesis of the workspace is under way, or waits for somebody to finish or merge it."""


def synthesize(context: Context, workspace: Workspace, request: Request, say: Callable[[str], None]) -> Synthesized:
    """Synthesize what is new. Refused while another synthesis of the workspace is pending.

    CannotRun and OutOfBudget as `revising.carry_through` has them.
    """
    _demand_canonical(workspace)
    _demand_preset(context, workspace, request.preset)
    syntheses = since.of_workspace(store.all_runs(context).values(), workspace)
    last = since.last_landed(context, syntheses, request.target)
    due = since.due_at(last, workspace.config.synthesis.every)
    if request.due and due is not None and context.clock() < due:
        return Synthesized("not_due", due=due)
    if request.due:
        gates.demand_open(context, workspace.name, "synthesis", refs.read(context.repository, request.target) or "")
    if not request.plan:
        _refuse_second(syntheses)
    begins = since.begins_at(context, last) or ""
    start = Since(begins, f"{last.at:%Y-%m-%d}" if last is not None and begins else "")
    tip = refs.read(context.repository, request.target) or ""
    refused = rehearsing.refused_before(context, since.failed_since(syntheses, last))
    made = compose(context, workspace, tip, start, refused)
    done = Synthesized("nothing", start.day, claims=made.digest.claims)
    if not made.pages:
        return done
    if request.plan:
        return replace(done, state="planned", composed=made, used=_estimated(workspace, request.preset, made))
    if not _is_offline(workspace, request.preset):
        from gitops.llm.opening import demand

        demand(workspace.config.llm, request.preset)  # what cannot be asked now begins no run
    run = _begun(context, workspace, request, start, tip)
    return _written(context, workspace, run, request, replace(done, state="finished", composed=made), say)


def _refuse_second(syntheses: Sequence[Run]) -> None:
    if (waiting := since.open_one(syntheses)) is not None:
        what = "a draft of one waits" if waiting.state.draft_only else f"one is {waiting.status}"
        hint = f"git assay run finish {waiting.id}, or git assay run abandon {waiting.id}"
        raise AnotherOpen(f"one synthesis at a time, and {what}: {waiting.id}", hint)


def _begun(context: Context, workspace: Workspace, request: Request, start: Since, tip: str) -> Run:
    """Begin the run. Its trigger says which preset writes, and so that a program answers for it.

    Asked again under a lock whether another one is under way: two may have been called at once.
    """
    with held(context.repository.common_dir, _LOCK, wait=_PATIENCE_S):
        _refuse_second(since.of_workspace(store.all_runs(context).values(), workspace))
        return _started(context, workspace, request, start, tip)


def _started(context: Context, workspace: Workspace, request: Request, start: Since, tip: str) -> Run:
    reason = f"what is new since {start.day}" if start.day else "what is there so far"
    asked = staging.Request(since.RUN_TYPE, reason=reason, triggered_by=f"{TRIGGER} {request.preset}")
    run = staging.start(context, workspace, request.target, asked)
    if run.record.base != tip:  # what came in between would be taken for told by the next synthesis
        raise _moved(context, run, "before anything was written")
    return run


def _moved(context: Context, run: Run, when: str) -> CannotRun:
    """Abandon a synthesis that does not stand on the target any more."""
    told = f"the target moved {when}"
    abandoning.abandon(context, run.id, told)
    return CannotRun(told, "git assay synthesize again")


def compose(
    context: Context, workspace: Workspace, commit: str, start: Since, refused: frozenset[str] = frozenset()
) -> Composed:
    """What the offline writer says of a commit, against what was read before.

    CannotRun where this clone lacks a page or source that has to be read.
    """
    try:
        with Bench(context, workspace, commit) as bench:
            view = bench.base_view()
            found = composing.what_is_new(context, bench, view, start)
            return composing.compose(bench, view, found, start, f"{context.clock():%Y-%m-%d}", refused)
    except Absent as error:
        raise CannotRun(f"this clone lacks an object that has to be read: {error}", FETCH_MORE) from error


def _written(
    context: Context, workspace: Workspace, run: Run, request: Request, done: Synthesized, say: Callable[[str], None]
) -> Synthesized:
    assert done.composed is not None
    options = request.options
    if _is_offline(workspace, request.preset):
        is_judged = not (options.no_verify or options.draft_only)
        offline = OfflineSynthesis(context, run, workspace, done.composed, is_judged=is_judged)
        say(f"writing {done.composed.path} in run {run.id}")
        try:
            outcome = revising.carry_through(context, run, offline, options, say)
        except Conflict as error:  # left pending, it would hold every later synthesis up
            raise _moved(context, run, "while it was written") from error
        return replace(done, composed=offline.made, outcome=outcome)
    from gitops.agents.synthesis.claude import ClaudeSynthesis, opened

    messages = opened(context, workspace, request.preset, run.id)
    say(f"{messages.model} writes {done.composed.path} in run {run.id}")
    with ClaudeSynthesis(context, run, workspace, messages, done.composed) as writer:
        outcome = revising.carry_through(context, run, writer, options, say)
        return replace(done, outcome=outcome, used=writer.used)


def _estimated(workspace: Workspace, preset: str, made: Composed) -> Usage | None:
    if _is_offline(workspace, preset):
        return None
    from gitops.agents.synthesis.claude import estimated

    return estimated(workspace, preset, made)


def _is_offline(workspace: Workspace, preset: str) -> bool:
    return workspace.config.llm.preset(preset).provider == "offline"


def _demand_preset(context: Context, workspace: Workspace, preset: str) -> None:
    """UsageError for a preset that there is not or that cannot be asked, before a run is begun for it."""
    if not _is_offline(workspace, preset):
        from gitops.agents.synthesis.claude import opened

        opened(context, workspace, preset)


def _demand_canonical(workspace: Workspace) -> None:
    """UsageError where the wiki would not read the citations that are written here."""
    dialects = workspace.config.citations.dialects
    if not set(CANONICAL.dialects) <= set(dialects):
        told = f"[citations] dialects of {workspace.layout.config} lacks 'canonical', in which claims are cited here"
        raise UsageError(told, f"dialects = {[*CANONICAL.dialects, *dialects]}")
