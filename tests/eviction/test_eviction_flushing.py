"""A model that asks for room before the limit does: by a tool that is there where the policy says so (silas 19.1)."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gitops import assembly
from gitops.agents import flushing
from gitops.agents.loop import Conversation
from gitops.config import Budget
from gitops.eviction import opening
from gitops.git.repository import open_repository
from gitops.llm.estimate import tokens_of
from gitops.runs.context import Context
from gitops.runs.workspace import find
from tests.agents.asked import FILES
from tests.agents.speaking import messages_of
from tests.eviction.talking import LOOK, TASK, Recorded, asks_what_is_needed, keeper_of, proposed, results, shown
from tests.messages_rules import refused
from tests.messages_server import Answer, MessagesServer, structured, text, tool_use

PATHS = [f"wiki/p{number}.md" for number in range(5)]
LIMIT = 100_000
"""Far more than these conversations have."""
FLUSH = tool_use(flushing.NAME, {})


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")


def _held(folder: Path, recorded: Recorded, said: list[Answer], kept: int = 0, limit: int = LIMIT) -> MessagesServer:
    """A conversation in which the model says these things, and keeps back so many of each proposal."""
    answers = iter(said)

    def script(body: dict[str, Any], number: int) -> Answer:
        if asks_what_is_needed(body):
            return structured({"exclude_ctx_ids": [one["ctx_id"] for one in proposed(body)][:kept], "reason": "r"})
        return next(answers)

    with MessagesServer(script) as server:
        messages = messages_of(server, folder)
        keeper = keeper_of(messages, recorded, limit, offers_flush=True)
        Conversation(messages, "Be brief.", [LOOK], keeper=keeper).say(TASK)
    return server


def _looks() -> list[Answer]:
    return [tool_use("look", {"path": path}) for path in PATHS]


def test_a_flush_that_is_asked_for_leaves_the_same_share_of_what_there_is(tmp_path: Path) -> None:
    recorded = Recorded()
    server = _held(tmp_path, recorded, [*_looks(), FLUSH, text("Done.")], kept=1)
    [(proposal, feedback)] = recorded.pairs
    assert (feedback.resolved_by, len(feedback.excluded)) == ("llm", 1)
    assert proposal.turn_number == len(PATHS) + 1
    before, last = server.bodies[len(PATHS)], server.bodies[-1]
    kept_back = feedback.excluded[0].ctx_id
    assert tokens_of(last) < tokens_of(before) < LIMIT / 2
    assert [each.startswith("[left out") for each in results(last)].count(True) == len(feedback.evicted)
    assert (kept_back, results(last)[0]) == ("result-2.0", shown(PATHS[0]))
    assert results(last)[-1].startswith("room is made before your next answer")
    headers = {"x-api-key": "k", "anthropic-version": "2023-06-01"}
    assert all(
        refused("/v1/messages", headers, {"model": "m", "max_tokens": 1, **body}) is None for body in server.bodies
    )


def test_it_brings_what_is_left_down_to_the_share_that_the_policy_keeps(tmp_path: Path) -> None:
    recorded = Recorded()
    server = _held(tmp_path, recorded, [*_looks(), *_looks(), FLUSH, text("Done.")])
    assert len(recorded.pairs) == 1
    question = next(body for body in server.bodies if asks_what_is_needed(body))
    whole = {key: question[key] for key in ("system", "tools", "messages")}
    assert 0.5 < tokens_of(server.bodies[-1]) / tokens_of(whole) <= 0.62


def test_one_flush_is_one_proposal_even_where_all_of_it_is_kept_back(tmp_path: Path) -> None:
    recorded = Recorded()
    _held(tmp_path, recorded, [*_looks(), FLUSH, *_looks()[:2], text("Done.")], kept=99)
    [(_, feedback)] = recorded.pairs
    assert feedback.evicted == []


def test_where_nothing_may_be_left_out_yet_nobody_is_asked(tmp_path: Path) -> None:
    recorded = Recorded()
    server = _held(tmp_path, recorded, [FLUSH, text("Done.")])
    assert recorded.pairs == []
    assert not any(map(asks_what_is_needed, server.bodies))


def test_without_it_no_tool_is_declared(
    tmp_path: Path, make_repository: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ASSAY_LLM", raising=False)
    assert flushing.tools(None) == []
    with MessagesServer([text("Done."), text("Done.")]) as server:
        for line, names in (("", ["look"]), ("flush_tool = true\n", ["look", flushing.NAME])):
            policy = f'[workspace]\nname = "tides"\n[eviction]\n{line}'
            folder = make_repository({"assay.toml": policy, "wiki/index.md": "# Index\n"}, name=f"at-{len(names)}")
            context = Context(open_repository(folder))
            messages = messages_of(server, tmp_path)
            keeper = opening.keeper(context, find(context.repository, "HEAD"), "query", "talk", messages)
            Conversation(messages, "Be brief.", [LOOK], keeper=keeper).say(TASK)
            assert [tool["name"] for tool in json.loads(server.requests[-1].raw)["tools"]] == names


def test_who_answers_may_ask_for_room_and_that_is_no_primitive_of_the_query_engine(
    make_repository: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ASSAY_LLM", raising=False)
    cited = [{"path": "wiki/tides.md", "quote": "Ada Lovelace measured the tide in 1843."}]
    given = tool_use("answer", {"text": "Ada Lovelace did.", "citations": cited, "refused": False})
    with MessagesServer([tool_use("read", {"path": "wiki/tides.md"}), FLUSH, given]) as server:
        policy = f"{FILES['assay.toml']}[eviction]\nflush_tool = true\n{server.toml('claude')}"
        folder = make_repository({**FILES, "assay.toml": policy})
        context = replace(Context(open_repository(folder)), keeping=assembly.keeping)
        workspace = find(context.repository, "HEAD")
        found = assembly.answered(context, workspace, "HEAD", "Who measured the tide?", "claude", Budget())
    assert (found.is_refused, found.tool_calls) == (False, 1)
    assert results(server.bodies[-1])[-1].startswith("room is made")
