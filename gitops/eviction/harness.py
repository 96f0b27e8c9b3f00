"""Proposals for conversations that other harnesses hold: made from their items, kept until these say what came of them.

The harness waits for its model, so it is the one who knows whether an answer came in time: what it says counts, however
late, as long as nobody said anything before. A proposal whose harness never came back is resolved by the next one of
its scope, once its time has passed: `auto`, for then the flush that it was made for is over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from pydantic import ValidationError

from gitops.errors import Refused, UsageError
from gitops.eviction import pending, proposing, resolving, storing
from gitops.eviction.heuristic import Weights
from gitops.eviction.model import ContextItem, EvictionFeedback, EvictionProposal, ResolvedBy
from gitops.eviction.pending import Pending
from gitops.eviction.ranking import Ranking
from gitops.eviction.scoring import Heuristic, Scorer
from gitops.git import locks
from gitops.runs import jsonlines
from gitops.runs.bad_input import BadInput, Fault
from gitops.runs.context import Context
from gitops.runs.workspace import Workspace

LOCK = "eviction"
WAIT_S = 30.0
MOST = 1_000_000_000_000
"""No number of an item is larger."""
_HINT = "one JSON object a line: git assay schema context-item"


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


def read(data: bytes, name: str) -> list[ContextItem]:
    """The items of JSON Lines. BadInput names the line of the first that is none, or whose id came before."""
    found: dict[str, ContextItem] = {}
    for number, value in jsonlines.objects(data, name, _HINT):
        try:
            item = ContextItem.model_validate(value, strict=True)
        except ValidationError as error:
            raise BadInput(name, [Fault(number, _wrong(error))], _HINT) from None
        if told := _beyond(item):
            raise BadInput(name, [Fault(number, told)], _HINT)
        if item.ctx_id in found:
            raise BadInput(name, [Fault(number, f"ctx_id {item.ctx_id!r} came before")], "give every item its own id")
        found[item.ctx_id] = item
    return list(found.values())


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
    _refuse_nothing(items)
    policy = workspace.config.eviction
    scope = wanted.scope or workspace.name
    turn = max(max(item.last_reference, item.turn) for item in items) if wanted.turn is None else min(wanted.turn, MOST)
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
            pending.drop(context.folder, proposal_id)  # killed in between, it was left there
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
        told = f"{made.proposal_id} was resolved before, by {before.resolved_by}, and {kept} was kept back"
        raise Refused(told, "what is evicted stays so; propose anew")
    return Came(made, before, is_repeated=True)


def _expire(context: Context, workspace: Workspace, scope: str, but: str) -> None:
    """Resolve what waits in a scope beyond its time, and nobody will come back for."""
    for waiting in pending.every(context.folder):
        made = waiting.proposal
        is_here = (waiting.workspace, made.scope_id) == (workspace.name, scope) and made.proposal_id != but
        if is_here and waiting.is_over(context.clock()):
            if storing.of(context, made.proposal_id) is None:
                _record(context, workspace, made, resolving.resolved(made, context.clock(), "auto"))
            pending.drop(context.folder, made.proposal_id)
            context.warn(f"{made.proposal_id} of the same scope was never resolved: all of it counts as evicted")


def _record(context: Context, workspace: Workspace, made: EvictionProposal, feedback: EvictionFeedback) -> None:
    storing.keep(context, workspace, made, feedback)
    pending.drop(context.folder, made.proposal_id)


@contextmanager
def _alone(context: Context) -> Iterator[None]:
    """One at a time looks whether a proposal is resolved, and resolves it."""
    with locks.held(context.repository.common_dir, LOCK, WAIT_S):
        yield


def _refuse_nothing(items: Sequence[ContextItem]) -> None:
    counted = Counter(item.ctx_id for item in items)
    if not counted:
        raise UsageError("there are no items to propose from", _HINT)
    for ctx_id, count in counted.items():
        if count > 1:
            raise UsageError(f"ctx_id {ctx_id!r} comes {count} times", "give every item its own id")
    for item in items:
        if told := _beyond(item):
            raise UsageError(f"{item.ctx_id}: {told}", "numbers of turns and tokens are smaller")


def _beyond(item: ContextItem) -> str:
    """Which of an item's numbers no conversation has, and no column holds; '' where none is such."""
    numbers = ("token_count", "turn", "last_reference", "references")
    return next((f"{name}: more than {MOST:,}" for name in numbers if getattr(item, name) > MOST), "")


def _wrong(error: ValidationError) -> str:
    first = error.errors(include_input=False, include_url=False)[0]
    return f"{'.'.join(map(str, first['loc'])) or 'the item'}: {first['msg']}"
