"""Whether hits tell where they lie, by which alone they can be matched across chunkers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gitops.retrieval.model import GoldenQuery, Results


class Places(NamedTuple):
    """How many hits there are, and how many of them do not tell both their document and their spans."""

    hits: int
    unplaced: int


def places_of(golden: Sequence[GoldenQuery], results: Results) -> Places:
    """The places of the hits of those queries that expect a chunk of which it is known where it lies."""
    asked = [query.query_id for query in golden if any(chunk.spans for chunk in query.chunks or ())]
    hits = [hit for name in asked if name in results.by_query for hit in results.by_query[name].hits]
    return Places(len(hits), sum(1 for hit in hits if not hit.doc_id or not hit.spans))
