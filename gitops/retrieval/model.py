"""What retrieval is measured by and what is measured: golden queries, and the results of a system for each of them.

Ids are in Unicode's form C wherever they come from, so that ids which differ in their normal form alone are one id.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Span = tuple[int, int]
"""Half-open `[start, end)`, in code points of the document's text."""


@dataclass(frozen=True, slots=True)
class Expected:
    """A chunk that should be found: by its id, or by a quotation that stands in it, which a store then resolves.

    `grade` is how relevant it is: 1, or more where some are worth more than others. `spans` are where it lies in its
    document, () where that is not known; `line` is where the file names it, 0 where no file does.
    """

    chunk_id: str = ""
    doc_id: str = ""
    spans: tuple[Span, ...] = ()
    quote: str = ""
    grade: int = 1
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class GoldenQuery:
    """A query and what is expected of it.

    `doc_ids` has the grade of each document that should be found, None where nothing is said of documents; `chunks` the
    same of chunks. Empty, they say that none is relevant (a TREC topic without a relevant document), which scores 0. A
    query of which neither documents nor chunks are told is unjudged. `should_refuse`: the system should say that it
    does not know (`expected_doc_ids: []` in a golden file); then both are None.
    """

    query_id: str
    query: str
    doc_ids: Mapping[str, int] | None = None
    chunks: Sequence[Expected] | None = None
    should_refuse: bool = False
    must_contain: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    line: int = field(default=0, compare=False)

    @property
    def is_unjudged(self) -> bool:
        """Whether nothing is said of what should be found, nor that nothing should."""
        return self.doc_ids is None and self.chunks is None and not self.should_refuse


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that was found, at its rank from 1. `score` is None where the system tells none."""

    rank: int
    chunk_id: str
    doc_id: str = ""
    spans: tuple[Span, ...] = ()
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Cited:
    """What an answer cites: a chunk by its id, or a document and perhaps spans of it.

    `resolves` says whether it leads to a chunk of the store that it was looked up in; None where it was not.
    """

    chunk_id: str = ""
    doc_id: str = ""
    spans: tuple[Span, ...] = ()
    resolves: bool | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a system said. `grounded` False is a refusal; None where the system does not tell."""

    text: str
    citations: tuple[Cited, ...] = ()
    grounded: bool | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """What a system gave for one query: hits in their order, each chunk once, and perhaps an answer, or an error.

    `duplicates` counts the hits that named a chunk again and were left out.
    """

    query_id: str
    hits: Sequence[Hit] = ()
    answer: Answer | None = None
    error: str = ""
    latency_ms: float | None = None
    tokens: int | None = None
    usd: float | None = None
    duplicates: int = 0
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Versions:
    """What made the results, as their header tells; '' for what it does not. `others` are its further fields."""

    chunker_version: str = ""
    embedding: str = ""
    prompt_version: str = ""
    model: str = ""
    others: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Results:
    """The results of a system: by query id, in the order in which they came. `name` is what they are called."""

    name: str
    by_query: Mapping[str, Result]
    versions: Versions = Versions()
    has_header: bool = True
    remarks: tuple[str, ...] = ()
    """What is to be told aloud of reading them: a header that is missing, hits that no line has. What was overlooked in
    single results (duplicates) is told of scoring them."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A chunk of a store."""

    chunk_id: str
    doc_id: str = ""
    spans: tuple[Span, ...] = ()
