"""Results of any retrieval system as JSON Lines: a header with versions, then a line for each query."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any

from gitops.canonical import dumps
from gitops.retrieval.model import Result, Results, Versions
from gitops.retrieval.result_json import HINT, TELLING, of, record, result_of
from gitops.retrieval.result_values import shown, whole
from gitops.runs.bad_input import BadInput, Fault
from gitops.runs.jsonlines import objects

__all__ = ["NO_HEADER", "SCHEMA", "VERSION_NAMES", "lines", "of", "read", "record", "result_of"]

SCHEMA = "assay/retrieval-results/1"
"""What a header may say the file is."""
VERSION_NAMES: Mapping[str, tuple[str, ...]] = {
    "chunker_version": ("chunker_version", "chunker"),
    "embedding": ("embedding", "embedding_version", "embedding_model"),
    "prompt_version": ("prompt_version", "prompt", "prompt_template_version"),
    "model": ("model", "llm", "llm_model"),
}
"""The names by which a header may tell each version; the first that is there counts, another is one of `others`."""
NO_HEADER = "no header line: the versions of chunker, embedding, prompt and model are not known"


def read(data: bytes, name: str, top: int | None = None) -> Results:
    """The results in a file, of each ranking the first `top` hits. BadInput with the line of what cannot be taken."""
    lines = objects(data, name, HINT)
    first = next(lines, None)
    has_header = first is not None and not any(key in first[1] for key in ("query_id", *TELLING))
    versions = _versions(first[1], f"{name}:{first[0]}") if first is not None and has_header else Versions()
    by_query: dict[str, Result] = {}
    is_ranked = False
    for number, value in lines if has_header or first is None else chain([first], lines):
        where = f"{name}:{number}"
        result = result_of(value, where)
        if (other := by_query.get(result.query_id)) is not None:
            raise BadInput(where, [Fault(0, f"a second result of '{result.query_id}' (line {other.line})")], HINT)
        is_ranked = is_ranked or value.get("hits_top_k") is not None
        by_query[result.query_id] = replace(result, hits=result.hits[:top], line=number)
    return Results(name, by_query, versions, has_header, tuple(_remarks(bool(by_query), has_header, is_ranked)))


def lines(results: Results) -> Iterator[str]:
    """The lines of a results file, each with its end: the header first, if there was one or a version is known."""
    versions = {name: told for name in VERSION_NAMES if (told := getattr(results.versions, name))}
    if results.has_header or versions or results.versions.others:
        yield dumps({**results.versions.others, **versions, "schema": SCHEMA}) + "\n"
    yield from (dumps(record(result)) + "\n" for result in results.by_query.values())


def _versions(header: Mapping[str, Any], where: str) -> Versions:
    if (schema := header.get("schema", SCHEMA)) != SCHEMA:
        raise BadInput(where, [Fault(0, f"the schema is {shown(schema)}, and {SCHEMA} is read here")], HINT)
    others = {key: value for key, value in header.items() if key != "schema"}
    told = {}
    for field, names in VERSION_NAMES.items():
        name = next((name for name in names if header.get(name) is not None), None)
        told[field] = "" if name is None else _version(others.pop(name))
    return Versions(**told, others=others)


def _version(value: Any) -> str:
    return whole(value) if isinstance(value, str) else dumps(value)


def _remarks(is_there: bool, has_header: bool, is_ranked: bool) -> Iterator[str]:
    if not has_header:
        yield NO_HEADER
    if is_there and not is_ranked:
        yield "no line has 'hits_top_k': each query counts as one without a hit"
