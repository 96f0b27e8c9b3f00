"""What is learned from: each candidate of a resolved proposal, with its features and whether it was kept back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from gitops.eviction import heuristic
from gitops.eviction.heuristic import Weights
from gitops.eviction.model import EvictionCandidate, EvictionFeedback, EvictionProposal, ResolvedBy

_MANY_SCOPES = 20
"""Of so many scopes or more, what is drawn together is a scope, else a proposal: fewer cannot be parted in two."""


@dataclass(frozen=True, slots=True)
class Row:
    """A candidate and what became of it: `is_excluded` is whether it was kept back, and so was still needed."""

    proposal: str
    scope: str
    turn: int
    at: str
    """When the proposal was resolved."""
    by: ResolvedBy
    scorer: str
    candidate: EvictionCandidate
    is_excluded: bool
    reason: str = ""
    unit: str = ""
    """What it was drawn together with: see `units`."""

    @property
    def features(self) -> tuple[float, ...]:
        """Its features in the order of `heuristic.FEATURES`."""
        made = self.candidate
        return heuristic.features(made.zone, made.age_turns, made.token_count, made.references)

    def predicted(self, weights: Weights) -> float:
        """The chance, by these weights, that it is kept back."""
        return heuristic.relevance(self.features, weights)


def rows(pairs: Iterable[tuple[EvictionProposal, EvictionFeedback]], scope: str | None = None) -> list[Row]:
    """A row for each candidate that was either evicted or kept back, in the order in which proposals were resolved.

    What nobody answered in time says nothing of need: it is left out. `scope` keeps one scope alone.
    """
    said = sorted(pairs, key=lambda pair: (pair[1].resolved_at, pair[0].proposal_id))
    found = [
        row
        for proposal, feedback in said
        if feedback.resolved_by != "auto" and scope in (None, proposal.scope_id)
        for row in _of(proposal, feedback)
    ]
    return units(found)


def first_seen(found: Iterable[Row]) -> list[Row]:
    """The rows of items that were proposed for the first time: what weights are fitted to, and measured on.

    What was kept back is proposed again, and as a rule kept back again: the longer it stays, the more it is needed
    in spite of its age, since what was not needed is gone. Fitted to that, weights would say that age is a reason to
    keep anything.
    """
    seen: set[tuple[str, str]] = set()
    kept = []
    for row in found:
        key = row.scope, row.candidate.ctx_id
        if key not in seen:
            seen.add(key)
            kept.append(row)
    return units(kept)


def _of(proposal: EvictionProposal, feedback: EvictionFeedback) -> Iterator[Row]:
    kept = {each.ctx_id: each.exclude_reason or "" for each in feedback.excluded}
    told = {*feedback.evicted, *kept}
    for candidate in proposal.candidates:
        if candidate.ctx_id in told:
            yield Row(
                proposal.proposal_id,
                proposal.scope_id,
                proposal.turn_number,
                f"{feedback.resolved_at:%Y-%m-%dT%H:%M:%SZ}",
                feedback.resolved_by,
                proposal.scorer_model,
                candidate,
                candidate.ctx_id in kept,
                kept.get(candidate.ctx_id, ""),
            )


def units(found: Sequence[Row]) -> list[Row]:
    """The rows, each with what it was drawn together with.

    Candidates of one proposal are alike, and what a conversation keeps back is proposed to it again. So rows count as
    one draw by their scope where there are twenty scopes or more, and by their proposal where there are fewer.
    """
    by_scope = len({row.scope for row in found}) >= _MANY_SCOPES
    return [replace(row, unit=row.scope if by_scope else row.proposal) for row in found]


def unit_name(found: Sequence[Row]) -> str:
    """What rows are drawn together by: `scope` or `proposal`."""
    return "scope" if found and found[0].unit == found[0].scope else "proposal"


def by_unit(found: Sequence[Row]) -> dict[str, list[Row]]:
    """The rows by what they were drawn together with, in the order in which these came; of one scope by proposals."""
    is_one = len({row.unit for row in found}) == 1
    grouped: dict[str, list[Row]] = {}
    for row in found:
        grouped.setdefault(row.proposal if is_one else row.unit, []).append(row)
    return grouped
