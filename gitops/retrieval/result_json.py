"""One result as a JSON object, which is how it comes and how it is kept (kebab P5-2's `eval_query_results`).

Fields that are not known are another system's own, and overlooked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from gitops.retrieval.model import Answer, Cited, Hit, Result, Span
from gitops.retrieval.ranking import ordered
from gitops.retrieval.result_values import (
    Wrong,
    amount_in,
    flag_in,
    id_in,
    list_in,
    number_in,
    shown,
    spans_in,
    text_in,
    whole,
    whole_in,
)
from gitops.runs.bad_input import BadInput, Fault

TELLING = ("hits_top_k", "answer", "error")
"""A result tells at least one of these."""
HINT = "docs/retrieval.md shows a line of each kind"


def result_of(value: Mapping[str, Any], where: str) -> Result:
    """The result that a JSON object of any system holds; `where` is what a fault is told of. BadInput for a wrong one.

    Whether its citations resolve is not for the system to say: what it tells of that is overlooked.
    """
    try:
        return _result(value)
    except Wrong as error:
        raise BadInput(where, [_of_all(str(error))], HINT) from None


def of(record: Mapping[str, Any], where: str = "a result") -> Result:
    """The result of a `record` that was kept: what came of its citations included. BadInput where it is none."""
    found = result_of(record, where)
    try:
        duplicates = whole_in(record, "duplicates", 0) or 0
        answer = record.get("answer")
        cited = list_in(answer, "citations") if isinstance(answer, dict) else ()
        resolved = [flag_in(each, "resolves") if isinstance(each, dict) else None for each in cited]
    except Wrong as error:
        raise BadInput(where, [_of_all(str(error))], HINT) from None
    found = replace(found, duplicates=found.duplicates + duplicates)
    if found.answer is None:
        return found
    citations = tuple(replace(one, resolves=told) for one, told in zip(found.answer.citations, resolved, strict=True))
    return replace(found, answer=replace(found.answer, citations=citations))


def record(result: Result) -> dict[str, Any]:
    """The result as JSON: a line of a results file, and what is kept of it with a run. What is empty is left out."""
    value: dict[str, Any] = {"query_id": result.query_id, "hits_top_k": [_hit_record(hit) for hit in result.hits]}
    if result.answer is not None:
        value["answer"] = _answer_record(result.answer)
    amounts = {"latency_ms": result.latency_ms, "tokens": result.tokens, "usd": result.usd}
    value |= {name: amount for name, amount in amounts.items() if amount is not None}
    texts = {"error": result.error, "duplicates": result.duplicates}
    return value | {name: told for name, told in texts.items() if told}


def _result(value: Mapping[str, Any]) -> Result:
    query_id = id_in(value, "query_id")
    if not query_id:
        raise Wrong("'query_id' is missing")
    if not any(value.get(key) is not None for key in TELLING):
        raise Wrong("it tells no 'hits_top_k', no 'answer' and no 'error'")
    hits, duplicates = _hits(list_in(value, "hits_top_k"))
    return Result(
        query_id,
        hits,
        _answer(value.get("answer")),
        text_in(value, "error"),
        amount_in(value, "latency_ms"),
        whole_in(value, "tokens", 0),
        amount_in(value, "usd"),
        duplicates,
    )


def _hits(values: Sequence[Any]) -> tuple[tuple[Hit, ...], int]:
    hits = []
    for number, value in enumerate(values, 1):
        try:
            hits.append(_hit(value))
        except Wrong as error:
            raise Wrong(f"hit {number}: {error}") from None
    ranked = sum(hit.rank > 0 for hit in hits)
    if ranked not in (0, len(hits)):
        raise Wrong(f"{ranked} of {len(hits)} hits have a rank: all must, or none")
    return ordered(hits)


def _hit(value: Any) -> Hit:
    """A hit; rank 0 where it tells none. A document without a chunk id is a chunk of itself."""
    if type(value) is not dict:
        raise Wrong(f"an object is wanted, not {shown(value)}")
    chunk_id, doc_id = id_in(value, "chunk_id"), id_in(value, "doc_id")
    if not (chunk_id or doc_id):
        raise Wrong("'chunk_id' is missing")
    rank = whole_in(value, "rank", 1) or 0
    return Hit(rank, chunk_id or doc_id, doc_id, spans_in(value), number_in(value, "score"))


def _hit_record(hit: Hit) -> dict[str, Any]:
    value: dict[str, Any] = {"rank": hit.rank, **_place(hit.chunk_id, hit.doc_id, hit.spans)}
    return value if hit.score is None else value | {"score": hit.score}


def _place(chunk_id: str, doc_id: str, spans: tuple[Span, ...]) -> dict[str, Any]:
    told: dict[str, Any] = {"chunk_id": chunk_id, "doc_id": doc_id, "source_spans": [list(span) for span in spans]}
    return {name: value for name, value in told.items() if value}


def _answer(value: Any) -> Answer | None:
    """An answer; a text alone is one that does not tell what it cites and whether it is grounded."""
    if value is None:
        return None
    if isinstance(value, str):
        return Answer(whole(value))
    if not isinstance(value, dict):
        raise Wrong(f"'answer' must be an object, a text or null, not {shown(value)}")
    if value.get("text") is None:
        raise Wrong("'answer' has no 'text'")
    cited = tuple(_cited(each) for each in list_in(value, "citations"))
    return Answer(text_in(value, "text"), cited, flag_in(value, "grounded"))


def _cited(value: Any) -> Cited:
    """A citation: a chunk's id, an object that names a chunk or a document, or one whose `citation` is either."""
    named = value["citation"] if isinstance(value, dict) and "citation" in value else value
    if isinstance(named, str):
        return Cited(id_in({"citation": named}, "citation"))
    if not isinstance(named, dict):
        raise Wrong(f"a citation must be a chunk's id or an object, not {shown(named)}")
    cited = Cited(id_in(named, "chunk_id"), id_in(named, "doc_id"), spans_in(named))
    if not (cited.chunk_id or cited.doc_id):
        raise Wrong("a citation names neither a 'chunk_id' nor a 'doc_id'")
    return cited


def _answer_record(answer: Answer) -> dict[str, Any]:
    value: dict[str, Any] = {"text": answer.text}
    if answer.citations:
        value["citations"] = [_cited_record(each) for each in answer.citations]
    return value if answer.grounded is None else value | {"grounded": answer.grounded}


def _cited_record(cited: Cited) -> dict[str, Any]:
    value = _place(cited.chunk_id, cited.doc_id, cited.spans)
    return value if cited.resolves is None else value | {"resolves": cited.resolves}


def _of_all(message: str) -> Fault:
    return Fault(0, message)
