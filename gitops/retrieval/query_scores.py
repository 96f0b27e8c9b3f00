"""One golden query scored: by every metric that applies to it, and by no other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from gitops.retrieval.answers import answer_scores, is_refusal
from gitops.retrieval.matching import Criterion, Matched, matched
from gitops.retrieval.measures import recall, relevance, within
from gitops.retrieval.model import GoldenQuery, Result

Status = Literal["pass", "fail", "error", "skipped"]
DIGITS = 6
"""How many decimal places the scores of queries and the figures keep."""
NOT_THERE = "not in the results"
OF_CHUNKS = frozenset(("hit@1", "hit@3", "hit@5", "hit@10", "mrr"))
"""What kebab p5-2 defines of expected chunks, and of nothing else."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What is the same for all queries of a run: what counts as found, whether citations were looked up in a store."""

    criterion: Criterion
    has_store: bool


@dataclass(frozen=True, slots=True)
class QueryScore:
    """One golden query: `result` None where the run lacks it; `exact` has its scores by metric, those alone that apply.

    `status` is `pass` where an expected chunk (else an expected document) is among the first ten, or where the query
    was refused as it should be; `error` where the system failed; `skipped` where nothing says what would be right; else
    `fail`. `hit_rank` is None beyond the first ten.
    """

    query: GoldenQuery
    result: Result | None
    exact: Mapping[str, float]
    status: Status
    hit_rank: int | None

    @property
    def scores(self) -> dict[str, float]:
        """What is told and recorded: the exact scores to six places."""
        return {name: round(value, DIGITS) for name, value in self.exact.items()}

    @property
    def error(self) -> str:
        """What went wrong: the system's own words, or that the query is not in the results; '' where nothing did."""
        return NOT_THERE if self.result is None else self.result.error


def score_query(query: GoldenQuery, result: Result | None, terms: Terms) -> QueryScore:
    """Score one query, with all digits; a result that is not there finds nothing and says nothing."""
    there = matched(query, result, terms.criterion)
    scores = _found(query, there)
    scores["empty_result_rate"] = 1.0 if result is None or not result.hits else 0.0
    if query.should_refuse:
        scores["refusal_correctness"] = float(_is_refused(result))
    if result is not None and result.answer is not None and not result.error:
        scores.update(answer_scores(query, result.answer, terms.has_store))
    if result is not None and result.tokens is not None:
        scores["tokens"] = float(result.tokens)
    return QueryScore(query, result, scores, _status(query, result, there.hit_rank), there.hit_rank)


def _found(query: GoldenQuery, there: Matched) -> dict[str, float]:
    cuts = within(there.documents)
    measured: dict[str, float] = {}
    if there.gains is not None:
        measured = relevance(*there.gains, cuts if there.gains.ranks is there.documents else None)
    if query.chunks is None:
        measured = {name: value for name, value in measured.items() if name not in OF_CHUNKS}
    if query.doc_ids is not None:
        measured.update(recall(there.documents, _relevant(query.doc_ids), cuts))
    return measured


def _relevant(grades: Mapping[str, int]) -> int:
    if not grades or min(grades.values()) > 0:
        return len(grades)
    return sum(grade > 0 for grade in grades.values())


def _status(query: GoldenQuery, result: Result | None, rank: int | None) -> Status:
    if result is not None and result.error:
        return "error"
    if query.is_unjudged:
        return "skipped"
    is_right = _is_refused(result) if query.should_refuse else rank is not None
    return "pass" if is_right else "fail"


def _is_refused(result: Result | None) -> bool:
    return result is not None and not result.error and is_refusal(result.answer)
