"""A run of golden queries scored: each query, their aggregate, and what has to be told aloud."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from gitops.errors import UsageError
from gitops.retrieval import metrics
from gitops.retrieval.aggregate import Aggregate, made
from gitops.retrieval.documents import ExpectedDocuments
from gitops.retrieval.matching import Criterion
from gitops.retrieval.model import GoldenQuery, Result, Results
from gitops.retrieval.query_scores import DIGITS, QueryScore, Terms, score_query
from gitops.retrieval.score_remarks import remarks
from gitops.runs.garbage import uncollected
from gitops.stats.quantiles import percentile

_SHARES = {"p50_latency_ms": 0.5, "p95_latency_ms": 0.95}


@dataclass(frozen=True, slots=True)
class Figure:
    """A metric with six decimal places over the `n` queries that it applies to, and its 95 % interval.

    It is the mean of their scores to those six places, percentiles apart: what is paired and tested is this, not the
    four places of an aggregate.
    """

    value: float | None
    n: int
    interval: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Scored:
    """A scored run: its queries in the golden file's order, the figure of each metric by name, and their aggregate.

    `remarks` are what has to be told aloud of the scoring; those of reading the results are theirs.
    """

    queries: tuple[QueryScore, ...]
    aggregate: Aggregate
    figures: Mapping[str, Figure]
    remarks: tuple[str, ...]
    criterion: Criterion = "exact"


def score(
    golden: Sequence[GoldenQuery],
    results: Results,
    criterion: Criterion = "exact",
    *,
    has_store: bool | None = None,
) -> Scored:
    """Score results by golden queries: the same values always come to the same.

    A golden query that is not in the results scores 0 wherever it applies, so that a run gains nothing by leaving one
    out. `has_store` says whether citations were looked up in a store; untold, they were if any of them says what came
    of it. UsageError where there are results and none is of a golden query, where there is neither a result nor a
    header, and where a chunk is expected by a quotation that was not looked up.
    """
    _refuse_strangers(golden, results)
    _refuse_quotations(golden)
    mine = [results.by_query[query.query_id] for query in golden if query.query_id in results.by_query]
    looked_up = _is_looked_up(mine) if has_store is None else has_store
    terms = Terms(criterion, looked_up)
    with uncollected():
        scored = [score_query(query, results.by_query.get(query.query_id), terms) for query in golden]
        columns = _columns(scored)
    numbers = {name: _number(name, columns[name]) for name in metrics.NAMES}
    return Scored(
        queries=tuple(scored),
        aggregate=made(numbers, _counts(golden, results, mine)),
        figures={name: _figure(name, numbers[name], len(columns[name])) for name in metrics.NAMES},
        remarks=tuple(remarks(golden, results, scored)),
        criterion=criterion,
    )


def _refuse_strangers(golden: Sequence[GoldenQuery], results: Results) -> None:
    if not golden:
        raise UsageError("there is no golden query to score by", "write one: query_id, query and expected_doc_ids")
    if not results.by_query and results.has_header:
        return  # an empty run: a system that says who it is and gave nothing; every query is missing
    if not results.by_query:
        raise UsageError(f"{results.name}: it holds no result", "hand in one result for each golden query")
    if not any(query.query_id in results.by_query for query in golden):
        stranger, own = next(iter(results.by_query.values())), golden[0].query_id
        where = f"{results.name}:{stranger.line}" if stranger.line else results.name
        raise UsageError(
            f"{where}: no query is a golden one: here is '{stranger.query_id}', the golden queries have '{own}'",
            "score results by the golden file whose queries they answer; query_id is what pairs them",
        )


def _refuse_quotations(golden: Sequence[GoldenQuery]) -> None:
    for query in golden:
        if isinstance(query.chunks, ExpectedDocuments):
            continue
        for chunk in query.chunks or ():
            if chunk.quote and not chunk.chunk_id and not chunk.spans:
                where = f"line {chunk.line} of the golden file" if chunk.line else f"query '{query.query_id}'"
                raise UsageError(
                    f"{where}: a chunk is expected by a quotation, and there is no store to look it up in",
                    "give the chunks, with their text: --chunks FILE",
                )


def _is_looked_up(results: Sequence[Result]) -> bool:
    return any(cited.resolves is not None for each in results if each.answer for cited in each.answer.citations)


def _columns(scored: Sequence[QueryScore]) -> dict[str, list[float]]:
    """What each metric is taken from: the scores that queries have, or the latencies that results tell."""
    rows = [each.exact for each in scored]
    columns = {name: [row[name] for row in rows if name in row] for name in metrics.NAMES}
    told = (each.result.latency_ms for each in scored if each.result is not None)
    latencies = [latency for latency in told if latency is not None]
    return columns | dict.fromkeys(_SHARES, latencies)


def _number(name: str, values: Sequence[float]) -> float | None:
    if name in _SHARES:
        return percentile(values, _SHARES[name])
    return fsum(values) / len(values) if values else None


def _figure(name: str, number: float | None, count: int) -> Figure:
    if number is None:
        return Figure(None, count)
    bounds = metrics.interval(name, number, count)
    rounded = (round(bounds[0], DIGITS), round(bounds[1], DIGITS)) if bounds is not None else None
    return Figure(round(number, DIGITS), count, rounded)


def _counts(golden: Sequence[GoldenQuery], results: Results, mine: Sequence[Result]) -> dict[str, int]:
    return {
        "total_queries": len(golden),
        "failed_queries": sum(1 for each in mine if each.error),
        "missing_queries": len(golden) - len(mine),
        "unknown_queries": len(results.by_query) - len(mine),
        "unjudged_queries": sum(1 for query in golden if query.is_unjudged),
        "duplicate_hits": sum(each.duplicates for each in mine),
    }
