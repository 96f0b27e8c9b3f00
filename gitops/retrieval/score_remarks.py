"""What has to be told aloud of a scored run: what counts as not found, what was left out, what a number hides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from gitops.retrieval.documents import DocumentHits
from gitops.retrieval.model import Answer, GoldenQuery, Results
from gitops.retrieval.query_scores import QueryScore

_SHOWN = 3
"""How many ids a remark names."""


def remarks(golden: Sequence[GoldenQuery], results: Results, scored: Sequence[QueryScore]) -> Iterator[str]:
    """The remarks, those on queries first; none of a run with which all is well."""
    missing = [each.query.query_id for each in scored if each.result is None]
    if missing:
        yield f"golden queries that the results lack, and so not found: {named(missing)}"
    yield from _unknown(golden, results)
    unjudged = [query.query_id for query in golden if query.is_unjudged]
    if unjudged:
        yield f"queries of which nothing says what should be found, and so not judged: {named(unjudged)}"
    repeated = {
        each.query.query_id: each.result.duplicates for each in scored if each.result and each.result.duplicates
    }
    if repeated:
        hits = f"{sum(repeated.values()):,}"
        yield f"hits that name a chunk again, which counts once: {hits}, in queries: {named(list(repeated))}"
    bare = dict(_without_document(scored))
    if bare:
        hits = f"{sum(bare.values()):,}, in queries: {named(list(bare))}"
        yield f"hits that tell no document, and so are of none that is expected: {hits}"
    answers = dict(_answers(scored))
    due = [query.query_id for query in golden if query.should_refuse]
    if due and not answers:
        yield f"no result has an answer, and so no query that should be refused was: {named(due)}"
    yield from _of_answers(answers)


def named(names: Sequence[str]) -> str:
    """How many names there are, and the first few."""
    more = ", …" if len(names) > _SHOWN else ""
    return f"{len(names):,} ({', '.join(names[:_SHOWN])}{more})"


def _unknown(golden: Sequence[GoldenQuery], results: Results) -> Iterator[str]:
    known = {query.query_id for query in golden}
    strangers = [result for name, result in results.by_query.items() if name not in known]
    if strangers:
        first = min(strangers, key=lambda result: result.line)
        where = f"{results.name}:{first.line}" if first.line else results.name
        names = [result.query_id for result in strangers]
        yield f"{where}: results of queries that are not golden, and so left out: {named(names)}"


def _without_document(scored: Sequence[QueryScore]) -> Iterator[tuple[str, int]]:
    """The queries that expect documents, with how many of their hits do not say of which one they are."""
    for each in scored:
        if each.result is None or each.query.doc_ids is None or isinstance(each.result.hits, DocumentHits):
            continue
        bare = sum(1 for hit in each.result.hits if not hit.doc_id)
        if bare:
            yield each.query.query_id, bare


def _of_answers(answers: Mapping[str, Answer]) -> Iterator[str]:
    silent = [name for name, answer in answers.items() if answer.grounded is True and not answer.citations]
    if silent:
        yield f"grounded answers that cite nothing: {named(silent)}"
    untold = [name for name, answer in answers.items() if answer.grounded is None]
    if untold:
        yield f"answers that do not say whether they are grounded, and so count as no refusals: {named(untold)}"


def _answers(scored: Sequence[QueryScore]) -> Iterator[tuple[str, Answer]]:
    for each in scored:
        if each.result is not None and each.result.answer is not None and not each.result.error:
            yield each.query.query_id, each.result.answer
