"""Asks this project's own query workflow each golden query, and says what chunks there are to be found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from gitops.errors import AssayError, OutOfBudget
from gitops.retrieval.model import Chunk, GoldenQuery, Result, Results, Versions
from gitops.retrieval.results import result_of
from gitops.retrieval.stores import Store
from gitops.runs.answered import Answered, Answering
from gitops.runs.bad_input import nfc
from gitops.runs.context import Context
from gitops.runs.searching import Searcher
from gitops.runs.seating import left
from gitops.runs.workspace import Workspace
from gitops.usage import NOTHING, Usage
from gitops.wiki.chunks import CHUNKER_VERSION
from gitops.wiki.layout import Layout

NAME = "git assay query"
"""What results of the query workflow are called."""
EMBEDDING = "fts5-bm25"
"""How its search ranks chunks: by their words alone, with SQLite's FTS5."""
_GIVEN_UP = 5
"""Where the first so many queries fail, the others would too: no key, no network."""


@dataclass(frozen=True, slots=True)
class Workflow:
    """Who answers: a wiki at a commit, by a preset, by whom the door brings, who used what prompt."""

    context: Context
    workspace: Workspace
    commit: str
    answering: Answering
    preset: str = ""
    prompt_version: str = ""

    @property
    def chosen(self) -> str:
        """The preset that answers: as said, else the policy's writer."""
        return self.preset or self.workspace.config.llm.writer

    @property
    def is_offline(self) -> bool:
        """Whether no model is asked. UsageError for a preset that there is not."""
        return self.workspace.config.llm.preset(self.chosen).provider == "offline"


@dataclass(slots=True)
class _Asked:
    """What came of asking so far."""

    results: dict[str, Result]
    used: Usage = NOTHING
    model: str = ""
    given_up: str = ""
    """Why the queries that are left are not asked, once that is so."""


def ask(workflow: Workflow, queries: Sequence[GoldenQuery]) -> tuple[Results, Usage]:
    """The results for all queries, asked one after the other under the budget of evaluations, and what it took.

    What fails is that query's error. Where the budget runs out, or the first few all fail, the others are not asked,
    and their errors say so.
    """
    asked = _Asked({})
    for query in workflow.context.progress("asking golden queries", queries, len(queries)):
        asked.results[query.query_id] = _result(workflow, query, asked)
    model = asked.model or ("" if workflow.is_offline else workflow.workspace.config.llm.preset(workflow.chosen).model)
    versions = Versions(CHUNKER_VERSION, EMBEDDING, workflow.prompt_version, model)
    return Results(NAME, asked.results, versions), asked.used


def _result(workflow: Workflow, query: GoldenQuery, asked: _Asked) -> Result:
    if asked.given_up:
        return Result(query.query_id, error=asked.given_up)
    try:
        found = _answered(workflow, query, asked.used)
    except OutOfBudget as error:
        asked.given_up = f"not asked: the budget of [llm.budgets.eval] ran out: {error.message}"
        return Result(query.query_id, error=error.message)
    except AssayError as error:
        failed = Result(query.query_id, error=error.message)
        if len(asked.results) + 1 == _GIVEN_UP and all(one.error for one in asked.results.values()):
            asked.given_up = f"not asked: the first {_GIVEN_UP} queries all failed: {error.message}"
        return failed
    asked.used += found.used
    asked.model = asked.model or found.model
    return result_of(_record(query, found), f"{NAME} {query.query_id}")


def _answered(workflow: Workflow, query: GoldenQuery, used: Usage) -> Answered:
    workspace = workflow.workspace
    budget = left(workspace.config.llm.budgets.of("eval"), asdict(used))
    return workflow.answering(workflow.context, workspace, workflow.commit, query.query, workflow.preset, budget)


def _record(query: GoldenQuery, found: Answered) -> Mapping[str, Any]:
    told: dict[str, Any] = {
        "query_id": query.query_id,
        "hits_top_k": found.record["hits_top_k"],
        "answer": found.record["answer"],
        "latency_ms": round(found.latency_ms, 3),
    }
    if found.used.calls:
        told |= {"tokens": found.used.read + found.used.output, "usd": round(found.used.usd, 6)}
    return told


def placed(queries: Sequence[GoldenQuery], searcher: Searcher, layout: Layout) -> list[GoldenQuery]:
    """The queries with expected documents by their paths in the repository, as hits have them. A golden file in a
    workspace may name them from the workspace's folder, as its pages name sources.
    """
    if not layout.root:
        return list(queries)
    there = {nfc(place.path) for place in searcher.every("wiki")}

    def path(document: str) -> str:
        whole = nfc(layout.source(document)) if document else ""
        return whole if document not in there and whole in there else document

    return [
        replace(
            query,
            doc_ids=None if query.doc_ids is None else {path(name): grade for name, grade in query.doc_ids.items()},
            chunks=query.chunks and tuple(replace(one, doc_id=path(one.doc_id)) for one in query.chunks),
        )
        for query in queries
    ]


def store(searcher: Searcher, queries: Iterable[GoldenQuery]) -> Store:
    """The chunks of a wiki's pages, and the text of those in which a quotation has to be found."""
    quoted = {one.doc_id for query in queries for one in query.chunks or () if one.quote}
    chunks: list[Chunk] = []
    texts: dict[str, str] = {}
    for place in searcher.every("wiki"):
        document = nfc(place.path)
        chunks.append(Chunk(place.chunk, document, ((place.start, place.end),)))
        if document in quoted:
            texts[place.chunk] = searcher.document("wiki", place.path)[place.start : place.end]
    return Store.of(chunks, texts)
