"""What answers a gold query, for whatever measures answers: the doors bring it, for who answers is a floor above."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from gitops.config import Budget
from gitops.runs.context import Context
from gitops.runs.workspace import Workspace
from gitops.usage import NOTHING, Usage


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer. `topics` are the slugs of the pages it cites, `sources` the files that stand behind its citations.

    Both without repetition, sources by their repository path. `tool_calls` counts the primitives that were used to find
    it (searches, pages read); `record` is the answer as `git assay query --json` prints it.
    """

    topics: tuple[str, ...]
    sources: tuple[str, ...]
    is_refused: bool
    tool_calls: int
    latency_ms: float
    used: Usage = NOTHING
    model: str = ""
    record: Mapping[str, Any] = field(default_factory=dict)


class Answering(Protocol):
    """Asks the wiki one question through the query workflow: same tools, same loop, same preset as a person's query.

    CannotRun where it cannot be asked, OutOfBudget where the budget is spent.
    """

    def __call__(
        self, context: Context, workspace: Workspace, commit: str, question: str, preset: str, budget: Budget
    ) -> Answered:
        """The answer of the wiki at a commit."""
        ...
