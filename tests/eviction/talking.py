"""Conversations that grow: a tool that shows long files, a scripted model that reads them, a keeper that records."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gitops.agents.calling import Arguments, Tool
from gitops.agents.loop import Conversation
from gitops.eviction.heuristic import Weights
from gitops.eviction.keeping import Keeper, Room
from gitops.eviction.model import EvictionFeedback, EvictionProposal
from gitops.eviction.ranking import Ranking
from gitops.eviction.scoring import Heuristic, Scorer
from gitops.llm.messages import Messages
from tests.agents.speaking import messages_of
from tests.messages_server import Answer, MessagesServer, text, tool_use

NOW = datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)
TASK = "Find out how the tide turns, and say it."


class Look(Arguments):
    path: str


def shown(path: str) -> str:
    """What the tool shows of a file: about 570 tokens."""
    return f"{path}: " + "the sea falls back twice a day, and nobody has to tell it; " * 34


LOOK = Tool("look", "Look into a file.", Look, lambda asked: shown(asked.path))


def asks_what_is_needed(body: Mapping[str, Any]) -> bool:
    """Whether a request asks the model what it still needs."""
    return "output_config" in body and "exclude_ctx_ids" in json.dumps(body["output_config"])


def proposed(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The candidates that such a request shows."""
    told = body["messages"][-1]["content"][-1]["text"]
    return [json.loads(line) for line in told.split("\n") if line.startswith("{")]


def results(body: Mapping[str, Any]) -> list[str]:
    """The words of all tool results of a request, in order."""
    blocks = (block for turn in body["messages"] for block in turn["content"])
    return [block["content"] for block in blocks if block["type"] == "tool_result"]


@dataclass
class Recorded:
    """What a keeper recorded and told."""

    pairs: list[tuple[EvictionProposal, EvictionFeedback]] = field(default_factory=list)
    told: list[str] = field(default_factory=list)

    def store(self, proposal: EvictionProposal, feedback: EvictionFeedback) -> None:
        self.pairs.append((proposal, feedback))


def keeper_of(
    messages: Messages,
    recorded: Recorded,
    limit: int,
    *,
    timeout_s: float = 5.0,
    scorer: Scorer | None = None,
    offers_flush: bool = False,
) -> Keeper:
    """A keeper that keeps 0.6 of its limit."""
    ranking = Ranking(Heuristic(Weights()), scorer, recorded.told.append)
    room = Room(limit, int(limit * 0.6), timeout_s)
    return Keeper(
        "talk-1", messages, room, ranking, recorded.store, lambda: NOW, recorded.told.append, offers_flush=offers_flush
    )


def talk(
    server: MessagesServer,
    folder: Path,
    recorded: Recorded,
    limit: int,
    *,
    timeout_s: float = 5.0,
    scorer: Scorer | None = None,
) -> Conversation:
    """A conversation with that tool and a keeper."""
    messages = messages_of(server, folder)
    keeper = keeper_of(messages, recorded, limit, timeout_s=timeout_s, scorer=scorer)
    return Conversation(messages, "Be brief.", [LOOK], keeper=keeper)


def reading(
    paths: Sequence[str], answers: Callable[[dict[str, Any]], Answer]
) -> Callable[[dict[str, Any], int], Answer]:
    """A model that looks into files one after the other and then says so; `answers` is what it needs when asked."""
    left = list(paths)

    def script(body: dict[str, Any], number: int) -> Answer:
        if asks_what_is_needed(body):
            return answers(body)
        return tool_use("look", {"path": left.pop(0)}) if left else text("It turns twice a day.")

    return script
