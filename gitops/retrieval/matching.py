"""What of a ranking is what was expected: by chunk id, or across chunkers by document and span (kebab p5-2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from gitops.retrieval.documents import DocumentHits, ExpectedDocuments
from gitops.retrieval.measures import DEPTH
from gitops.retrieval.model import Expected, GoldenQuery, Hit, Result, Span

Criterion = Literal["exact", "fallback_doc_span"]
OVERLAP = 0.5
"""The least share of an expected chunk's code points that a hit has to cover by the fall-back (kebab p5-2)."""


class Gains(NamedTuple):
    """What is relevant in a ranking: `ranks` from 1, ascending, with their `gains`; `ideal` are all there could be."""

    ranks: Sequence[int]
    gains: Sequence[int]
    ideal: Sequence[int]


class Matched(NamedTuple):
    """What `gains`, `document_ranks` and `hit_rank` say of a result."""

    gains: Gains | None
    documents: Sequence[int]
    hit_rank: int | None


def gains(query: GoldenQuery, result: Result | None, criterion: Criterion = "exact") -> Gains | None:
    """The relevant places of a result; None where nothing is said of what should be found.

    The unit is the chunk where chunks are expected. Else it is the document: then the ranking is that of the documents,
    each where its first chunk stands, and criteria do not matter. An expected chunk counts once: by the fall-back, a
    second hit that covers the same one has no gain, and a hit that covers several takes the best that is left (the
    highest grade, of these the one that it covers most of). No result finds nothing.
    """
    hits = result.hits if result is not None else ()
    if query.chunks is None:
        return None if query.doc_ids is None else _of_documents(hits, query)
    if criterion == "exact" and isinstance(query.chunks, ExpectedDocuments):
        grades = query.chunks.grades
        if isinstance(hits, DocumentHits):  # the many of a large TREC run
            places = hits.ranks(grades.keys())
            ranks, told = [rank for rank, _ in places], [grades[document] for _, document in places]
            return Gains(ranks, told, list(grades.values()))
        return Gains(*_columns(_by_id(hits, grades)), list(grades.values()))
    wanted = [chunk for chunk in query.chunks if chunk.grade > 0]
    if criterion == "exact":
        found = _by_id(hits, {chunk.chunk_id: chunk.grade for chunk in wanted if chunk.chunk_id})
    else:
        found = _by_span(hits, wanted, query)
    return Gains(*_columns(found), [chunk.grade for chunk in wanted])


def document_ranks(query: GoldenQuery, result: Result | None) -> list[int]:
    """The rank of the first hit of each expected document that was found, ascending; of several in one place, each.

    These are ranks of hits: a document behind ten chunks of another is not among the first ten.
    """
    left = _relevant(query)
    hits = result.hits if result is not None else ()
    if isinstance(hits, DocumentHits):
        return [rank for rank, _ in hits.ranks(left.keys())]
    ranks = []
    for hit in hits:
        if left.pop(hit.doc_id, None) is not None:
            ranks.append(hit.rank)
    return ranks


def hit_rank(
    query: GoldenQuery, result: Result | None, criterion: Criterion = "exact", depth: int = DEPTH
) -> int | None:
    """The rank of the first hit that is an expected chunk, None where the first `depth` hits hold none.

    Of a query that expects documents alone, that of the first hit of an expected document.
    """
    return matched(query, result, criterion, depth).hit_rank


def matched(query: GoldenQuery, result: Result | None, criterion: Criterion = "exact", depth: int = DEPTH) -> Matched:
    """All that is to be known of where in a result is what was expected, each ranking looked through no oftener than
    need be.
    """
    places = gains(query, result, criterion)
    if places is not None and criterion == "exact" and _are_documents(query, result):
        documents = places.ranks
    else:
        documents = document_ranks(query, result)
    ranks = documents if query.chunks is None or places is None else places.ranks
    return Matched(places, documents, ranks[0] if ranks and ranks[0] <= depth else None)


def _are_documents(query: GoldenQuery, result: Result | None) -> bool:
    """Whether expected chunks and expected documents are the same, and so are hits and their documents."""
    is_expected = isinstance(query.chunks, ExpectedDocuments) and query.chunks.grades is query.doc_ids
    return is_expected and (result is None or isinstance(result.hits, DocumentHits))


def covered(expected: Iterable[Span], spans: Iterable[Span]) -> float:
    """The share of the code points of some expected spans, taken together, that others cover; 0 of no code point."""
    wanted, there = _merged(expected), _merged(spans)
    whole = sum(end - start for start, end in wanted)
    both = sum(
        max(0, min(end, other_end) - max(start, other_start))
        for start, end in wanted
        for other_start, other_end in there
    )
    return both / whole if whole else 0.0


def _by_id(hits: Sequence[Hit], grades: Mapping[str, int]) -> Iterable[tuple[int, int]]:
    if isinstance(hits, DocumentHits):
        return [(rank, grades[document]) for rank, document in hits.ranks(grades.keys())]
    return [(hit.rank, grades[hit.chunk_id]) for hit in hits if hit.chunk_id in grades]


def _by_span(hits: Sequence[Hit], wanted: Sequence[Expected], query: GoldenQuery) -> Iterator[tuple[int, int]]:
    documents = _relevant(query)
    left = [chunk for chunk in wanted if chunk.spans]
    for hit in hits:
        if not left:
            return
        shares = [_share(chunk, hit, documents) for chunk in left]
        best = max(range(len(left)), key=lambda at: (shares[at] >= OVERLAP, left[at].grade, shares[at]), default=-1)
        if best >= 0 and shares[best] >= OVERLAP:
            yield hit.rank, left.pop(best).grade


def _share(chunk: Expected, hit: Hit, documents: Iterable[str]) -> float:
    is_there = hit.doc_id == chunk.doc_id if chunk.doc_id else hit.doc_id in documents
    return covered(chunk.spans, hit.spans) if is_there else 0.0


def _of_documents(hits: Sequence[Hit], query: GoldenQuery) -> Gains:
    grades = _relevant(query)
    # a hit that does not say where it comes from is of a document that nobody knows, and takes its place
    ranking = dict.fromkeys((hit.doc_id, "" if hit.doc_id else hit.chunk_id) for hit in hits)
    places = ((rank, grades[document]) for rank, (document, _) in enumerate(ranking, 1) if document in grades)
    return Gains(*_columns(places), list(grades.values()))


def _relevant(query: GoldenQuery) -> dict[str, int]:
    return {document: grade for document, grade in (query.doc_ids or {}).items() if grade > 0}


def _columns(places: Iterable[tuple[int, int]]) -> tuple[list[int], list[int]]:
    pairs = places if isinstance(places, list) else list(places)
    return [rank for rank, _ in pairs], [gain for _, gain in pairs]


def _merged(spans: Iterable[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged
