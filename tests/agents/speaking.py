"""What tests of agents share: Messages from a loopback server, and readings of what it was sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gitops.config import Budget, Llm, Preset
from gitops.llm.ledger import Ledger
from gitops.llm.messages import Messages
from gitops.llm.opening import open_messages
from gitops.usage import NOTHING, Usage
from tests.messages_server import MessagesServer

CLOCK = datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)


def messages_of(server: MessagesServer, folder: Path, budget: Budget | None = None, **preset: Any) -> Messages:
    """The Messages of a preset that asks the server. The environment must hold a key."""
    keys: dict[str, Any] = {"model": "claude-sonnet-5-5", "base_url": server.url, "max_retries": 0} | preset
    llm = Llm(presets={"test": Preset(**keys)})
    ledger = Ledger(folder, lambda: CLOCK, "tides", "ingest", "writer", "run-1", budget or Budget())
    return open_messages(llm, "test", ledger)


class Told:
    """Messages that are told in this process: for answers that no server gives to what we send."""

    model = "told"
    context_tokens = 1_000
    concurrency = 1

    def __init__(self, answers: Sequence[Mapping[str, Any]] | Callable[[int], Mapping[str, Any]]) -> None:
        self._answers = answers
        self.bodies: list[Mapping[str, Any]] = []

    @property
    def used(self) -> Usage:
        return NOTHING

    def create(self, body: Mapping[str, Any]) -> dict[str, Any]:
        number = len(self.bodies)
        self.bodies.append(body)
        return dict(self._answers(number) if callable(self._answers) else self._answers[number])


def results(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The tool results of a request's last message."""
    return [block for block in body["messages"][-1]["content"] if block["type"] == "tool_result"]


def last_result(body: Mapping[str, Any]) -> str:
    """The words of its last tool result."""
    return str(results(body)[-1]["content"])
