"""The writer with a model: one conversation with reading and writing tools on one pending run."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Self

from gitops.agents.desk import Desk
from gitops.agents.loop import Conversation
from gitops.agents.revising import findings_turn
from gitops.agents.tools import reading_tools, writing_tools
from gitops.agents.writers.briefing import SYSTEM, Brief, revision
from gitops.config import RunType
from gitops.llm.ledger import Ledger
from gitops.llm.opening import open_messages
from gitops.runs import shortening, transcripts
from gitops.runs.context import Context
from gitops.runs.records import Run
from gitops.runs.workspace import Workspace
from gitops.usage import Usage
from gitops.verify.verdict import Verdict

if TYPE_CHECKING:
    from gitops.llm.messages import Messages

MAX_TURNS = 80
"""Answers of one turn: a long source is read by parts, and touches many pages."""


def opened(
    context: Context, workspace: Workspace, preset: str, run_id: str = "", run_type: RunType = "ingest"
) -> Messages:
    """The preset's Messages on the budget of such runs. Nothing is asked yet."""
    llm = workspace.config.llm
    budget = llm.budgets.of(run_type)
    ledger = Ledger(context.folder, context.clock, workspace.name, run_type, "writer", run_id, budget)
    return open_messages(llm, preset, ledger)


class ClaudeWriter:
    """Writes by a model. A context manager: the desk it writes at opens the local caches."""

    def __init__(
        self,
        context: Context,
        run: Run,
        workspace: Workspace,
        messages: Messages,
        told: Brief,
        system: str = SYSTEM,
    ) -> None:
        self._context, self._run, self._workspace = context, run, workspace
        self._messages, self._told = messages, told
        self._system = system
        self._desk = Desk(context, run, workspace)
        self._verdict_id = ""

    def __enter__(self) -> Self:
        self._desk.__enter__()
        tools = [*reading_tools(self._desk.shelf()), *writing_tools(self._desk)]
        run, scope = self._run.record, f"{self._run.id}/writer"
        keeper = shortening.keeper(self._context, self._workspace, run.run_type, scope, self._messages)
        self._conversation = Conversation(self._messages, self._system, tools, max_turns=MAX_TURNS, keeper=keeper)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Keep the conversation, however it ended, and leave the desk."""
        try:
            transcript, used, model = self._conversation.transcript, self._messages.used, self._messages.model
            transcripts.keep(
                self._context, self._run, "writer", self._system, transcript, used, self._verdict_id, model=model
            )
        finally:
            self._desk.__exit__(kind, error, trace)

    @property
    def used(self) -> Usage:
        """What the model has used so far."""
        return self._messages.used

    def draft(self) -> None:
        """Let it read the source and write."""
        self._conversation.say(self._told.text)

    def revise(self, verdict: Verdict) -> bool:
        """Send what was found back, as a new turn of the same conversation."""
        self._verdict_id = verdict.id
        self._conversation.say(revision(findings_turn(verdict)))
        return True
