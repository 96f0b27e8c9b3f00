"""The models of silas 19.2, by the specification's names, and the items that proposals are made of."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

ContextZone = Literal["system", "chronicle", "memory", "workspace"]
"""Where an item of context comes from: the prompt (never proposed), the conversation, what was remembered, what tools
showed of the workspace."""
ResolvedBy = Literal["llm", "user", "auto"]


class Part(BaseModel):
    """Frozen, and closed to what it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class ContextItem(Part):
    """A part of a conversation that may be left out: `last_reference` is the turn in which it was last used."""

    ctx_id: str = Field(min_length=1, max_length=200)
    zone: ContextZone
    token_count: int = Field(ge=0)
    turn: int = Field(default=0, ge=0)
    """The turn in which it came."""
    last_reference: int = Field(default=0, ge=0)
    references: int = Field(default=0, ge=0)
    snippet: str = ""
    """A few words of it, for whoever is to say whether it is still needed."""


class EvictionCandidate(Part):
    """A single item proposed for eviction. `relevance_score`: 0 is irrelevant, 1 critical."""

    ctx_id: str
    zone: ContextZone
    relevance_score: float = Field(ge=0, le=1)
    age_turns: int = Field(ge=0)
    token_count: int = Field(ge=0)
    references: int = Field(default=0, ge=0)
    snippet: str = ""


class EvictionProposal(Part):
    """A batch of items that a scorer proposes for eviction, the least relevant first."""

    proposal_id: str
    scope_id: str
    turn_number: int
    proposed_at: datetime
    scorer_model: str
    candidates: list[EvictionCandidate]


class EvictionExclusion(Part):
    """A keep-back: the scorer wanted the item out, and was overridden."""

    ctx_id: str
    relevance_score: float
    exclude_reason: str | None = None


class EvictionFeedback(Part):
    """What became of a proposal. `resolved_by` is `auto` where nobody answered in time: then all of it is evicted."""

    proposal_id: str
    scope_id: str
    resolved_at: datetime
    resolved_by: ResolvedBy
    evicted: list[str]
    excluded: list[EvictionExclusion]
