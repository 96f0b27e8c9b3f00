"""What became of each query from one run to another: kebab p5-2's Win, Loss, Draw and Regression."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from gitops.retrieval.matching import Criterion
from gitops.retrieval.model import GoldenQuery, Versions
from gitops.retrieval.query_scores import QueryScore
from gitops.retrieval.scoring import Scored

Kind = Literal["Win", "Loss", "Draw", "Regression"]
KINDS: tuple[Kind, ...] = ("Win", "Loss", "Regression", "Draw")
UNJUDGED = "nothing is said of what should be found"
BY_DOCUMENTS = "by documents"
NO_SPAN = "the expected chunk has no span, so no other chunker's chunk can be matched"
_NAMED = {"chunker_version": "chunker", "embedding": "embedding", "prompt_version": "prompt", "model": "model"}


@dataclass(frozen=True, slots=True)
class QueryComparison:
    """One query in two runs. A hit rank is from 1 to 10, None where nothing expected is among the first ten.

    `note` names what is known to have made the difference, or why there is none; '' where there is nothing to say.
    """

    query_id: str
    kind: Kind
    a_hit_rank: int | None
    b_hit_rank: int | None
    note: str = ""
    query: str = ""

    def record(self) -> dict[str, Any]:
        """As `retrieval compare --json` prints it."""
        return {
            "query_id": self.query_id,
            "query": self.query,
            "kind": self.kind,
            "a_hit_rank": self.a_hit_rank,
            "b_hit_rank": self.b_hit_rank,
            "note": self.note or None,
        }


def compared_queries(a: Scored, b: Scored, causes: str = "") -> Iterator[QueryComparison]:
    """What became of each golden query, in their order, of two runs that were scored by the same and the same way.

    `causes` is what is known to differ between the runs; it is noted wherever they differ.
    """
    for first, second in zip(a.queries, b.queries, strict=True):
        kind = kind_of(first.hit_rank, second.hit_rank, a.criterion)
        notes = [*_notes(first, second, a.criterion), *([causes] if causes and kind != "Draw" else [])]
        query = first.query
        yield QueryComparison(query.query_id, kind, first.hit_rank, second.hit_rank, "; ".join(notes), query.query)


def kind_of(a: int | None, b: int | None, criterion: Criterion = "exact") -> Kind:
    """What two hit ranks come to, b's beside a's.

    A hit of a that b lacks is a Regression where the very same chunk is missed. By the fall-back nobody can tell that
    it is the same, and it is a Loss.
    """
    if a is None or b is None:
        if a == b:
            return "Draw"
        lost: Kind = "Regression" if criterion == "exact" else "Loss"
        return "Win" if a is None else lost
    return "Draw" if a == b else "Win" if b < a else "Loss"


def differing(a: Versions, b: Versions) -> Iterator[str]:
    """What of the versions is known to differ: `chunker 1 → 2`."""
    for name, called in _NAMED.items():
        before, after = getattr(a, name), getattr(b, name)
        if before != after:
            yield f"{called} {before or 'unknown'} → {after or 'unknown'}"


def _notes(a: QueryScore, b: QueryScore, criterion: Criterion) -> Iterator[str]:
    query = a.query
    if query.is_unjudged:
        yield UNJUDGED
    elif query.chunks is None and not query.should_refuse:
        yield BY_DOCUMENTS
    elif criterion != "exact" and not (_has_span(a.query) and _has_span(b.query)):
        yield NO_SPAN
    missing = [side for side, one in zip("AB", (a, b), strict=True) if one.result is None]
    if missing:
        yield f"not in the results of {missing[0] if len(missing) == 1 else 'either'}"
    for side, one in zip("AB", (a, b), strict=True):
        if one.result is not None and one.result.error:
            yield f"{side} failed: {one.result.error}"
    if query.should_refuse and {a.status, b.status} == {"pass", "fail"}:
        yield "A refused it, B did not" if a.status == "pass" else "B refused it, A did not"


def _has_span(query: GoldenQuery) -> bool:
    """Whether any expected chunk can be known by where it lies; true of a query that expects none."""
    return not query.chunks or any(each.spans for each in query.chunks)
