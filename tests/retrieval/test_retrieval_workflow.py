from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gitops import assembly
from gitops.config import Budget
from gitops.errors import CannotRun, OutOfBudget, UsageError
from gitops.retrieval import workflow
from gitops.retrieval.model import Expected, GoldenQuery
from gitops.retrieval.running import by_workflow, scored_by
from gitops.retrieval.workflow import ask
from gitops.runs import searching
from gitops.runs.answered import Answered
from gitops.runs.bad_input import BadInput
from gitops.usage import Usage
from gitops.wiki.chunks import CHUNKER_VERSION
from tests.retrieval.tide_wiki import FILES, SPRING, Tides

CHUNK = {"rank": 1, "chunk_id": "c1", "doc_id": "wiki/tides.md", "source_spans": [[0, 9]], "score": 2.0, "line": 1}
SAID = {"text": "Twice.", "refused": False, "grounded": True, "citations": [{"chunk_id": "c1", "quote": "x"}]}


@pytest.fixture
def tides(make_repository: Callable[..., Path]) -> Tides:
    return Tides(make_repository(FILES))


class Scripted:
    """Answers questions, or fails, as it was told; says which budget it was given."""

    def __init__(self, *outcomes: Answered | Exception) -> None:
        self.outcomes = list(outcomes)
        self.budgets: list[Budget] = []

    def __call__(
        self, context: Any, workspace: Any, commit: str, question: str, preset: str, budget: Budget
    ) -> Answered:
        self.budgets.append(budget)
        outcome = self.outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome


def answered(**more: Any) -> Answered:
    values = {"record": {"hits_top_k": [CHUNK], "answer": SAID}, **more}
    return Answered((), (), is_refused=False, tool_calls=1, latency_ms=12.34567, **values)


def asked(tides: Tides, answering: Scripted) -> tuple[Any, Usage]:
    queries: Sequence[GoldenQuery] = [
        GoldenQuery(f"q{n}", f"Question {n}?") for n in range(len(answering.outcomes) or 1)
    ]
    return ask(replace(tides.workflow(), answering=answering), queries)


def test_a_preset_that_there_is_not_is_refused(tides: Tides) -> None:
    with pytest.raises(UsageError, match="there is no preset 'clod'"):
        assert replace(tides.workflow(), preset="clod").is_offline


def test_a_prompt_has_a_version_where_a_model_is_asked(tides: Tides) -> None:
    with pytest.raises(UsageError, match="there is no preset 'clod'"):
        assembly.prompt_version(tides.workspace, "clod")
    assert assembly.prompt_version(tides.workspace, "") == assembly.prompt_version(tides.workspace, "offline") == ""
    assert re.fullmatch(r"[0-9a-f]{12}", assembly.prompt_version(tides.workspace, "claude"))


def test_what_fails_is_that_querys_error(tides: Tides) -> None:
    found, used = asked(tides, Scripted(CannotRun("no answer"), answered()))
    assert [each.error for each in found.by_query.values()] == ["no answer", ""]
    assert used == Usage()


def test_where_the_budget_runs_out_the_others_are_not_asked(tides: Tides) -> None:
    answering = Scripted(answered(), OutOfBudget("0.01 USD left"), answered())
    found, _ = asked(tides, answering)
    assert len(answering.outcomes) == 1
    assert [each.error for each in found.by_query.values()] == [
        "", "0.01 USD left", "not asked: the budget of [llm.budgets.eval] ran out: 0.01 USD left",
    ]  # fmt: skip


def test_where_the_first_all_fail_the_others_are_not_asked(tides: Tides) -> None:
    answering = Scripted(*[CannotRun("no key")] * 6, answered())
    found, _ = asked(tides, answering)
    assert len(answering.outcomes) == 2
    assert [each.error for each in found.by_query.values()][4:] == [
        "no key", *["not asked: the first 5 queries all failed: no key"] * 2,
    ]  # fmt: skip


def test_where_one_was_answered_the_others_are_asked_whatever_fails(tides: Tides) -> None:
    answering = Scripted(*[CannotRun("no key")] * 4, answered(), *[CannotRun("no key")] * 9)
    asked(tides, answering)
    assert answering.outcomes == []


def test_each_query_has_what_those_before_it_left(make_repository: Callable[..., Path]) -> None:
    policy = FILES["assay.toml"] + "[llm.budgets]\neval = { input_tokens = 1000, output_tokens = 100, usd = 1.0 }\n"
    tides = Tides(make_repository({**FILES, "assay.toml": policy}))
    spent = Usage(input=100, output=20, usd=0.25, calls=2)
    answering = Scripted(answered(used=spent, model="m-1"), answered(used=spent))
    found, used = asked(tides, answering)
    assert [(one.input_tokens, one.output_tokens, one.usd) for one in answering.budgets] == [
        (1000, 100, 1.0), (900, 80, 0.75),
    ]  # fmt: skip
    assert used == spent + spent
    assert (found.by_query["q0"].tokens, found.by_query["q0"].usd) == (120, 0.25)
    assert found.versions.model == "m-1"


