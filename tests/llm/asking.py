"""What tests of the model floor share: a client that asks a loopback server, and the lines of its usage log."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gitops.config import Budget, Llm
from gitops.llm.client import Client
from gitops.llm.ledger import Ledger
from gitops.llm.opening import open_messages
from tests.messages_server import MessagesServer

KEY = "sk-ant-secret-0123456789"
CLOCK = datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)
HELLO: Mapping[str, Any] = {"messages": [{"role": "user", "content": "hello"}]}


def ledger_in(folder: Path, budget: Budget | None = None) -> Ledger:
    return Ledger(folder, lambda: CLOCK, "tides", "ingest", "judge", "run-1", budget)


def llm_at(url: str, prices: Mapping[str, Any] | None = None, **preset: Any) -> Llm:
    keys = {"model": "claude-sonnet-5-5", "base_url": url, "max_retries": 0} | preset
    return Llm.model_validate({"presets": {"verifier": keys}, "prices": prices or {}})


def opened(server: MessagesServer, folder: Path, budget: Budget | None = None, **preset: Any) -> Client:
    return open_messages(llm_at(server.url, **preset), "verifier", ledger_in(folder, budget))


def logged(folder: Path) -> list[dict[str, Any]]:
    """The lines of the usage log of the day that tests happen on."""
    path = folder / "llm-usage-2024-01-02.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
