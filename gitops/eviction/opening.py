"""Puts keepers and scorers together from a policy: `[eviction]`, and the preset that scores where it names one."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from gitops.errors import AssayError
from gitops.eviction import storing
from gitops.eviction.heuristic import Weights
from gitops.eviction.keeping import Keeper, Room, Store
from gitops.eviction.model import EvictionFeedback, EvictionProposal
from gitops.eviction.ranking import Ranking
from gitops.eviction.scoring import HEURISTIC, ByModel, Heuristic
from gitops.llm.opening import is_recorded, open_messages
from gitops.runs.context import Context
from gitops.runs.workspace import Workspace

if TYPE_CHECKING:
    from gitops.llm.messages import Messages

FULL = 0.9
"""This share of what a model reads at once is the limit where the policy names none: the answer needs room, too."""
SCORER_SHARE = 0.1
"""A scorer may spend this share of the budget of the operation that it scores for."""
OUTSIDE = "query"
"""Whose budget scorers share that score for conversations which other harnesses hold."""
_RECORDING = threading.Lock()


def keeper(
    context: Context,
    workspace: Workspace,
    operation: str,
    scope: str,
    messages: Messages,
    weights: Weights | None = None,
) -> Keeper:
    """The keeper of one conversation (`runs.shortening.Keeping`). UsageError for a scorer or weights that are none.

    `weights` None are the policy's.
    """
    policy = workspace.config.eviction
    limit = policy.token_limit or int(messages.context_tokens * FULL)
    waits = is_recorded()
    room = Room(limit, int(limit * policy.keep), None if waits else policy.feedback_timeout_ms / 1000)
    chosen = Weights.of(policy.weights) if weights is None else weights
    by_model = scorer(context, workspace, operation, scope)
    ranking = Ranking(Heuristic(chosen), by_model, context.warn, waits=waits)
    store = recorder(context, workspace)
    offers_flush, clock, warn = policy.flush_tool, context.clock, context.warn_once
    return Keeper(scope, messages, room, ranking, store, clock, warn, offers_flush=offers_flush)


def scorer(context: Context, workspace: Workspace, operation: str, scope: str = "") -> ByModel | None:
    """The model that scores, on a tenth of the operation's budget and in a role of its own; None for the heuristic.

    Nothing is asked yet. UsageError for a preset that there is not, or that has no model.
    """
    name, llm = workspace.config.eviction.scorer, workspace.config.llm
    if name == HEURISTIC:
        return None
    from gitops.llm.ledger import Ledger

    budget = llm.budgets.of(operation).times(SCORER_SHARE)
    run_id = scope.partition("/")[0]
    ledger = Ledger(context.folder, context.clock, workspace.name, operation, "scorer", run_id, budget)
    return ByModel(open_messages(llm, name, ledger), workspace.config.eviction.guidance)


def recorder(context: Context, workspace: Workspace) -> Store:
    """Records what became of proposals of our own conversations. What cannot be recorded is told, and stops nothing."""

    def keep(proposal: EvictionProposal, feedback: EvictionFeedback) -> None:
        try:
            with _RECORDING:  # conversations may be held side by side, and a repository is one thread's at a time
                storing.keep(context, workspace, proposal, feedback)
        except AssayError as error:
            context.warn_once(f"what was left out of a conversation is not recorded: {error.message}")

    return keep
