"""What `git assay retrieval compare --json` prints: what `git assay schema` tells of it."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict  # pydantic takes typing's own only from Python 3.12 on

from gitops.runs.printed_comparison import ComparedMetric
from gitops.runs.printed_retrieval import RetrievalAggregate, RetrievalNumbers, RetrievalVersions


class RetrievalDeltas(RetrievalNumbers):
    """What each number of the aggregates is more by in b than in a (b - a), with four decimal places.

    Null where either is null, and all of them where the runs were measured by other golden queries.
    `chunker_version_match` is how hits were matched: by chunk id, or by document and span where the chunkers differ.
    """

    chunker_version_match: Literal["exact", "fallback_doc_span"]
    total_queries: int | None
    failed_queries: int | None
    missing_queries: int | None
    unknown_queries: int | None
    unjudged_queries: int | None
    duplicate_hits: int | None


class ComparedQuery(TypedDict):
    """One query; a hit rank is null where nothing expected is among the first ten, the note where nothing is known."""

    query_id: str
    query: str
    kind: Literal["Win", "Loss", "Draw", "Regression"]
    a_hit_rank: int | None
    b_hit_rank: int | None
    note: str | None


class KindCounts(TypedDict):
    """How many queries there are of each kind."""

    Win: int
    Loss: int
    Regression: int
    Draw: int


class RetrievalCompare(TypedDict):
    """Two runs compared. `gold_a` and `gold_b` are the digests of what they were asked.

    `compared` is the comparison of each metric, as `eval compare` prints it, but that which samples moved is told by
    `per_query` alone. `remarks` is what has to be told aloud.
    """

    schema: Literal["assay/retrieval-compare/1"]
    run_a: str
    run_b: str
    commit_a: str | None
    commit_b: str | None
    gold_a: str
    gold_b: str
    versions_a: RetrievalVersions
    versions_b: RetrievalVersions
    aggregate_a: RetrievalAggregate
    aggregate_b: RetrievalAggregate
    deltas: RetrievalDeltas
    counts: KindCounts
    per_query: list[ComparedQuery]
    alpha: float
    compared: list[ComparedMetric]
    remarks: list[str]
