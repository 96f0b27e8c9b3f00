"""The shapes that `git assay eviction propose` and `resolve` print: what `git assay schema` tells of them."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict  # pydantic takes typing's own only from Python 3.12 on

Zone = Literal["system", "chronicle", "memory", "workspace"]


class EvictionCandidate(TypedDict):
    """An item that is proposed for eviction. `relevance_score`: 0 is irrelevant, 1 critical."""

    ctx_id: str
    zone: Zone
    relevance_score: float
    age_turns: int
    token_count: int
    references: int
    snippet: str


class EvictionProposal(TypedDict):
    """A batch of items that a scorer proposes for eviction, the least relevant first; it waits to be resolved."""

    schema: Literal["assay/eviction-proposal/1"]
    proposal_id: str
    scope_id: str
    turn_number: int
    proposed_at: str
    scorer_model: str
    candidates: list[EvictionCandidate]


class EvictionExclusion(TypedDict):
    """An item that was kept back, what the scorer had thought of it, and why it was, where somebody said."""

    ctx_id: str
    relevance_score: float
    exclude_reason: str | None


class EvictionFeedback(TypedDict):
    """What became of a proposal, as it is recorded. `auto`: nobody answered in time, and all of it is evicted."""

    schema: Literal["assay/eviction-feedback/1"]
    proposal_id: str
    scope_id: str
    resolved_at: str
    resolved_by: Literal["llm", "user", "auto"]
    evicted: list[str]
    excluded: list[EvictionExclusion]
