"""What becomes of a proposal: what is kept back, by whom and why; all else is evicted. Values in, values out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from gitops.errors import UsageError
from gitops.eviction.model import EvictionExclusion, EvictionFeedback, EvictionProposal, ResolvedBy


def resolved(
    proposal: EvictionProposal, at: datetime, by: ResolvedBy, exclude: Sequence[str] = (), reason: str = ""
) -> EvictionFeedback:
    """The feedback of an answer that keeps some candidates back. UsageError for ids that are none, or given twice."""
    refuse_others(proposal, exclude)
    if exclude and by == "auto":
        raise UsageError("what nobody answered keeps nothing back", "say who did: by llm or by user")
    kept = frozenset(exclude)
    told = " ".join(reason.split()) or None
    return EvictionFeedback(
        proposal_id=proposal.proposal_id,
        scope_id=proposal.scope_id,
        resolved_at=at,
        resolved_by=by,
        evicted=[one.ctx_id for one in proposal.candidates if one.ctx_id not in kept],
        excluded=[
            EvictionExclusion(ctx_id=one.ctx_id, relevance_score=one.relevance_score, exclude_reason=told)
            for one in proposal.candidates
            if one.ctx_id in kept
        ],
    )


def refuse_others(proposal: EvictionProposal, exclude: Sequence[str]) -> None:
    """UsageError for the first id that the proposal has not, or that is given twice."""
    known = [one.ctx_id for one in proposal.candidates]
    for ctx_id, count in Counter(exclude).items():
        if ctx_id not in known:
            some = ", ".join(known[:5]) + (", …" if len(known) > 5 else "")
            raise UsageError(f"'{ctx_id}' is no candidate of {proposal.proposal_id}", f"its candidates: {some}")
        if count > 1:
            raise UsageError(f"'{ctx_id}' is to be kept back twice", "name it once")
