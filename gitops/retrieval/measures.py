"""The measures of one ranking, from where in it what is relevant stands. Numbers from numbers: the one kernel.

Definitions are those of trec_eval (https://github.com/usnistgov/trec_eval); its names stand in brackets.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from math import log2
from operator import mul

CUTS = (1, 3, 5, 10)
DEPTH = 10
"""How deep the reciprocal rank, nDCG and the hit rank of a comparison look."""
_DISCOUNT = tuple(1 / log2(rank + 1) for rank in range(1, DEPTH + 1))


def within(ranks: Sequence[int]) -> list[int]:
    """How many of some ascending ranks lie within each of `CUTS`."""
    return [bisect_right(ranks, cut) for cut in CUTS]


def relevance(
    ranks: Sequence[int], gains: Sequence[int], ideal: Sequence[int], cuts: Sequence[int] | None = None
) -> dict[str, float]:
    """hit@k, mrr, ndcg@10, map and precision@k of one ranking.

    `ranks` are those of what is relevant in it, from 1, ascending and each once; `gains` are theirs, 1 or more; `ideal`
    has the gains of all that could be found. `cuts` is what `within` says of the ranks, where that is known already.

    - hit@k (success_k): 1 where a relevant one is among the first k, else 0.
    - mrr (recip_rank, cut at 10): 1 / rank of the first relevant one, 0 where it is not among the first ten.
    - ndcg@10 (ndcg_cut_10): Σ gain / log2(rank + 1) over the first ten, by the same sum of the ideal order (Järvelin
      and Kekäläinen, TOIS 20 (2002), 422-446; linear gain, and a discount from rank 2 on).
    - map (map): the sum of the precision at the rank of each relevant one found, by the number of all relevant ones;
      over the whole ranking.
    - precision@k (P_k): relevant ones among the first k, by k, however many were retrieved.

    All are 0 where nothing could be found: that ranking counts in the mean as trec_eval counts it.
    """
    in_1, in_3, in_5, in_10 = within(ranks) if cuts is None else cuts
    return {
        "hit@1": 1.0 if in_1 else 0.0,
        "hit@3": 1.0 if in_3 else 0.0,
        "hit@5": 1.0 if in_5 else 0.0,
        "hit@10": 1.0 if in_10 else 0.0,
        "mrr": 1 / ranks[0] if in_10 else 0.0,
        "ndcg@10": _dcg(ranks[:in_10], gains) / _ideal_dcg(ideal) if in_10 else 0.0,
        "map": sum([count / rank for count, rank in enumerate(ranks, 1)]) / len(ideal) if ranks else 0.0,
        "precision@1": in_1 / 1,
        "precision@3": in_3 / 3,
        "precision@5": in_5 / 5,
        "precision@10": in_10 / 10,
    }


def recall(ranks: Sequence[int], total: int, cuts: Sequence[int] | None = None) -> dict[str, float]:
    """recall@k_doc (recall_k): the share of `total` relevant documents among the first k; 0 where there are none.

    `ranks` are those at which each of them that was found stands first, ascending.
    """
    in_1, in_3, in_5, in_10 = within(ranks) if cuts is None else cuts
    all_of_them = total or 1
    return {
        "recall@1_doc": in_1 / all_of_them,
        "recall@3_doc": in_3 / all_of_them,
        "recall@5_doc": in_5 / all_of_them,
        "recall@10_doc": in_10 / all_of_them,
    }


def _dcg(ranks: Sequence[int], gains: Sequence[int]) -> float:
    return sum([gain * _DISCOUNT[rank - 1] for rank, gain in zip(ranks, gains, strict=False)])


def _ideal_dcg(ideal: Sequence[int]) -> float:
    return sum(map(mul, _DISCOUNT, sorted(ideal, reverse=True)), 0.0)
