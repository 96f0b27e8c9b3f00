"""Proposals: which items are to be evicted, by their ranking and by how much room is needed. Values in, values out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from gitops.canonical import digest
from gitops.eviction.model import EvictionCandidate, EvictionProposal
from gitops.eviction.ranking import Ranked
from gitops.eviction.scoring import HEURISTIC


def chosen(
    ranked: Sequence[Ranked],
    need: int | None = None,
    limit: int | None = None,
    saved: Callable[[Ranked], int] = lambda one: one.item.token_count,
) -> list[Ranked]:
    """The items to propose, the least relevant first, but never the system prompt.

    As many as save `need` tokens together, and no more than `limit`; None bounds nothing. `saved` says how many tokens
    leaving an item out saves.
    """
    found: list[Ranked] = []
    room = 0
    for one in ranked:
        if (need is not None and room >= need) or (limit is not None and len(found) >= limit):
            break
        if one.item.zone != "system":
            found.append(one)
            room += saved(one)
    return found


def proposal(scope: str, turn: int, at: datetime, ranked: Sequence[Ranked]) -> EvictionProposal:
    """The proposal of some items, the least relevant first. The same at the same moment is the same proposal."""
    candidates = [_candidate(one, turn) for one in ranked]
    scorers = {one.scorer for one in ranked} - {HEURISTIC}
    made = EvictionProposal(
        proposal_id="",
        scope_id=scope,
        turn_number=turn,
        proposed_at=at,
        scorer_model=min(scorers, default=HEURISTIC),
        candidates=candidates,
    )
    return made.model_copy(update={"proposal_id": f"ev-{digest(made.model_dump(mode='json'))[:16]}"})


def _candidate(one: Ranked, turn: int) -> EvictionCandidate:
    item = one.item
    return EvictionCandidate(
        ctx_id=item.ctx_id,
        zone=item.zone,
        relevance_score=round(one.score, 4),
        age_turns=max(0, turn - max(item.last_reference, item.turn)),
        token_count=item.token_count,
        references=item.references,
        snippet=item.snippet,
    )
