"""Keeps what is asked of a model and what it answers, for the run's transcripts."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from gitops.llm.messages import Messages
from gitops.runs.transcripts import Role, Transcript
from gitops.usage import NOTHING, Usage


class Overheard:
    """The same model, with each request and its answer added to `transcripts`, also where the answer is of no use."""

    def __init__(self, messages: Messages, role: Role, transcripts: list[Transcript]) -> None:
        self._messages = messages
        self._role: Role = role
        self._transcripts = transcripts
        self._lock = threading.Lock()

    @property
    def model(self) -> str:
        """The model's."""
        return self._messages.model

    @property
    def context_tokens(self) -> int:
        """The model's."""
        return self._messages.context_tokens

    @property
    def concurrency(self) -> int:
        """The model's."""
        return self._messages.concurrency

    @property
    def used(self) -> Usage:
        """The model's."""
        return self._messages.used

    def create(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """The model's answer."""
        turns: list[Mapping[str, Any]] = list(body["messages"])
        used = NOTHING
        try:
            answer = self._messages.create(body)
            turns.append({"role": "assistant", "content": answer.get("content", [])})
            used = _used(answer)
            return answer
        finally:
            said = Transcript(self._role, self.model, _words(body.get("system", "")), turns, used)
            with self._lock:
                self._transcripts.append(said)


def _used(answer: Mapping[str, Any]) -> Usage:
    """The tokens that an answer tells; what they cost is in the usage log."""
    told = answer.get("usage") or {}
    names = {"input": "input_tokens", "output": "output_tokens"}
    names |= {"cache_read": "cache_read_input_tokens", "cache_write": "cache_creation_input_tokens"}
    return Usage(**{name: int(told.get(key) or 0) for name, key in names.items()}, calls=1)


def _words(system: Any) -> str:
    """The system prompt as text, however it is divided."""
    return system if isinstance(system, str) else "\n\n".join(block.get("text", "") for block in system)
