"""Resolved proposals for tests: written down by hand, a candidate in a line."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from gitops.eviction.model import (
    ContextZone,
    EvictionCandidate,
    EvictionExclusion,
    EvictionFeedback,
    EvictionProposal,
    ResolvedBy,
)

BEGUN = datetime(2026, 1, 1, tzinfo=UTC)


def candidate(
    ctx_id: str,
    zone: ContextZone = "chronicle",
    score: float = 0.2,
    *,
    age: int = 3,
    tokens: int = 100,
    references: int = 0,
    snippet: str = "",
) -> EvictionCandidate:
    return EvictionCandidate(
        ctx_id=ctx_id,
        zone=zone,
        relevance_score=score,
        age_turns=age,
        token_count=tokens,
        references=references,
        snippet=snippet,
    )


def resolved(
    candidates: Sequence[EvictionCandidate],
    kept: Sequence[str] = (),
    *,
    number: int = 0,
    scope: str = "talk",
    by: ResolvedBy = "llm",
    scorer: str = "heuristic",
    reason: str | None = None,
) -> tuple[EvictionProposal, EvictionFeedback]:
    moment = BEGUN + timedelta(minutes=number)
    proposal = EvictionProposal(
        proposal_id=f"{scope}-{number}",
        scope_id=scope,
        turn_number=number,
        proposed_at=moment,
        scorer_model=scorer,
        candidates=list(candidates),
    )
    return proposal, EvictionFeedback(
        proposal_id=proposal.proposal_id,
        scope_id=scope,
        resolved_at=moment,
        resolved_by=by,
        evicted=[each.ctx_id for each in candidates if each.ctx_id not in kept],
        excluded=[
            EvictionExclusion(ctx_id=each.ctx_id, relevance_score=each.relevance_score, exclude_reason=reason)
            for each in candidates
            if each.ctx_id in kept
        ],
    )


def many(
    kept: int, of: int, zone: ContextZone = "chronicle", score: float = 0.2, *, age: int = 3, scope: str = "talk"
) -> list[tuple[EvictionProposal, EvictionFeedback]]:
    """Proposals of one item each, the first so many of which were kept back."""
    return [
        resolved(
            [candidate(f"{zone}-{score}-{age}-{at}", zone, score, age=age)],
            [f"{zone}-{score}-{age}-{at}"] if at < kept else [],
            number=at,
            scope=scope,
        )
        for at in range(of)
    ]
