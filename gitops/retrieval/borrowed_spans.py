"""Spans of expected chunks, taken from the hits of two runs where the golden file tells none.

Across chunkers a chunk is known by where it lies. The run whose chunker made the golden file's ids tells where that is;
so a golden file of mere ids serves for a new chunker too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from gitops.retrieval.model import Expected, GoldenQuery, Results, Span

Golden = Sequence[GoldenQuery]
_Place = tuple[str, tuple[Span, ...]]
"""A document and the spans in it."""


@dataclass(frozen=True, slots=True)
class Borrowed:
    """The golden queries of both runs with the spans that could be told; how many expected chunks were given theirs,
    and how many lack them still, on either side.
    """

    a: Golden
    b: Golden
    taken: int = 0
    lacking: int = 0
    is_ambiguous: bool = False
    """Whether both runs have chunks of those ids, and they lie elsewhere: then the ids are of nobody knows which."""


def with_spans(golden: tuple[Golden, Golden], results: tuple[Results, Results]) -> Borrowed:
    """The queries of both runs with the spans that either run tells of an id: those of its golden queries, which a
    store may have filled in, and those of all hits that bear it.

    Only one run's chunker made the ids, so the runs are believed where one alone has such ids, or where neither
    contradicts the other. Where they do, only the chunks of which both say the same are. A chunk that a quotation names
    is each run's own, and nothing is borrowed for it.
    """
    wanted = {chunk.chunk_id for side in golden for chunk in _without(side)}
    if not wanted:
        return Borrowed(*golden)
    one, two = (_told(wanted, *pair) for pair in zip(golden, results, strict=True))
    alike = {chunk: place for chunk, place in one.items() if two.get(chunk) == place}
    is_ambiguous = len(alike) < len(one.keys() & two.keys())
    places = alike if is_ambiguous else {**one, **two}
    a, b = ([_filled(query, places) for query in side] for side in golden)
    lacking = {chunk.chunk_id for side in (a, b) for chunk in _without(side)}
    return Borrowed(a, b, len(wanted - lacking), len(lacking), is_ambiguous)


def _without(golden: Iterable[GoldenQuery]) -> Iterator[Expected]:
    """The expected chunks of which their golden file tells the id alone."""
    return (chunk for query in golden for chunk in query.chunks or () if _is_mere_id(chunk))


def _is_mere_id(chunk: Expected) -> bool:
    return not chunk.spans and not chunk.quote


def _told(wanted: set[str], golden: Golden, results: Results) -> dict[str, _Place]:
    """Where the wanted chunks lie by what a run tells, but for those of which it says now this and now that; what its
    golden queries say goes before what its hits do.
    """
    expected = (
        (chunk.chunk_id, (chunk.doc_id, chunk.spans))
        for query in golden
        for chunk in query.chunks or ()
        if chunk.spans and not chunk.quote
    )
    hits = (
        (hit.chunk_id, (hit.doc_id, hit.spans)) for one in results.by_query.values() for hit in one.hits if hit.spans
    )
    return _undisputed(wanted, hits) | _undisputed(wanted, expected)


def _undisputed(wanted: set[str], told: Iterable[tuple[str, _Place]]) -> dict[str, _Place]:
    found: dict[str, set[_Place]] = {}
    for chunk, place in told:
        if chunk in wanted:
            found.setdefault(chunk, set()).add(place)
    return {chunk: next(iter(places)) for chunk, places in found.items() if len(places) == 1}


def _filled(query: GoldenQuery, places: Mapping[str, _Place]) -> GoldenQuery:
    if not any(chunk.chunk_id in places for chunk in _without([query])):
        return query
    return replace(query, chunks=tuple(_placed(chunk, places) for chunk in query.chunks or ()))


def _placed(chunk: Expected, places: Mapping[str, _Place]) -> Expected:
    if chunk.chunk_id not in places or not _is_mere_id(chunk):
        return chunk
    doc_id, spans = places[chunk.chunk_id]
    return replace(chunk, doc_id=chunk.doc_id or doc_id, spans=spans)
