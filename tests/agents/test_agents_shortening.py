"""Whoever holds a conversation gets a keeper for it, from the one place where doors put it."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from gitops import assembly
from gitops.agents import querying
from gitops.agents.ingesting import Request, ingest
from gitops.agents.synthesizing import Request as Synthesis
from gitops.agents.synthesizing import synthesize
from gitops.cli import surroundings
from gitops.errors import CannotRun
from gitops.llm.messages import Messages
from gitops.mcp.door import Call, Door
from gitops.runs import landing, store
from gitops.runs.context import Context
from gitops.runs.outcome import Options
from gitops.runs.shortening import Turn, Whole, keeper
from gitops.runs.workspace import Workspace
from tests.agents.asked import CLOCK, FILES, asking
from tests.agents.speaking import messages_of
from tests.agents.synthesis.wikis import BEFORE
from tests.messages_server import Answer, MessagesServer, text, tool_use
from tests.runs.driving import MAIN, Wiki, first_files

VOTE = {"number": 1, "vote": "supports", "confidence": 0.9, "reason": "It says so.", "unsupported": []}


@dataclass
class Noted:
    """Notes for which conversations a keeper was asked, and how often each showed turns and heard answers."""

    scopes: list[tuple[str, str]] = field(default_factory=list)
    shows: int = 0
    hears: int = 0
    offers_flush: bool = False

    def __call__(self, context: Context, workspace: Workspace, operation: str, scope: str, messages: Messages) -> Noted:
        self.scopes.append((operation, scope))
        return self

    def shown(self, turns: Sequence[Turn], whole: Whole) -> Sequence[Turn]:
        self.shows += 1
        assert whole(turns)["messages"]
        return turns

    def flush(self) -> None:
        raise AssertionError("nobody offers it")

    def heard(self, body: Any, answer: Any) -> None:
        self.hears += 1


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    monkeypatch.delenv("ASSAY_LLM", raising=False)


def test_where_no_door_brought_one_there_is_none(make_repository: Callable[..., Path]) -> None:
    made = asking(make_repository(FILES), "Who?")
    with MessagesServer([]) as server:
        assert keeper(made.context, made.workspace, "query", "q", messages_of(server, made.context.folder)) is None


def test_commands_and_tools_bring_one(make_repository: Callable[..., Path]) -> None:
    folder = make_repository(FILES)
    arguments = argparse.Namespace(directory=str(folder), quiet=True)
    assert surroundings.context(arguments).keeping is assembly.keeping
    door = Door(folder, None, lambda: CLOCK, print)
    assert Call(door, "eval", lambda what, items, total: iter(items)).context.keeping is assembly.keeping


def test_who_answers_has_one(make_repository: Callable[..., Path]) -> None:
    noted = Noted()
    with MessagesServer([text("Hm.")] * 3) as server:
        files = {**FILES, "assay.toml": f"{FILES['assay.toml']}{server.toml('claude')}"}
        made = asking(make_repository(files), "Who measured the tide?", preset="claude")
        with pytest.raises(CannotRun, match="gave no answer"):
            querying.answer(replace(made, context=replace(made.context, keeping=noted)))
    ((operation, scope),) = noted.scopes
    assert (operation, scope[:6]) == ("query", "query-")
    assert (noted.shows, noted.hears) == (3, 3)


def _wiki(make: Callable[..., Path], server: MessagesServer, files: dict[str, str], policy: str = "") -> Wiki:
    toml = f'[workspace]\nname = "tides"\n{policy}\n{server.toml()}'
    return Wiki(make({**files, "assay.toml": toml}), seating=assembly.seated)


def test_who_writes_has_one(make_repository: Callable[..., Path]) -> None:
    noted = Noted()
    with MessagesServer([text("I wou", "refusal")]) as server:
        wiki = _wiki(make_repository, server, first_files())
        context = replace(wiki.context(), keeping=noted)
        with pytest.raises(CannotRun, match="refused"):
            ingest(context, wiki.workspace(), "raw/tides.md", Request(MAIN, "claude"), wiki.told.append)
    (run,) = store.all_runs(wiki.context())
    assert noted.scopes == [("ingest", f"{run}/writer")]


def test_who_puts_together_has_one(make_repository: Callable[..., Path]) -> None:
    noted = Noted()
    with MessagesServer([text("I wou", "refusal")]) as server:
        wiki = _wiki(make_repository, server, dict(BEFORE))
        context = replace(wiki.context(), keeping=noted)
        with pytest.raises(CannotRun, match="refused"):
            synthesize(context, wiki.workspace(), Synthesis(MAIN, "claude"), wiki.told.append)
    (run,) = store.all_runs(wiki.context())
    assert noted.scopes == [("synthesis", f"{run}/synthesis")]


def test_each_conversation_of_a_verifier_has_one(make_repository: Callable[..., Path]) -> None:
    noted = Noted()
    votes: list[Answer] = [text("Hm."), tool_use("submit_votes", {"votes": [VOTE]})]
    with MessagesServer(votes) as server:
        wiki = _wiki(make_repository, server, first_files(), '[verify]\njudge = ["claude_agent"]\n')
        run = wiki.run()
        landing.finish(replace(wiki.context(), keeping=noted), run.id, Options())
    assert noted.scopes == [("cascade", f"{run.id}/verifier-1")]
    assert (noted.shows, noted.hears) == (2, 2)
