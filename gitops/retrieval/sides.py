"""The two sides of a comparison: runs of a retrieval system, and whether they can be laid side by side."""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gitops.retrieval import measuring
from gitops.retrieval.aggregate import Aggregate
from gitops.retrieval.model import GoldenQuery, Results
from gitops.retrieval.stores import Store
from gitops.runs.measurements import SCHEMA, Measurement

_MEASUREMENTS = (SCHEMA, "assay/eval-run/1")


@dataclass(frozen=True, slots=True)
class Side:
    """One run: what it was asked and what came of it.

    `golden` may have been looked up in the run's own store; `gold` is the digest of what was asked before that, so that
    a golden file is the same whatever chunker cut the documents. `top` is how many hits of a query it kept at most,
    None where it kept all; `has_store` whether citations were looked up, None where nobody says; `stored` the aggregate
    that was recorded with it, None where none was. `subject` is what was measured, as its measurement tells it.
    """

    name: str
    golden: Sequence[GoldenQuery]
    results: Results
    gold: str
    commit: str = ""
    workspace: str = ""
    top: int | None = None
    has_store: bool | None = None
    stored: Aggregate | None = None
    subject: Mapping[str, Any] = field(default_factory=dict)

    @property
    def chunker(self) -> str:
        """The version of the chunker that made its chunks; '' where it does not tell."""
        return self.results.versions.chunker_version

    def in_order_of(self, other: Side) -> list[GoldenQuery]:
        """Its golden queries in the other's order: the same ones, each perhaps with the chunks of its own store."""
        mine = {query.query_id: query for query in self.golden}
        return [mine[query.query_id] for query in other.golden]

    def cut(self, depth: int | None) -> Results:
        """Its results, of each query the first hits alone."""
        if depth is None:
            return self.results
        cut = {name: replace(one, hits=one.hits[:depth]) for name, one in self.results.by_query.items()}
        return replace(self.results, by_query=cut)


def is_measurement(data: bytes) -> bool:
    """Whether a file holds a measurement, or several, as `--json` prints them; what else it holds is not looked at.

    A first line that is an object tells, so that of results, which may be many, no more is read.
    """
    text = data.removeprefix(BOM_UTF8).lstrip()
    end = text.find(b"\n")
    first = _object(text[:end] if end >= 0 else text)
    whole = _object(text) if first is None and end >= 0 else first
    return whole is not None and whole.get("schema") in _MEASUREMENTS


def _object(text: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None  # results, or nothing at all: whoever reads it says what is wrong with it
    return value if isinstance(value, dict) else None


def are_rechunked(a: Side, b: Side) -> bool:
    """Whether they are known to be of different chunkers, so that a chunk of one bears no id of the other's."""
    return bool(a.chunker) and bool(b.chunker) and a.chunker != b.chunker


def is_foreign(results: Results, store: Store) -> bool:
    """Whether a store is of other chunks than the results: it has none that was found, so that an id which an answer
    cites says nothing there.
    """
    every = results.by_query.values()
    if any(hit.chunk_id in store.chunks for one in every for hit in one.hits):
        return False
    cited = (each for one in every if one.answer is not None for each in one.answer.citations)
    return any(one.hits for one in every) and any(each.chunk_id for each in cited)


def common_depth(a: Side, b: Side) -> int | None:
    """So many hits of a query are known of both; None where both have all of them."""
    return min((side.top for side in (a, b) if side.top is not None), default=None)


def of_measurement(name: str, measurement: Measurement) -> Side:
    """The run that a measurement of retrieval holds. UsageError for one that holds something else."""
    golden, results = measuring.stored(measurement)
    return Side(
        name=name,
        golden=golden,
        results=results,
        gold=str(measurement.instrument.get("gold", "")),
        commit=measurement.commit,
        workspace=measurement.workspace,
        top=measurement.instrument.get("top"),
        has_store=measuring.has_store(measurement),
        stored=measuring.aggregate(measurement),
        subject=measurement.subject,
    )
