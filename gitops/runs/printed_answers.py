"""What `--json` prints of searching and asking: what `git assay schema` tells of it."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict  # pydantic takes typing's own only from Python 3.12 on

from gitops.runs.printed import Finished


class FoundChunk(TypedDict):
    """A chunk that a search found; spans are half-open, in code points of the document's text."""

    rank: int
    chunk_id: str
    doc_id: str
    kind: Literal["wiki", "raw"]
    source_spans: list[tuple[int, int]]
    line: int
    page: int | None
    title: str
    heading: str
    score: float


class FoundPlace(FoundChunk):
    """The same with its best sentence, and the places of the words in that."""

    text: str
    marks: list[tuple[int, int]]


class Search(TypedDict("Search", {"in": Literal["wiki", "raw", "all"]})):
    """Places, best first (`search`)."""

    schema: Literal["assay/search/1"]
    words: str
    commit: str
    hits: list[FoundPlace]


class AnsweredBy(TypedDict):
    """Who answered, and how the wiki was cut."""

    preset: str
    model: str
    chunker_version: str


class CitedSource(TypedDict):
    """What a page cites for words of an answer; '' where it says nothing."""

    path: str
    locator: str
    quote: str


class AnswerCitation(TypedDict):
    """Words of a page that an answer rests on."""

    doc_id: str
    chunk_id: str
    source_spans: list[tuple[int, int]]
    line: int
    quote: str
    sources: list[CitedSource]


class InSource(TypedDict):
    """Where a source says what the wiki does not."""

    path: str
    line: int
    quote: str


class GivenAnswer(TypedDict):
    """An answer or a refusal."""

    text: str
    refused: bool
    grounded: bool
    reason: str
    citations: list[AnswerCitation]
    topics: list[str]
    in_source: InSource | None


class NotKept(TypedDict):
    """An answer that was not kept, or was kept before."""

    result: Literal["not_kept", "kept_already"]
    error: NotRequired[str]
    hint: NotRequired[str]


class Query(TypedDict):
    """A question and its answer (`query`)."""

    schema: Literal["assay/query/1"]
    question: str
    workspace: str
    commit: str
    config: AnsweredBy
    hits_top_k: list[FoundChunk]
    answer: GivenAnswer
    used: dict[str, float]
    archive: NotRequired[Finished | NotKept]


class QueryEstimate(TypedDict):
    """What asking would take (`query --dry-run`)."""

    schema: Literal["assay/query-estimate/1"]
    preset: str
    model: str
    found: int
    first_call: dict[str, float]
