"""What became of proposals to evict: read from the notes, and as rows of `eviction_feedback`, which mirror them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gitops.canonical import dumps
from gitops.index.replacing import Block
from gitops.runs import feedback
from gitops.runs.context import Context
from gitops.runs.feedback import Evicted

COLUMNS = (
    *("proposal_id", "scope_id", "resolved_at", "resolved_by", "evicted", "excluded"),
    *("turn_number", "proposed_at", "scorer_model", "candidates"),
)
_CANDIDATE = ("ctx_id", "zone", "relevance_score", "age_turns", "token_count")


def all_evicted(context: Context, proposal_id: str = "") -> list[Evicted]:
    """The records on all commits, oldest first; of a proposal that was resolved twice the first alone.

    With a `proposal_id` it is no more than those that name it.
    """
    first: dict[str, Evicted] = {}
    for said in feedback.everything(context, Evicted, proposal_id):
        first.setdefault(str(said.resolution.get("proposal_id")), said)
    return list(first.values())


def values(said: Evicted) -> tuple[Any, ...]:
    """The columns `COLUMNS` of a record, without the candidates' words. What it lacks is None, and no row then."""
    made, became = said.proposal, said.resolution
    lists = (dumps(became[name]) if name in became else None for name in ("evicted", "excluded"))
    candidates = made.get("candidates")
    shown = [_candidate(one) for one in candidates if isinstance(one, dict)] if isinstance(candidates, list) else []
    return (
        *(_word(became.get(name)) for name in ("proposal_id", "scope_id", "resolved_at", "resolved_by")),
        *lists,
        *(_word(made.get(name)) for name in ("turn_number", "proposed_at", "scorer_model")),
        dumps(shown),
    )


def row(said: Evicted) -> dict[str, Any]:
    """A row of `eviction_feedback`."""
    return dict(zip(COLUMNS, values(said), strict=True))


def block(records: Iterable[Evicted]) -> Block:
    """The whole table. A record whose proposal has no id was never made by us, and is none of its rows."""
    return Block(COLUMNS, [values(said) for said in records if said.resolution.get("proposal_id")])


def _candidate(one: dict[str, Any]) -> dict[str, Any]:
    return {name: one.get(name) for name in _CANDIDATE}


def _word(value: Any) -> Any:
    """A value that a column can hold, whatever somebody wrote into a note."""
    return value if value is None or isinstance(value, str | int | float) else dumps(value)
