"""One source into the wiki, as one run of type ingest: plan, read, draft, stage, verify, commit (alexandria 13)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitops.agents import revising
from gitops.agents.writers.ground import Plan
from gitops.agents.writers.offline import OfflineWriter, ground
from gitops.agents.writers.planning import plan
from gitops.errors import CannotRun, UsageError
from gitops.runs import abandoning, landing, proof, staging, store, targets
from gitops.runs.candidate import Conflict, NothingToLand
from gitops.runs.context import Context
from gitops.runs.outcome import Options, Outcome
from gitops.runs.records import Run
from gitops.runs.workspace import Workspace, rooted
from gitops.verify.finding import Level
from gitops.wiki.conventions import CANONICAL
from gitops.wiki.dated import normalised

if TYPE_CHECKING:
    from gitops.usage import Usage

TRIGGER = "cli:ingest"
_TRIES = 8
"""So often a source is planned anew because the target moved: each time somebody else's change got through."""


class Moved(CannotRun):
    """The target moved while a source was read or written: what was planned does not stand on it."""


@dataclass(frozen=True, slots=True)
class Request:
    """How sources are to be ingested. `target` is a branch's full name; `options` say how each run is finished."""

    target: str
    preset: str = "offline"
    options: Options = landing.AS_USUAL
    again: bool = False
    """Ingest a source also where a run has done so and nothing changed since."""


@dataclass(frozen=True, slots=True)
class Ingested:
    """What came of one source: nothing where the wiki said all of it already (`before` is the run that saw to it)."""

    source: str
    outcome: Outcome | None = None
    plan: Plan | None = None
    before: Run | None = None
    used: Usage | None = None

    @property
    def is_refused(self) -> bool:
        """Was something written that may not land as it is?"""
        return self.outcome is not None and self.outcome.result in ("rejected", "revise")


def ingest(
    context: Context, workspace: Workspace, source: str, request: Request, say: Callable[[str], None]
) -> Ingested:
    """Ingest the source at a repository path of the target. Where that moves meanwhile, a plan is made anew.

    CannotRun where the source cannot be read, where nothing of it can be claimed, and where a model gave no answer.
    """
    tries = 1
    while True:
        try:
            return _ingested(context, workspace, source, request, say)
        except Moved as error:
            if tries == _TRIES:
                raise
            say(f"{error.message}; reading it again")
        tries += 1


def _ingested(
    context: Context, workspace: Workspace, source: str, request: Request, say: Callable[[str], None]
) -> Ingested:
    base = targets.tip(context.repository, request.target)
    workspace = rooted(context.repository, base, workspace.layout.root)
    demand_canonical(workspace)
    done = None if request.again else _done_before(context, workspace, source, request, base)
    if done is not None:
        return Ingested(source, before=done)
    if workspace.config.llm.preset(request.preset).provider == "offline":
        return _offline(context, workspace, source, request, say)
    return _by_model(context, workspace, source, request, base, say)


def _offline(
    context: Context, workspace: Workspace, source: str, request: Request, say: Callable[[str], None]
) -> Ingested:
    """Write what was planned. Where a judge refuses claims of it, once more in a new run, without them."""
    say(f"reading {source}")
    first = _written(context, workspace, source, request, frozenset(), say)
    wrong = refused_claims(first.outcome)
    if not wrong:
        return first
    assert first.outcome is not None
    say(f"run {first.outcome.run.id} is rejected for {len(wrong)} claims; writing again without them")
    return _written(context, workspace, source, request, wrong, say)


def _written(
    context: Context,
    workspace: Workspace,
    source: str,
    request: Request,
    without: frozenset[str],
    say: Callable[[str], None],
) -> Ingested:
    """Plan on the target's tip, stage the pages whole, finish. Moved where the run stands on another tip."""
    base = targets.tip(context.repository, request.target)
    with ground(context, workspace, base) as at:
        made = plan(at, source, without)
    if not made.steps:
        return Ingested(source, plan=made)
    run = start(context, workspace, source, request)
    if run.record.base != base:  # staged whole, pages of the old tip would undo what came in
        raise _moved(context, run, source)
    writer = OfflineWriter(context, run, workspace, made)
    say(f"writing {len(made.steps)} pages in run {run.id}")
    try:
        outcome = revising.carry_through(context, run, writer, request.options, say)
    except (Conflict, NothingToLand) as error:
        if targets.tip(context.repository, request.target) == base:
            raise
        raise _moved(context, run, source) from error
    return Ingested(source, outcome, writer.plan)


def _moved(context: Context, run: Run, source: str) -> Moved:
    """Abandon a run that another change was faster than."""
    short = run.record.target.removeprefix("refs/heads/")
    told = f"{short} moved while {source} was ingested"
    abandoning.abandon(context, run.id, told)
    return Moved(told, "git assay ingest it again")


def refused_claims(found: Outcome | None) -> frozenset[str]:
    """The claims that a run was rejected for, where judges of claims rejected it, and nothing else did."""
    if found is None or found.result != "rejected" or found.verdict is None:
        return frozenset()
    errors = [one for one in found.verdict.findings if one.new and one.level is Level.ERROR]
    if not all(one.check == "support" and one.claim for one in errors):
        return frozenset()
    return frozenset(normalised(one.claim) for one in errors)


def _by_model(
    context: Context, workspace: Workspace, source: str, request: Request, base: str, say: Callable[[str], None]
) -> Ingested:
    from gitops.agents.writers.briefing import brief
    from gitops.agents.writers.claude import ClaudeWriter, opened
    from gitops.llm.opening import demand

    demand(workspace.config.llm, request.preset)  # what cannot be asked at all begins no run
    with ground(context, workspace, base) as at:
        told = brief(at, source, workspace.config.llm.preset(request.preset).context_tokens)
    run = start(context, workspace, source, request)
    messages = opened(context, workspace, request.preset, run.id)
    say(f"{messages.model} reads {source} and writes in run {run.id}")
    with ClaudeWriter(context, run, workspace, messages, told) as writer:
        outcome = revising.carry_through(context, run, writer, request.options, say)
        return Ingested(source, outcome, used=writer.used)


def start(context: Context, workspace: Workspace, source: str, request: Request) -> Run:
    """Begin the run. Its trigger says which preset writes, and so that a program answers for it."""
    asked = staging.Request("ingest", (workspace.layout.cited(source),), triggered_by=f"{TRIGGER} {request.preset}")
    return staging.start(context, workspace, request.target, asked)


def demand_canonical(workspace: Workspace) -> None:
    """UsageError where the wiki would not read what is written here."""
    dialects = workspace.config.citations.dialects
    if not set(CANONICAL.dialects) <= set(dialects):
        told = f"[citations] dialects of {workspace.layout.config} lacks 'canonical', in which claims are cited here"
        raise UsageError(told, f"dialects = {[*dialects, *CANONICAL.dialects]}")


def _done_before(context: Context, workspace: Workspace, source: str, request: Request, base: str) -> Run | None:
    """The landed run of the same preset that ingested this very content of the source, if the target still has it."""
    trigger, cited = f"{TRIGGER} {request.preset}", workspace.layout.cited(source)
    blob = context.tree(base).blob(source)
    for run in sorted(store.all_runs(context).values(), key=lambda run: run.id, reverse=True):
        record = run.record
        if (record.triggered_by, record.target, record.workspace_root) != (
            trigger,
            request.target,
            workspace.layout.root,
        ):
            continue
        stands = run.status == "committed" and cited in record.sources and not proof.outside(context, [run], base)
        if stands and context.tree(run.state.candidate).blob(source) == blob:
            return run
    return None
