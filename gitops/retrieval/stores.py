"""The chunks that results lead to: expected ones are checked and completed by them, citations looked up in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gitops.canonical import digest
from gitops.retrieval.model import Chunk, Cited, Expected, GoldenQuery, Hit, Result, Results, Span
from gitops.retrieval.quotations import apart, chunk_with, together
from gitops.retrieval.result_values import Wrong, id_in, spans_in, text_in
from gitops.retrieval.score_remarks import named
from gitops.runs.bad_input import BadInput, Fault
from gitops.runs.gold import nearest
from gitops.runs.jsonlines import objects

_HINT = "a line of it is: {chunk_id, doc_id, source_spans, text}"
_OF_A_CHUNK = ("chunk_id", "doc_id", "source_spans", "spans", "text")
_MEND = "name chunks of the store, or quote a document; --other-chunker where the ids are another chunker's"
_FEW = 2_000
"""Among so many chunks the nearest id is looked for; among more it would take long, and tell little."""


@dataclass(frozen=True, slots=True)
class Store:
    """Chunks by their ids, and by the documents that they are of. `texts` has those texts that are known, by chunk id;
    it may be a mapping that reads them when they are asked for.
    """

    chunks: Mapping[str, Chunk]
    by_document: Mapping[str, Sequence[Chunk]]
    texts: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, chunks: Iterable[Chunk], texts: Mapping[str, str] | None = None) -> Store:
        """The store of some chunks, whose ids are unique."""
        by_id = {chunk.chunk_id: chunk for chunk in chunks}
        by_document: dict[str, list[Chunk]] = {}
        for chunk in by_id.values():
            if chunk.doc_id:
                by_document.setdefault(chunk.doc_id, []).append(chunk)
        return cls(by_id, by_document, texts or {})

    @property
    def digest(self) -> str:
        """What citations are looked up in: the sha256 of the chunks and where they lie, not of an order."""
        return digest(sorted([one.chunk_id, one.doc_id, one.spans] for one in self.chunks.values()))

    def resolves(self, cited: Cited) -> bool:
        """Whether a citation leads to a chunk: by its id; without one by its document, of which each span that the
        citation tells must meet one of a chunk.
        """
        if cited.chunk_id:
            return cited.chunk_id in self.chunks
        spans = [span for chunk in self.by_document.get(cited.doc_id, ()) for span in chunk.spans]
        return cited.doc_id in self.by_document and all(_meets(one, spans) for one in cited.spans)


def read(data: bytes, name: str) -> Store:
    """The store in a file of JSON Lines: chunk_id, doc_id, source_spans (or spans), text. BadInput with the line.

    A first line that has none of these is a header, and overlooked.
    """
    found: dict[str, tuple[Chunk, str, int]] = {}
    for position, (number, value) in enumerate(objects(data, name, _HINT)):
        if position == 0 and not any(key in value for key in _OF_A_CHUNK):
            continue
        try:
            chunk, text = _chunk(value), text_in(value, "text")
        except Wrong as error:
            raise BadInput(name, [Fault(number, str(error))], _HINT) from None
        other, other_text, line = found.setdefault(chunk.chunk_id, (chunk, text, number))
        if (other, other_text) != (chunk, text):
            told = f"a second chunk '{chunk.chunk_id}', with another place or text (line {line})"
            raise BadInput(name, [Fault(number, told)], "an id names one chunk: keep one of the two")
    if not found:
        raise BadInput(name, [Fault(1, "it holds no chunk")], _HINT)
    texts = {chunk_id: text for chunk_id, (_, text, _) in found.items() if text}
    return Store.of((chunk for chunk, _, _ in found.values()), texts)


def located(
    queries: Sequence[GoldenQuery], store: Store, name: str, *, other_chunker: bool = False
) -> list[GoldenQuery]:
    """The queries with their expected chunks as the store has them: a quotation becomes the chunk in which it stands,
    and documents and spans that are not told are filled in.

    Two quotations from one chunk are one expected chunk, with the higher grade. `other_chunker`: chunks that are named
    by their ids are another chunker's, and stay as they are. BadInput with every line of the golden file, which is
    called `name`, that expects a chunk which is not there.
    """
    faults: list[Fault] = []
    found = [_located(query, store, faults, other_chunker) for query in queries]
    if faults:
        raise BadInput(name, faults, _MEND)
    return found


def unknown_documents(queries: Iterable[GoldenQuery], store: Store, name: str) -> Iterator[str]:
    """A remark where documents are expected that the store has no chunk of, and so can never be found: which, in which
    queries, and where the golden file has the first of them. None of a store that tells no documents.

    They may be gone, which is what is measured, or misspelt.
    """
    every = [(query, list(_lacking(query, store))) for query in queries if store.by_document]
    asked = [(query, documents) for query, documents in every if documents]
    if asked:
        line = min(query.line for query, _ in asked)
        where = f"{name}:{line}" if line else name
        gone = named(list(dict.fromkeys(each for _, documents in asked for each in documents)))
        told = f"{gone}, in queries: {named([query.query_id for query, _ in asked])}"
        yield f"{where}: expected documents that there is no chunk of: {told}"


def resolved(results: Results, store: Store) -> Results:
    """The results, each of whose citations tells whether it leads to a chunk of the store; hits are `placed`."""
    found = {query_id: _resolved(result, store) for query_id, result in results.by_query.items()}
    return placed(replace(results, by_query=found), store)


def placed(results: Results, store: Store) -> Results:
    """The results with the document and the spans of each hit, where it does not tell them itself and its chunk does.

    A remark tells how many hits that was needed for.
    """
    filled = {
        name: replace(one, hits=tuple(_placed(hit, store) for hit in one.hits))
        for name, one in results.by_query.items()
    }
    pairs = zip(results.by_query.values(), filled.values(), strict=True)
    count = sum(hit is not other for before, after in pairs for hit, other in zip(before.hits, after.hits, strict=True))
    if not count:
        return results
    told = f"hits of which the chunks tell the document or the spans, as they do not: {count:,}"
    return replace(results, by_query=filled, remarks=(*results.remarks, told))


def _chunk(value: Mapping[str, Any]) -> Chunk:
    chunk_id = id_in(value, "chunk_id")
    if not chunk_id:
        raise Wrong("'chunk_id' is missing")
    return Chunk(chunk_id, id_in(value, "doc_id"), spans_in(value))


def _lacking(query: GoldenQuery, store: Store) -> Iterator[str]:
    """Those expected documents that the store lacks."""
    yield from (name for name, grade in (query.doc_ids or {}).items() if grade > 0 and name not in store.by_document)
    of_chunks = (chunk.doc_id for chunk in query.chunks or ())
    yield from (name for name in of_chunks if name and name not in store.by_document)


def _located(query: GoldenQuery, store: Store, faults: list[Fault], other_chunker: bool) -> GoldenQuery:
    if not query.chunks:
        return query
    found: dict[str, Expected] = {}
    for expected in apart(query.chunks):
        try:
            if expected.quote:
                chunk = _quoted(expected, store)
            else:
                chunk = expected if other_chunker else _named(expected, store)
        except Wrong as error:
            faults.append(Fault(expected.line or query.line, f"{error} (query '{query.query_id}')"))
            continue
        other = found.get(chunk.chunk_id)
        found[chunk.chunk_id] = chunk if other is None else together(other, chunk)
    return replace(query, chunks=tuple(found.values()))


def _named(expected: Expected, store: Store) -> Expected:
    chunk = store.chunks.get(expected.chunk_id)
    if chunk is None:
        near = nearest(expected.chunk_id, store.chunks) if len(store.chunks) <= _FEW else ""
        raise Wrong(f"the expected chunk '{expected.chunk_id}' is not in the store{near}")
    if expected.doc_id and chunk.doc_id and expected.doc_id != chunk.doc_id:
        raise Wrong(f"the expected chunk '{chunk.chunk_id}' is of '{chunk.doc_id}', not of '{expected.doc_id}'")
    return replace(expected, doc_id=expected.doc_id or chunk.doc_id, spans=expected.spans or chunk.spans)


def _quoted(expected: Expected, store: Store) -> Expected:
    if expected.doc_id not in store.by_document:
        raise Wrong(f"the document '{expected.doc_id}', which is quoted, has no chunk in the store")
    chunk = chunk_with(expected.quote, store.by_document[expected.doc_id], store.texts)
    return replace(expected, chunk_id=chunk.chunk_id, spans=chunk.spans)


def _placed(hit: Hit, store: Store) -> Hit:
    if hit.doc_id and hit.spans:
        return hit
    chunk = store.chunks.get(hit.chunk_id)
    if chunk is None or (hit.doc_id and chunk.doc_id and hit.doc_id != chunk.doc_id):
        return hit
    doc_id, spans = hit.doc_id or chunk.doc_id, hit.spans or chunk.spans
    return hit if (doc_id, spans) == (hit.doc_id, hit.spans) else replace(hit, doc_id=doc_id, spans=spans)


def _resolved(result: Result, store: Store) -> Result:
    if result.answer is None:
        return result
    citations = tuple(replace(cited, resolves=store.resolves(cited)) for cited in result.answer.citations)
    return replace(result, answer=replace(result.answer, citations=citations))


def _meets(span: Span, others: Iterable[Span]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in others)