def test_hits_answer_and_time_are_taken_as_they_are(tides: Tides) -> None:
    found, _ = asked(tides, Scripted(answered()))
    [result] = found.by_query.values()
    assert [(hit.rank, hit.chunk_id, hit.doc_id, hit.spans) for hit in result.hits] == [
        (1, "c1", "wiki/tides.md", ((0, 9),))
    ]
    assert result.answer is not None
    assert (result.answer.text, result.answer.grounded, result.latency_ms) == ("Twice.", True, 12.346)
    assert (result.tokens, result.usd) == (None, None)
    versions = found.versions
    assert (versions.chunker_version, versions.embedding, versions.model) == (CHUNKER_VERSION, "fts5-bm25", "")


def test_the_store_has_every_chunk_of_the_pages_and_texts_where_something_is_quoted(tides: Tides) -> None:
    queries = [GoldenQuery("q", "?", chunks=(Expected(doc_id="wiki/tides.md", quote=SPRING),))]
    with searching.opened(tides.context, tides.workspace, tides.commit, "wiki") as searcher:
        store = workflow.store(searcher, queries)
        page = searcher.document("wiki", "wiki/tides.md")
    assert {one.doc_id for one in store.chunks.values()} == {"wiki/index.md", "wiki/moon.md", "wiki/tides.md"}
    assert {store.chunks[chunk].doc_id for chunk in store.texts} == {"wiki/tides.md"}
    for chunk, text in store.texts.items():
        [(start, end)] = store.chunks[chunk].spans
        assert text == page[start:end]


def test_an_expected_chunk_that_is_not_there_is_told_before_anything_is_asked(tides: Tides) -> None:
    gold = replace(tides.gold, queries=[GoldenQuery("q", "?", chunks=(Expected("nowhere", line=7),), line=6)])
    answering = Scripted()
    with pytest.raises(BadInput, match=r"gold/retrieval.yaml:7: .*'nowhere'"):
        by_workflow(replace(tides.workflow(), answering=answering), gold, 10)
    assert answering.budgets == []


def test_an_expected_document_that_is_not_there_is_told_and_scores_nothing(tides: Tides) -> None:
    gold = replace(tides.gold, queries=[GoldenQuery("q", "What pulls the sea?", {"wiki/gone.md": 1})])
    ran = by_workflow(tides.workflow(), gold, 10)
    told = "expected documents that there is no chunk of: 1 (wiki/gone.md), in queries: 1 (q)"
    assert ran.gold.remarks == (f"gold/retrieval.yaml: {told}",)
    assert ran.gold.remarks[0] in scored_by(ran.gold, ran.results, has_store=True).remarks


def test_chunk_ids_of_another_chunker_are_not_looked_up(tides: Tides) -> None:
    expected = Expected("elsewhere", "wiki/moon.md", ((0, 9),), line=7)
    gold = replace(tides.gold, queries=[GoldenQuery("q", "What pulls the sea?", chunks=(expected,))])
    ran = by_workflow(tides.workflow(), gold, 10, other_chunker=True)
    assert (ran.gold.queries, ran.gold.remarks) == (gold.queries, ())


def test_the_wikis_own_workflow_finds_answers_and_refuses(tides: Tides) -> None:
    ran = by_workflow(tides.workflow(), tides.gold, 10)
    falls, pull, lucene = ran.results.by_query.values()
    [expected] = ran.gold.queries[0].chunks or ()
    assert falls.hits[0].chunk_id == expected.chunk_id
    assert falls.hits[0].spans == expected.spans
    assert falls.answer is not None
    assert falls.answer.grounded
    assert "twice a day" in falls.answer.text
    assert [one.resolves for one in falls.answer.citations] == [True]
    assert pull.hits[0].doc_id == "wiki/moon.md"
    assert lucene.answer is not None
    assert lucene.answer.grounded is False
    assert (ran.system, ran.top, ran.has_store, ran.chunks) == ("git assay query", 10, True, None)
    assert ran.subject == {"preset": "offline", "config_snapshot": tides.workspace.policy}


def test_no_more_hits_are_told_than_were_asked_for(make_repository: Callable[..., Path]) -> None:
    pages = {f"wiki/p{number}.md": f"# Page {number}\n\nThe sea falls, says page {number}.\n" for number in range(30)}
    tides = Tides(make_repository({**FILES, **pages}))
    queries = [GoldenQuery("q", "How often does the sea fall?")]
    for top in (2, 25):
        found, _ = ask(tides.workflow(top), queries)
        assert len(found.by_query["q"].hits) == top
