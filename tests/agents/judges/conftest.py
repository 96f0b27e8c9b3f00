"""The Claude judge over the real SDK and a real server on loopback.

opened(server, budget=…, **preset) -> Claude       a judge whose preset asks the server
voting(*rows) -> script                            the same answer to every request; without rows, support for all
asked_of(body) -> {number: claim}                  what a request asks about
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from gitops.agents.judges.claude import Claude
from gitops.config import Budget, Config
from gitops.llm.ledger import Ledger
from tests.messages_server import Answer, MessagesServer, structured

_CLAIM = re.compile(r"^(\d+)(?: \[[^]]*\])? (.*)$", re.MULTILINE)


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")


@pytest.fixture
def opened(tmp_path: Path) -> Callable[..., Claude]:
    def make(server: MessagesServer, budget: Budget | None = None, **preset: Any) -> Claude:
        table = {"model": "claude-sonnet-5-5", "base_url": server.url, "max_retries": 0, **preset}
        llm = Config.model_validate({"llm": {"presets": {"verifier": table}}}).llm
        clock = lambda: datetime(2026, 11, 22, tzinfo=UTC)  # noqa: E731
        return Claude(llm, "verifier", Ledger(tmp_path / "log", clock, "plant", "eval", "judge", budget=budget))

    return make


@pytest.fixture
def asked_of() -> Callable[[dict[str, Any]], dict[int, str]]:
    def find(body: dict[str, Any]) -> dict[int, str]:
        text = body["messages"][0]["content"][-1]["text"]
        return {int(number): claim for number, claim in _CLAIM.findall(text)}

    return find


@pytest.fixture
def voting(asked_of: Callable[[dict[str, Any]], dict[int, str]]) -> Callable[..., Any]:
    def script(*rows: dict[str, Any]) -> Callable[[dict[str, Any], int], Answer]:
        def answer(body: dict[str, Any], number: int) -> Answer:
            return structured({"votes": list(rows) or [row(at) for at in asked_of(body)]})

        return answer

    return script


def row(id: int, vote: str = "supports", confidence: float = 0.9, **more: Any) -> dict[str, Any]:
    """A vote as the model gives it."""
    return {"id": id, "reason": "It says so.", "unsupported": [], "vote": vote, "confidence": confidence, **more}
