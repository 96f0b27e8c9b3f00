"""Proposals for conversations that other harnesses hold: made from their items, kept until these say what came of them.

The harness waits for its model, so it is the one who knows whether an answer came in time: what it says counts, however
late, as long as nobody said anything before. A proposal whose harness never came back is resolved by the next one of
its scope, once its time has passed: `auto`, for then the flush that it was made for is over. One of another scope is
resolved so a day later, for no next one may come.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from gitops.errors import Refused, UsageError
from gitops.eviction import handed_in, pending, proposing, resolving, storing
from gitops.eviction.heuristic import Weights
from gitops.eviction.model import ContextItem, EvictionFeedback, EvictionProposal, ResolvedBy
from gitops.eviction.pending import Pending
from gitops.eviction.ranking import Ranking
from gitops.eviction.scoring import Heuristic, Scorer
from gitops.git import locks
from gitops.runs.context import Context
from gitops.runs.workspace import Workspace

LOCK = "eviction"
WAIT_S = 30.0
FORGOTTEN_S = 24 * 60 * 60.0
"""So long after its time a proposal is resolved whose scope proposes nothing any more."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be proposed. `scope` '' is the workspace's name, `turn` None the last in which an item was used.

    As many items as have `need` tokens together, and no more than `limit`; None bounds nothing. `timeout_ms` None is
    the policy's.
    """

    scope: str = ""
    turn: int | None = None
    need: int | None = None
    limit: int | None = None
    timeout_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a harness says became of its proposal."""

    by: ResolvedBy
    exclude: Sequence[str] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Came:
    """What became of a proposal, and whether that was recorded before."""

    proposal: EvictionProposal
    feedback: EvictionFeedback
    is_repeated: bool


def propose(
    context: Context,
    workspace: Workspace,
    items: Sequence[ContextItem],
    wanted: Wanted,
    scorer: Scorer | None = None,
    weights: Weights | None = None,
) -> EvictionProposal:
    """Propose which items to evict, and keep the proposal until it is resolved.

    `scorer` None is the heuristic alone, `weights` None are the policy's. UsageError without items or where an id comes
    twice, Refused where there is none that may be evicted.
    """
    handed_in.refuse_unfit(items)
    policy = workspace.config.eviction
    scope = wanted.scope or workspace.name
    if told := handed_in.unnameable(scope):
        raise UsageError(f"the scope {told}", "a short name of the conversation: --scope talk-17")
    turn = (
        max(max(item.last_reference, item.turn) for item in items)
        if wanted.turn is None
        else min(wanted.turn, handed_in.MOST)
    )
    heuristic = Heuristic(Weights.of(policy.weights) if weights is None else weights)
    ranking = Ranking(heuristic, scorer, context.warn, waits=True)
    ranking.look([item for item in items if item.zone != "system"], turn, "")
    some = proposing.chosen(ranking.ranked(items, turn), wanted.need, wanted.limit)
    if not some:
        raise Refused("nothing may be evicted: every item is the system prompt's", "give items of other zones")
    made = proposing.proposal(scope, turn, context.clock(), some)
    timeout_ms = policy.feedback_timeout_ms if wanted.timeout_ms is None else wanted.timeout_ms
    with _alone(context):
        _expire(context, workspace, scope, made.proposal_id)
        if storing.of(context, made.proposal_id) is None:  # else the same was proposed, and resolved, in this second
            pending.put(context.folder, Pending(workspace=workspace.name, timeout_ms=timeout_ms, proposal=made))
    return made


def resolve(context: Context, workspace: Workspace, proposal_id: str, answer: Answer) -> Came:
    """Record what became of a proposal, durably; the same answer again changes nothing.

    UsageError for a proposal that there is not and for ids that it has not; Refused where another answer counts.
    """
    with _alone(context):
        recorded = storing.of(context, proposal_id)
        if recorded is not None:
            _tidy(context, proposal_id)
            return _again(recorded, answer)
        waiting = pending.of(context.folder, proposal_id)
        if waiting is None or waiting.workspace != workspace.name:
            hint = "git assay eviction propose makes one, and prints its id"
            raise UsageError(f"no proposal '{proposal_id}' waits in workspace {workspace.name} of this clone", hint)
        made = waiting.proposal
        feedback = resolving.resolved(made, context.clock(), answer.by, answer.exclude, answer.reason)
        _record(context, workspace, made, feedback)
        return Came(made, feedback, is_repeated=False)


def _again(recorded: tuple[EvictionProposal, EvictionFeedback], answer: Answer) -> Came:
    made, before = recorded
    resolving.refuse_others(made, answer.exclude)
    if {one.ctx_id for one in before.excluded} != set(answer.exclude):
        kept = ", ".join(one.ctx_id for one in before.excluded) or "nothing"
        told = f"{made.proposal_id} was resolved before, by {before.resolved_by}; kept back: {kept}"
        raise Refused(told, "what is evicted stays so; propose anew")
    return Came(made, before, is_repeated=True)


def _expire(context: Context, workspace: Workspace, scope: str, but: str) -> None:
    """Resolve what waits beyond its time, and nobody will come back for: of this scope at once, of others later."""
    for waiting in pending.every(context.folder, context.warn):
        made = waiting.proposal
        grace_s = 0.0 if made.scope_id == scope else FORGOTTEN_S
        if waiting.workspace != workspace.name or made.proposal_id == but:
            continue
        if waiting.is_over(context.clock(), grace_s):
            if storing.of(context, made.proposal_id) is not None:
                _tidy(context, made.proposal_id)
                continue
            _record(context, workspace, made, resolving.resolved(made, context.clock(), "auto"))
            where = "of the same scope" if made.scope_id == scope else f"of {made.scope_id}"
            context.warn(f"{made.proposal_id} {where} was never resolved: all of it counts as evicted")


def _record(context: Context, workspace: Workspace, made: EvictionProposal, feedback: EvictionFeedback) -> None:
    storing.keep(context, workspace, made, feedback)
    pending.drop(context.folder, made.proposal_id)


def _tidy(context: Context, proposal_id: str) -> None:
    """Finish what somebody was killed at, who had recorded a proposal: its row, and its file."""
    if pending.is_there(context.folder, proposal_id):
        storing.mirrored(context, proposal_id)
        pending.drop(context.folder, proposal_id)


@contextmanager
def _alone(context: Context) -> Iterator[None]:
    """One at a time looks whether a proposal is resolved, and resolves it."""
    with locks.held(context.repository.common_dir, LOCK, WAIT_S):
        yield
