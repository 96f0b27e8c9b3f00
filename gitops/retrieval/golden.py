"""Golden queries: what a retrieval system is asked, and what it should find and say (kebab P5-2, `GoldenQuery`).

The file is YAML or JSON, a list of entries. `expected_doc_ids: []` says that the query should be refused; what is left
out is not judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from gitops.canonical import digest
from gitops.retrieval import golden_nodes
from gitops.retrieval.golden_entries import Entries
from gitops.retrieval.model import Expected, GoldenQuery
from gitops.retrieval.quotations import apart
from gitops.runs.bad_input import BadInput, Fault, decoded

_HINT = "docs/retrieval.md shows an entry"


def parse(data: bytes, name: str) -> list[GoldenQuery]:
    """The golden queries of a file, which is JSON where its name says so. BadInput with every fault in it.

    A file that holds no query is refused too: nothing can be measured by it.
    """
    text = decoded(data, name)
    try:
        node = golden_nodes.read(text, is_json=name.endswith(".json"))
    except golden_nodes.NotRead as error:
        raise BadInput(name, [error.fault], f"mend {name}; {_HINT}") from None
    entries = Entries()
    entries.read(node)
    if entries.faults:
        raise BadInput(name, entries.faults, f"mend {name}; {_HINT}")
    if not entries.found:
        raise BadInput(name, [Fault(1, "it holds no golden query")], f"write one into {name}; {_HINT}")
    return entries.found


def digest_of(queries: Iterable[GoldenQuery]) -> str:
    """What a measurement is measured by: the sha256 of what is expected, not of lines nor of an order.

    What a store fills in (`stores.located`) does not count, so that one golden file has one digest whatever chunker
    has cut the documents: a chunk counts by its id, one that a quotation names by that and its document.
    """
    return digest(sorted((_measured_by(one) for one in queries), key=lambda one: str(one["query_id"])))


def _measured_by(query: GoldenQuery) -> dict[str, Any]:
    value = record(query)
    if query.doc_ids is not None:
        value["expected_doc_ids"] = sorted(query.doc_ids.items())
    if query.chunks is not None:
        value["expected_chunk_ids"] = sorted(map(_named_by, apart(query.chunks)))
    return value | {"must_contain": sorted(query.must_contain), "forbidden": sorted(query.forbidden)}


def _named_by(chunk: Expected) -> list[Any]:
    named = [chunk.doc_id, chunk.quote] if chunk.quote else [chunk.chunk_id, ""]
    return [*named, chunk.grade]


def record(query: GoldenQuery) -> dict[str, Any]:
    """The query as it is kept with a run, so that the run can be scored again: the fields of a golden file, and
    `should_refuse`, which tells a query to be refused from one for which no document is relevant.
    """
    value: dict[str, Any] = {"query_id": query.query_id, "query": query.query}
    if query.should_refuse:
        value["should_refuse"] = True
    if query.doc_ids is not None:
        value["expected_doc_ids"] = [_graded(each, grade) for each, grade in query.doc_ids.items()]
    if query.chunks is not None:
        value["expected_chunk_ids"] = [_chunk(each) for each in query.chunks]
    texts = {"must_contain": list(query.must_contain), "forbidden": list(query.forbidden)}
    return value | {key: listed for key, listed in texts.items() if listed}


def of(record: Mapping[str, Any], where: str = "a golden query") -> GoldenQuery:
    """The query of a `record`; `where` is what a fault is told of. BadInput where it is none."""
    entries = Entries(is_record=True)
    try:
        entries.read(golden_nodes.of_value([record]))
    except golden_nodes.NotRead as error:
        raise BadInput(where, [error.fault]) from None
    if entries.faults:
        raise BadInput(where, entries.faults)
    return entries.found[0]


def _graded(doc_id: str, grade: int) -> str | dict[str, Any]:
    return doc_id if grade == 1 else {"doc_id": doc_id, "grade": grade}


def _chunk(chunk: Expected) -> str | dict[str, Any]:
    value: dict[str, Any] = {
        "chunk_id": chunk.chunk_id,
        "doc_id": chunk.doc_id,
        "spans": [list(span) for span in chunk.spans],
        "quote": chunk.quote,
    }
    kept = {key: part for key, part in value.items() if part}
    if chunk.grade != 1:
        kept["grade"] = chunk.grade
    return chunk.chunk_id if kept.keys() == {"chunk_id"} else kept
