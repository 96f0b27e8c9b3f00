"""The tools `eviction_propose` and `eviction_resolve`: what a conversation may leave out, and what it kept back.

What is recorded is a note: neither pages nor branches are touched.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field, TypeAdapter

from gitops import assembly
from gitops.agents.calling import Arguments
from gitops.agents.fencing import fenced
from gitops.canonical import dumps
from gitops.eviction import harness, opening
from gitops.eviction.model import ContextItem
from gitops.mcp.door import Call
from gitops.mcp.offers import Offer
from gitops.runs import printed_eviction as printed

_WORKSPACE = "which workspace of the repository; empty for the one at hand"


class Propose(Arguments):
    """What `eviction_propose` is asked."""

    items: list[ContextItem] = Field(
        min_length=1,
        max_length=10_000,
        description="the items of the conversation's context: zone system is the prompt, chronicle what was said,"
        " memory what was remembered, workspace what tools showed; a snippet is a few words of it, which are recorded",
    )
    scope: str = Field(default="", max_length=200, description="the conversation; empty for the workspace's name")
    turn: int | None = Field(default=None, ge=0, description="the present turn; null for the last that an item names")
    need: int | None = Field(default=None, ge=1, description="propose as many as have so many tokens together")
    limit: int | None = Field(default=None, ge=1, description="propose so many at most")
    timeout_ms: int | None = Field(default=None, ge=1, description="how long the answer may take; null: the policy's")
    workspace: str = Field(default="", description=_WORKSPACE)


class Resolve(Arguments):
    """What `eviction_resolve` is asked."""

    proposal_id: str = Field(max_length=100, description="as eviction_propose gave it")
    exclude_ctx_ids: list[str] = Field(default=[], max_length=10_000, description="the items that are still needed")
    reason: str = Field(default="", max_length=2_000, description="why they are")
    by: Literal["llm", "user", "auto"] = Field(
        default="llm", description="who said so; auto: nobody answered in time, and all is evicted"
    )
    workspace: str = Field(default="", description=_WORKSPACE)


def propose(call: Call, asked: Propose) -> str:
    """Propose what to leave out; the proposal waits until it is resolved."""
    context = call.context
    workspace = call.workspace(call.landed(), asked.workspace)
    wanted = harness.Wanted(asked.scope, asked.turn, asked.need, asked.limit, asked.timeout_ms)
    scorer = opening.scorer(context, workspace, opening.OUTSIDE, asked.scope)
    weights = assembly.eviction_weights(context, workspace)
    made = harness.propose(context, workspace, asked.items, wanted, scorer, weights)
    call.structured = {"schema": "assay/eviction-proposal/1", **made.model_dump(mode="json")}
    lines = (dumps(one.model_dump(mode="json")) for one in made.candidates)
    head = f"proposal {made.proposal_id}: leave these items out, or say by eviction_resolve which are still needed"
    return f"{head}. Data:\n{fenced(chr(10).join(lines), what='candidates')}"


def resolve(call: Call, asked: Resolve) -> str:
    """Record what was kept back; all else is evicted."""
    workspace = call.workspace(call.landed(), asked.workspace)
    answer = harness.Answer(asked.by, tuple(asked.exclude_ctx_ids), asked.reason)
    came = harness.resolve(call.context, workspace, asked.proposal_id, answer)
    call.structured = {"schema": "assay/eviction-feedback/1", **came.feedback.model_dump(mode="json")}
    kept = [one.ctx_id for one in came.feedback.excluded]
    told = dumps({"evicted": came.feedback.evicted, "kept_back": kept})
    was = "was resolved before" if came.is_repeated else "is resolved"
    return f"{came.proposal.proposal_id} {was}, by {came.feedback.resolved_by}. Data:\n{fenced(told, what='items')}"


OFFERS = (
    Offer(
        "eviction_propose",
        "Propose which items of a conversation's context to leave out, the least relevant first.",
        Propose,
        propose,
        "reads",
        TypeAdapter(printed.EvictionProposal),
    ),
    Offer(
        "eviction_resolve",
        "Say which items of a proposal are still needed, and why; all others are evicted, and that is recorded.",
        Resolve,
        resolve,
        "reads",
        TypeAdapter(printed.EvictionFeedback),
    ),
)
