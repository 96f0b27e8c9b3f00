"""The metrics of retrieval: what each is called, which way is better, what it counts, where a record has it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gitops.retrieval.measures import CUTS
from gitops.stats.intervals import wilson

VERSION = 1
"""The version of the formulas; it rises when the same results come to another number."""
Direction = Literal["higher", "lower"]
_TREC = "trec_eval"
_KEBAB = "kebab p5-2"


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric. `field` is its name in an aggregate, with `cut` the key in there where the field holds several.

    `unit` is `share` for what lies between 0 and 1. `meaning` is one line for people; `source` says whose it is.
    """

    name: str
    field: str
    meaning: str
    source: str
    direction: Direction = "higher"
    unit: str = "share"
    cut: int | None = None


def _at_cuts(name: str, field: str, meaning: str, source: str) -> list[Metric]:
    return [Metric(name.format(cut), field, meaning.format(cut), source, cut=cut) for cut in CUTS]


TABLE: tuple[Metric, ...] = (
    *_at_cuts("hit@{}", "hit_at_k", "an expected chunk is among the first {}", f"{_KEBAB}; success_k of {_TREC}"),
    Metric("mrr", "mrr", "1 / rank of the first expected chunk of the first 10", f"{_KEBAB}; recip_rank_cut_10"),
    *_at_cuts(
        "recall@{}_doc",
        "recall_at_k_doc",
        "share of the expected documents among the first {}",
        f"{_KEBAB}; recall_k of {_TREC}",
    ),
    Metric("ndcg@10", "ndcg_at_10", "gain of the first 10, by that of the ideal order", f"ndcg_cut_10 of {_TREC}"),
    Metric("map", "map", "precision at each relevant rank, on average", f"map of {_TREC}"),
    *_at_cuts("precision@{}", "precision_at_k", "share of the first {} that is relevant", f"P_k of {_TREC}"),
    Metric("citation_coverage", "citation_coverage", "grounded answers whose citations all lead somewhere", _KEBAB),
    Metric("groundedness", "groundedness", "answers with all that they must contain, and nothing forbidden", _KEBAB),
    Metric("empty_result_rate", "empty_result_rate", "queries for which nothing was found", _KEBAB, "lower"),
    Metric("refusal_correctness", "refusal_correctness", "queries to be refused that were refused", _KEBAB),
    Metric("over_refusal", "over_refusal", "answers that refuse what should have been answered", "git-assay", "lower"),
    Metric("p50_latency_ms", "p50_latency_ms", "half of the queries took no longer", "git-assay", "lower", "ms"),
    Metric("p95_latency_ms", "p95_latency_ms", "95 of 100 queries took no longer", "git-assay", "lower", "ms"),
    Metric("tokens", "tokens", "tokens that a query used", "git-assay", "lower", "tokens"),
)
NAMES: tuple[str, ...] = tuple(metric.name for metric in TABLE)
BY_NAME = {metric.name: metric for metric in TABLE}


def direction(name: str) -> Direction:
    """Which way a metric gets better. KeyError for a name that no metric has."""
    return BY_NAME[name].direction


def unit(name: str) -> str:
    """What a metric counts: `share`, `ms` or `tokens`. KeyError for a name that no metric has."""
    return BY_NAME[name].unit


def interval(name: str, mean: float, count: int) -> tuple[float, float] | None:
    """The 95 % interval of a metric from the mean of its queries' scores; None of none, of a latency and of tokens.

    Wilson's, with the sum of the scores as hits. For scores between 0 and 1 it errs on the wide side: their variance is
    at most mean · (1 - mean), that of a share (Bhatia and Davis, American Mathematical Monthly 107 (2000), 353-357).
    """
    return wilson(min(mean, 1.0) * count, count) if unit(name) == "share" else None
