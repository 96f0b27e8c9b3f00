"""Pairs of runs by hand, as `compare_runs` takes them: of each query the rank at which its expected chunk stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from gitops.retrieval.golden import digest_of
from gitops.retrieval.model import Answer, Expected, GoldenQuery, Hit, Result, Results, Versions
from gitops.retrieval.sides import Side

ONE = Versions("1", "e5-small", "7", "m-1")
TWO = replace(ONE, chunker_version="2")


def golden(count: int, *, spans: bool = True) -> list[GoldenQuery]:
    """Queries of which each expects one chunk, x0 to xn, of the documents d0 to dn."""
    return [
        GoldenQuery(
            f"q{at:03}",
            f"what of {at}?",
            {f"d{at}.md": 1},
            (Expected(f"x{at}", f"d{at}.md", ((100, 200),) if spans else ()),),
        )
        for at in range(count)
    ]


def results(ranks: Sequence[int | None], name: str = "run", versions: Versions = ONE, **changed: Any) -> Results:
    """Each query's twelve hits, the expected chunk at the rank that is given; None leaves it out."""
    found = {f"q{at:03}": _result(at, rank, **changed) for at, rank in enumerate(ranks)}
    return Results(name, found, versions)


def side(name: str, queries: Sequence[GoldenQuery], found: Results, **known: Any) -> Side:
    """One side, as files give it."""
    return Side(name, queries, found, digest_of(queries), **known)


def without(found: Results, *queries: str) -> Results:
    """The results but for some queries."""
    return replace(found, by_query={name: one for name, one in found.by_query.items() if name not in queries})


def relabelled(found: Results, chunker: str = "2") -> Results:
    """The same hits in the same places under other ids, as another chunker that cuts alike gives them."""
    by_query = {
        name: replace(one, hits=tuple(replace(hit, chunk_id=f"new-{hit.chunk_id}") for hit in one.hits))
        for name, one in found.by_query.items()
    }
    return replace(found, by_query=by_query, versions=replace(found.versions, chunker_version=chunker))


def answered(found: Results, grounded: Mapping[str, bool]) -> Results:
    """The results with answers, of which it is said by query whether they are grounded."""
    by_query = {
        name: replace(one, answer=Answer("so it is", grounded=grounded.get(name, True)))
        for name, one in found.by_query.items()
    }
    return replace(found, by_query=by_query)


def _result(at: int, rank: int | None, *, spans: bool = True, depth: int = 12) -> Result:
    chunks = [(f"n{at}-{number}", f"n{at}-{number}.md", (0, 50)) for number in range(depth)]
    if rank is not None:
        chunks[rank - 1] = (f"x{at}", f"d{at}.md", (100, 200))
    hits = (Hit(place, chunk, doc, (span,) if spans else ()) for place, (chunk, doc, span) in enumerate(chunks, 1))
    return Result(f"q{at:03}", tuple(hits))
