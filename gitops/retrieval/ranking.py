"""The order that a ranking has, and what names the same thing twice in it."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from itertools import pairwise
from math import inf, isnan

from gitops.retrieval.model import Hit

_APART = 2.0**-22
"""Numbers that are further apart than so much of either are not equal in single precision (whose step is 2⁻²³)."""
_LEAST, _MOST = _APART * 2.0**-125, _APART * 2.0**127
"""Unless they are near its smallest number of full precision (2⁻¹²⁶), or its greatest."""


def trec_order(scores: Mapping[str, float]) -> list[str]:
    """The documents of a topic as trec_eval orders them: by score descending, then by id descending.

    A score is compared in single precision, which is what trec_eval keeps (`float sim`, trec_format.h): scores that
    differ in double precision alone are equal, one beyond its range is infinite. The rank column is not looked at.
    ValueError for a NaN, which has no place in any order.
    """
    return [document for _, document in sorted(zip(_single(scores.values()), scores, strict=True), reverse=True)]


def trec_ranks(scores: Mapping[str, float], wanted: Set[str]) -> list[tuple[int, str]]:
    """Those of some documents that a ranking has, each with its rank from 1 in `trec_order`, in that order.

    Few are wanted of many: scores alone are sorted, and brought to single precision and ids compared only where a
    wanted document's score is so near another's that they may be equal. ValueError for a NaN.
    """
    ascending = sorted(scores.values())
    if isnan(sum(ascending)):  # which the sum of both infinities is too
        return _exact_ranks(scores, wanted)
    ranks = []
    count = len(ascending)
    ascending.append(inf)
    for document in scores.keys() & wanted:
        score = scores[document]
        above = bisect_right(ascending, score)
        apart = _APART * abs(score)
        below = ascending[above - 2] if above > 1 else -inf
        if not (_LEAST < apart < _MOST and below + apart < score < ascending[above] - apart):
            return _exact_ranks(scores, wanted)
        ranks.append((count - above + 1, document))
    ranks.sort()
    return ranks


def _exact_ranks(scores: Mapping[str, float], wanted: Set[str]) -> list[tuple[int, str]]:
    return [(rank, each) for rank, each in enumerate(trec_order(scores), 1) if each in wanted]


def _single(scores: Iterable[float]) -> list[float]:
    single = array("f", list(scores)).tolist()  # an array takes a list at once, and anything else one by one
    if isnan(sum(single)) and any(map(isnan, single)):  # the sum of both infinities is none either
        raise ValueError("a score is not a number")
    return single


def ordered(hits: Sequence[Hit]) -> tuple[tuple[Hit, ...], int]:
    """The hits in their order with ranks 1…n, and how many were left out because their chunk stands before them.

    By rank ascending; of equal ranks the better score comes first (one without a score last), then the higher chunk
    id. Where no hit tells its rank (all are 0), they are in order already. What follows a hit that is left out moves
    up: a system that names a chunk twice gains nothing by it, and loses only the place.
    """
    kept: dict[str, Hit] = {}
    for hit in _by_rank(hits):
        kept.setdefault(hit.chunk_id, hit)
    numbered = enumerate(kept.values(), 1)
    return tuple(hit if hit.rank == rank else replace(hit, rank=rank) for rank, hit in numbered), len(hits) - len(kept)


def _by_rank(hits: Sequence[Hit]) -> Sequence[Hit]:
    ranks = [hit.rank for hit in hits]
    if not any(ranks) or all(before < after for before, after in pairwise(ranks)):
        return hits  # most files: nothing to sort
    backwards = sorted(hits, key=lambda hit: hit.chunk_id, reverse=True)
    backwards.sort(key=lambda hit: -inf if hit.score is None else hit.score, reverse=True)
    return sorted(backwards, key=lambda hit: hit.rank)
