"""One golden query scored: by every metric that applies to it, and by no other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from gitops.retrieval.answers import answer_scores, is_refusal
from gitops.retrieval.matching import Criterion, document_ranks, gains, hit_rank
from gitops.retrieval.measures import recall, relevance
from gitops.retrieval.model import GoldenQuery, Result

Status = Literal["pass", "fail", "error", "skipped"]
NOT_THERE = "not in the results"
OF_CHUNKS = frozenset(("hit@1", "hit@3", "hit@5", "hit@10", "mrr"))
"""What kebab p5-2 defines of expected chunks, and of nothing else."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What is the same for all queries of a run: what counts as found, whether citations were looked up in a store,
    and whether the system answers at all or only retrieves.
    """

    criterion: Criterion
    has_store: bool
    has_answers: bool


@dataclass(frozen=True, slots=True)
class QueryScore:
    """One golden query: `result` None where the run lacks it; `scores` by metric, those alone that apply to it.

    `status` is `pass` where an expected chunk (else an expected document) is among the first ten, or where the query
    was refused as it should be; `error` where the system failed; `skipped` where nothing says what would be right, or
    where a refusal is due of a system that only retrieves; else `fail`. `hit_rank` is None beyond the first ten.
    """

    query: GoldenQuery
    result: Result | None
    scores: Mapping[str, float]
    status: Status
    hit_rank: int | None

    @property
    def error(self) -> str:
        """What went wrong: the system's own words, or that the query is not in the results; '' where nothing did."""
        return NOT_THERE if self.result is None else self.result.error


def score_query(query: GoldenQuery, result: Result | None, terms: Terms) -> QueryScore:
    """Score one query; a result that is not there finds nothing and says nothing."""
    rank = hit_rank(query, result, terms.criterion)
    return QueryScore(query, result, dict(_scores(query, result, terms)), _status(query, result, rank, terms), rank)


def _scores(query: GoldenQuery, result: Result | None, terms: Terms) -> Iterator[tuple[str, float]]:
    yield from _found(query, result, terms.criterion)
    yield "empty_result_rate", float(result is None or not result.hits)
    if query.should_refuse and terms.has_answers:
        yield "refusal_correctness", float(_is_refused(result))
    if result is None:
        return
    if result.answer is not None and not result.error:
        yield from answer_scores(query, result.answer, terms.has_store)
    if result.tokens is not None:
        yield "tokens", float(result.tokens)


def _found(query: GoldenQuery, result: Result | None, criterion: Criterion) -> Iterator[tuple[str, float]]:
    places = gains(query, result, criterion)
    if places is not None:
        measured = relevance(*places)
        left_out = OF_CHUNKS if query.chunks is None else frozenset[str]()
        yield from ((name, value) for name, value in measured.items() if name not in left_out)
    if query.doc_ids is not None:
        total = sum(1 for grade in query.doc_ids.values() if grade > 0)
        yield from recall(document_ranks(query, result), total).items()


def _status(query: GoldenQuery, result: Result | None, rank: int | None, terms: Terms) -> Status:
    if result is not None and result.error:
        return "error"
    if query.is_unjudged or (query.should_refuse and not terms.has_answers):
        return "skipped"
    is_right = _is_refused(result) if query.should_refuse else rank is not None
    return "pass" if is_right else "fail"


def _is_refused(result: Result | None) -> bool:
    return result is not None and not result.error and is_refusal(result.answer)
