"""A question to a wiki with long pages, through the parts that the commands put together."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gitops import assembly
from gitops.agents import querying
from gitops.errors import UsageError
from gitops.eviction import storing
from gitops.index import records as rows
from gitops.index.database import open_index
from gitops.llm import usage_reading
from gitops.runs import mirror, store
from gitops.runs.context import Context
from tests.agents.asked import FILES, asking
from tests.eviction.talking import asks_what_is_needed, proposed
from tests.messages_server import Answer, MessagesServer, error, slow, structured, tool_use

QUOTE = "Ada Lovelace measured the tide in 1843."
PAGES = {f"wiki/long{n}.md": f"# Long {n}\n\n" + f"The tide of day {n} turns and turns. " * 120 for n in range(7)}
ANSWER = {
    "text": "Ada Lovelace did.",
    "citations": [{"path": "wiki/tides.md", "quote": QUOTE}],
    "refused": False,
}
LIMIT = "\n[eviction]\ntoken_limit = 8000\n"


class Asked:
    """Asks that wiki a question; `scores` is what a scorer says of a request."""

    def __init__(self, make_repository: Callable[..., Path]) -> None:
        self._make = make_repository
        self.told: list[str] = []
        self.bodies: list[dict[str, Any]] = []
        self.hesitates = 0.0
        self.asking: querying.Asking | None = None

    def __call__(self, policy: str, scores: Callable[[dict[str, Any]], Answer] | None = None) -> Context:
        thinks = 0.1 if scores is not None else 0.0  # so that the scorer, whom nobody waits for, has its time
        left = [slow(thinks, tool_use("read", {"path": path})) for path in PAGES]
        left.append(tool_use("answer", ANSWER))

        def script(body: dict[str, Any], number: int) -> Answer:
            if body["model"] == "claude-haiku-4-5":
                assert scores is not None
                return scores(body)
            if asks_what_is_needed(body):
                said = structured({"exclude_ctx_ids": [proposed(body)[-1]["ctx_id"]], "reason": "still needed"})
                return slow(self.hesitates, said)
            return left.pop(0)

        with MessagesServer(script) as server:
            presets = server.toml("claude") + server.toml("scorer", model="claude-haiku-4-5")
            folder = self._make({**FILES, **PAGES, "assay.toml": f"{FILES['assay.toml']}{policy}\n{presets}"})
            made = asking(folder, "Who measured the tide?", preset="claude")
            context = replace(made.context, warn=self.told.append, keeping=assembly.keeping)
            self.asking = replace(made, context=context)
            try:
                assert querying.answer(self.asking).said.text == ANSWER["text"]
            finally:
                self.bodies = server.bodies
        return context


@pytest.fixture
def ask(make_repository: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Asked:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    monkeypatch.delenv("ASSAY_LLM", raising=False)
    return Asked(make_repository)


def test_without_a_conversation_that_is_too_long_nothing_is_recorded(ask: Asked) -> None:
    context = ask("")
    assert storing.feedback(context) == []
    assert not any(asks_what_is_needed(body) for body in ask.bodies)


def test_a_scorer_that_is_no_preset_is_refused_before_anything_is_asked(ask: Asked) -> None:
    with pytest.raises(UsageError, match="there is no preset 'nobody'"):
        ask('\n[eviction]\nscorer = "nobody"\n')
    assert ask.bodies == []


def test_what_was_left_out_and_kept_back_is_recorded_in_notes_and_rows_alike(ask: Asked, tmp_path: Path) -> None:
    context = ask(LIMIT)
    kept = storing.feedback(context)
    proposal, feedback = kept[0]
    assert proposal.scope_id.startswith("query-")
    assert (proposal.scorer_model, feedback.resolved_by) == ("heuristic", "llm")
    assert [one.exclude_reason for one in feedback.excluded] == ["still needed"]
    assert storing.feedback(context, "tides") == kept
    assert storing.feedback(context, "another") == []
    with mirror.opened(context) as index:
        live = rows.dump(index)["eviction_feedback"]
        found = rows.rows(index, "eviction_feedback", {"proposal_id": proposal.proposal_id})[0]
    assert len(live) == len(kept)
    assert found["evicted"] == feedback.evicted
    assert found["excluded"] == [one.model_dump() for one in feedback.excluded]
    assert set(found["candidates"][0]) == {"ctx_id", "zone", "relevance_score", "age_turns", "token_count"}
    with closing(open_index(tmp_path / "anew.sqlite3")) as index:
        assert mirror.fill(index, *store.everything(context)) == []
        assert rows.dump(index)["eviction_feedback"] == live
    assert ask.told == []


def test_who_hesitates_too_long_is_not_heard(ask: Asked) -> None:
    ask.hesitates = 0.5
    context = ask(f"{LIMIT}feedback_timeout_ms = 50\n")
    assert {feedback.resolved_by for _, feedback in storing.feedback(context)} == {"auto"}


def test_what_is_recorded_is_waited_for_so_that_it_replays(ask: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_LLM", "record")
    ask.hesitates = 0.2
    context = ask(f"{LIMIT}feedback_timeout_ms = 50\n")
    before = storing.feedback(context)
    assert {feedback.resolved_by for _, feedback in before} == {"llm"}
    monkeypatch.setenv("ASSAY_LLM", "replay")
    assert ask.asking is not None
    assert querying.answer(ask.asking).said.text == ANSWER["text"]
    assert storing.feedback(context) == before


@pytest.mark.slow
def test_a_scorer_ranks_in_the_background_on_its_own_account(ask: Asked) -> None:
    def scores(body: dict[str, Any]) -> Answer:
        items = json.loads(body["messages"][0]["content"])["items"]
        return structured({"ratings": [{"ctx_id": one["ctx_id"], "relevance_score": 0.01} for one in items]})

    context = ask(f'{LIMIT}scorer = "scorer"\nkeep = 0.7\n', scores)
    assert "claude-haiku-4-5" in {proposal.scorer_model for proposal, _ in storing.feedback(context)}
    scored = [one.relevance_score for proposal, _ in storing.feedback(context) for one in proposal.candidates]
    assert 0.01 in scored
    roles = [call.role for call in usage_reading.read(context.folder).calls]
    assert set(roles) == {"writer", "scorer"}
    assert ask.told == []


@pytest.mark.slow
@pytest.mark.parametrize("answer", [error(400, message="no credit"), structured({"ratings": "all"})])
def test_a_scorer_that_fails_is_told_and_the_heuristic_ranks(ask: Asked, answer: Answer) -> None:
    context = ask(f'{LIMIT}scorer = "scorer"\n', lambda body: answer)
    assert {proposal.scorer_model for proposal, _ in storing.feedback(context)} == {"heuristic"}
    (told,) = ask.told
    assert told.startswith("what to leave out of a conversation is ranked without a model: ")
