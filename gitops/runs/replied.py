"""What a model, or an agent, replied to a case of a benchmark: the doors bring who asks, for that is a floor above."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from gitops.usage import NOTHING, Usage


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply, or why there is none: `error` in one line, `category` its kind in a word."""

    output: str | None = None
    error: str = ""
    category: str = ""
    latency_ms: float = 0.0
    used: Usage = NOTHING
    metrics: Mapping[str, float] = field(default_factory=dict)


class Replying(Protocol):
    """Asks a model cases, several at once."""

    is_timed: bool
    """Whether it really takes its time: not where its answers are replayed."""

    def snapshot(self) -> dict[str, Any]:
        """The model, the preset, the digest of the prompt, the tools."""
        ...

    def reply(self, case: Mapping[str, Any], config: Mapping[str, Any]) -> Reply:
        """Ask it one case, as a command has it on its standard input, with what is otherwise for it."""
        ...
