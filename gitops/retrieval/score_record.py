"""A scored run as `git assay retrieval score --json` prints it."""

from __future__ import annotations

from typing import Any

from gitops.retrieval import golden
from gitops.retrieval.measuring import remarks
from gitops.retrieval.model import Results, Versions
from gitops.retrieval.query_scores import QueryScore
from gitops.retrieval.scoring import Scored

SCHEMA = "assay/retrieval-score/1"


def record(scored: Scored, results: Results, gold: str, run_id: str = "", commit: str = "") -> dict[str, Any]:
    """The aggregate by kebab p5-2's names, each metric with its interval, each query's scores, what to tell aloud."""
    return {
        "schema": SCHEMA,
        "run_id": run_id or None,
        "commit": commit or None,
        "gold": {"name": gold, "digest": golden.digest_of([one.query for one in scored.queries])},
        "results": results.name,
        "versions": versions_record(results.versions),
        "aggregate": scored.aggregate.record(),
        "metrics": {
            name: {
                "value": scored.aggregate.metric(name),
                "n": figure.n,
                "interval": None if figure.interval is None else list(figure.interval),
            }
            for name, figure in scored.figures.items()
        },
        "queries": [_query(one) for one in scored.queries],
        "remarks": remarks(scored, results),
    }


def versions_record(versions: Versions) -> dict[str, Any]:
    """What made results; null for what is not known."""
    return {
        "chunker_version": versions.chunker_version or None,
        "embedding": versions.embedding or None,
        "prompt_version": versions.prompt_version or None,
        "model": versions.model or None,
        "others": dict(versions.others),
    }


def _query(one: QueryScore) -> dict[str, Any]:
    return {
        "query_id": one.query.query_id,
        "status": one.status,
        "hit_rank": one.hit_rank,
        "scores": dict(one.scores),
        "error": one.error or None,
    }
