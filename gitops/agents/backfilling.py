"""`git assay lint --cascade-backfill`: one run of type lint that touches the pages that ingests missed (M2).

The run names the sources of these ingests: that is how M2 counts its pages as touched for them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from gitops.agents import lint_runs, revising
from gitops.agents.ingesting import demand_canonical, refused_claims
from gitops.agents.lint_runs import Request as Request
from gitops.agents.writers import backfill_planning
from gitops.agents.writers.backfill_planning import Missed
from gitops.agents.writers.ground import Ground, Plan
from gitops.agents.writers.offline import OfflineWriter, ground
from gitops.errors import Absent, CannotRun
from gitops.git.failure import FETCH_MORE
from gitops.runs.context import Context
from gitops.runs.outcome import Outcome
from gitops.runs.records import Run
from gitops.runs.workspace import Workspace
from gitops.usage import Usage

OPTION = "--cascade-backfill"
REASON = "mend what ingests missed: pages that mention what their sources speak of"
State = Literal["nothing", "planned", "finished"]


@dataclass(frozen=True, slots=True)
class Backfilled:
    """What came of it: `nothing` where nothing was missed, or where the sources have nothing to add to what was.

    `plan` is what the offline writer wrote or would write, `first_turn` what a model would be given. `used` is what a
    model has used.
    """

    state: State
    plan: Plan | None = None
    first_turn: str = ""
    outcome: Outcome | None = None
    used: Usage | None = None

    @property
    def is_refused(self) -> bool:
        """Was something written that may not land as it is?"""
        return self.outcome is not None and self.outcome.result in ("rejected", "revise")


def backfill(
    context: Context, workspace: Workspace, missed: Sequence[Missed], request: Request, say: Callable[[str], None]
) -> Backfilled:
    """Mend what was missed. CannotRun where the target moved, a source is not here, or a model gave no answer."""
    demand_canonical(workspace)
    if not any(each.pages for each in missed):
        return Backfilled("nothing")
    try:
        if workspace.config.llm.preset(request.preset).provider == "offline":
            return _offline(context, workspace, missed, request, say)
        return _by_model(context, workspace, missed, request, say)
    except Absent as error:
        raise CannotRun(f"this clone lacks an object that has to be read: {error}", FETCH_MORE) from error


def _offline(
    context: Context, workspace: Workspace, missed: Sequence[Missed], request: Request, say: Callable[[str], None]
) -> Backfilled:
    """Write what was planned. Where a judge refuses claims of it, once more in a new run, without them."""
    first = _written(context, workspace, missed, request, frozenset(), say)
    wrong = refused_claims(first.outcome)
    if not wrong:
        return first
    say(f"{len(wrong)} claims are refused; writing again without them")
    return _written(context, workspace, missed, request, wrong, say)


def _written(
    context: Context,
    workspace: Workspace,
    missed: Sequence[Missed],
    request: Request,
    without: frozenset[str],
    say: Callable[[str], None],
) -> Backfilled:
    def planned(at: Ground, wrong: frozenset[str]) -> Plan:
        return backfill_planning.plan(at, missed, without | wrong)

    with ground(context, workspace, request.base) as at:
        made = planned(at, frozenset())
    if not made.steps or request.plan:
        return Backfilled("planned" if made.steps else "nothing", made)
    run = _begun(context, workspace, missed, request)
    writer = OfflineWriter(context, run, workspace, made, planned)
    say(f"writing {len(made.steps)} pages in run {run.id}")
    outcome = revising.carry_through(context, run, writer, request.options, say)
    return Backfilled("finished", writer.plan, outcome=outcome)


def _by_model(
    context: Context, workspace: Workspace, missed: Sequence[Missed], request: Request, say: Callable[[str], None]
) -> Backfilled:
    from gitops.agents.writers.backfill_briefing import brief
    from gitops.agents.writers.claude import ClaudeWriter, opened
    from gitops.llm.opening import demand

    with ground(context, workspace, request.base) as at:
        told = brief(at, missed, workspace.config.llm.preset(request.preset).context_tokens)
    if request.plan:
        return Backfilled("planned", first_turn=told.text)
    demand(workspace.config.llm, request.preset)  # what cannot be asked at all begins no run
    run = _begun(context, workspace, missed, request)
    messages = opened(context, workspace, request.preset, run.id, "lint")
    say(f"{messages.model} reads {told.source} and writes in run {run.id}")
    with ClaudeWriter(context, run, workspace, messages, told) as writer:
        outcome = revising.carry_through(context, run, writer, request.options, say)
        return Backfilled("finished", outcome=outcome, used=writer.used)


def _begun(context: Context, workspace: Workspace, missed: Sequence[Missed], request: Request) -> Run:
    sources = dict.fromkeys(workspace.layout.cited(source) for each in missed for source in each.sources)
    return lint_runs.begin(context, workspace, request, OPTION, REASON, tuple(sources))
