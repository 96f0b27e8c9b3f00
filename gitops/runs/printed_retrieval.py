"""The shapes that `git assay retrieval` prints with `--json`: what `git assay schema` tells of them."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import TypedDict  # pydantic takes typing's own only from Python 3.12 on

AtCuts = TypedDict("AtCuts", {"1": float | None, "3": float | None, "5": float | None, "10": float | None})


class RetrievalNumbers(TypedDict):
    """The metrics by the names that an aggregate has for them; null where there is no query to take one of."""

    hit_at_k: AtCuts
    mrr: float | None
    recall_at_k_doc: AtCuts
    citation_coverage: float | None
    groundedness: float | None
    empty_result_rate: float | None
    refusal_correctness: float | None
    ndcg_at_10: float | None
    map: float | None
    precision_at_k: AtCuts
    over_refusal: float | None
    p50_latency_ms: float | None
    p95_latency_ms: float | None
    tokens: float | None


class RetrievalAggregate(RetrievalNumbers):
    """Means over the queries that a metric applies to, with four decimal places, and how many queries there were."""

    total_queries: int
    failed_queries: int
    missing_queries: int
    unknown_queries: int
    unjudged_queries: int
    duplicate_hits: int


class RetrievalVersions(TypedDict):
    """What made the results; null for what they do not tell."""

    chunker_version: str | None
    embedding: str | None
    prompt_version: str | None
    model: str | None
    others: dict[str, Any]


class RetrievalGold(TypedDict):
    """The golden queries: their file's name, and a digest of what they expect."""

    name: str
    digest: str


class RetrievalMetric(TypedDict):
    """A metric over `n` queries, with its 95 % interval."""

    value: float | None
    n: int
    interval: list[float] | None


class RetrievalQuery(TypedDict):
    """The scores of one query, those that apply to it; `hit_rank` is null beyond the first ten."""

    query_id: str
    status: Literal["pass", "fail", "error", "skipped"]
    hit_rank: int | None
    scores: dict[str, float]
    error: str | None


class RetrievalScore(TypedDict):
    """A run scored (`retrieval score`); `run_id` and `commit` are null for files."""

    schema: Literal["assay/retrieval-score/1"]
    run_id: str | None
    commit: str | None
    gold: RetrievalGold
    results: str
    versions: RetrievalVersions
    aggregate: RetrievalAggregate
    metrics: dict[str, RetrievalMetric]
    queries: list[RetrievalQuery]
    remarks: list[str]


RetrievalRun = TypedDict(
    "RetrievalRun",
    {
        "run_id": str,
        "workspace": str,
        "commit": str,
        "started_at": str,
        "completed_at": str,
        "gold": str,
        "gold_version": str,
        "subject": dict[str, Any],
        "queries": int,
        "mrr": float | None,
        "hit@10": float | None,
        "ndcg@10": float | None,
    },
)


class RetrievalList(TypedDict):
    """The runs that were kept (`retrieval list`), newest first."""

    schema: Literal["assay/retrieval-list/1"]
    runs: list[RetrievalRun]
