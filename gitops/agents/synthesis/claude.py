"""The writer of syntheses with a model: given the new claims, it writes the page by reading and writing tools."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Self

from gitops.agents.calling import Tool, ToolError
from gitops.agents.desk import Desk
from gitops.agents.loop import Conversation
from gitops.agents.revising import findings_turn
from gitops.agents.synthesis.briefing import SYSTEM, first_turn, revision
from gitops.agents.synthesis.composing import Composed, encoded
from gitops.agents.tools import Finish, reading_tools, writing_tools
from gitops.llm.estimate import estimate
from gitops.llm.ledger import Ledger
from gitops.llm.opening import open_messages
from gitops.runs import shortening, staging, transcripts
from gitops.runs.context import Context
from gitops.runs.records import Run
from gitops.runs.workspace import Workspace
from gitops.usage import Usage
from gitops.verify.verdict import Verdict

if TYPE_CHECKING:
    from gitops.llm.messages import Messages

OPERATION = "synthesis"
_ANSWER_TOKENS = 6_000
"""What a page of sixty claims with its citations has, about."""


def opened(context: Context, workspace: Workspace, preset: str, run_id: str = "") -> Messages:
    """The preset's Messages on the budget of syntheses. Nothing is asked yet."""
    llm = workspace.config.llm
    budget = llm.budgets.of(OPERATION)
    ledger = Ledger(context.folder, context.clock, workspace.name, OPERATION, "writer", run_id, budget)
    return open_messages(llm, preset, ledger)


def estimated(workspace: Workspace, preset: str, made: Composed) -> Usage:
    """What the first call would cost, which gives the claims and gets the page; reading on and revising come on top."""
    llm = workspace.config.llm
    body = {"system": SYSTEM, "messages": [{"role": "user", "content": first_turn(workspace, made)}]}
    return estimate([body], llm.preset(preset).model, llm, _ANSWER_TOKENS)


class ClaudeSynthesis:
    """Writes by a model. A context manager: the desk it writes at opens the local caches.

    The index is linked by us before it begins, so that its page is no orphan whatever it forgets.
    """

    def __init__(self, context: Context, run: Run, workspace: Workspace, messages: Messages, made: Composed) -> None:
        self._context, self._run, self._workspace = context, run, workspace
        self._messages, self._made = messages, made
        self._desk = Desk(context, run, workspace)

    def __enter__(self) -> Self:
        self._desk.__enter__()
        tools = [*reading_tools(self._desk.shelf()), *map(self._demanding, writing_tools(self._desk))]
        scope = f"{self._run.id}/synthesis"
        keeper = shortening.keeper(self._context, self._workspace, OPERATION, scope, self._messages)
        self._conversation = Conversation(self._messages, SYSTEM, tools, keeper=keeper)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._desk.__exit__(kind, error, trace)

    @property
    def used(self) -> Usage:
        """What the model has used so far."""
        return self._messages.used

    def draft(self) -> None:
        """Link the page from the index, then let the model write it."""
        for path, text in self._made.pages.items():
            if path != self._made.path:
                staging.write(self._context, self._run, self._workspace, path, encoded(text))
        self._say(first_turn(self._workspace, self._made))

    def revise(self, verdict: Verdict) -> bool:
        """Send what was found back, as a new turn of the same conversation."""
        self._say(revision(findings_turn(verdict)), verdict.id)
        return True

    def _demanding(self, tool: Tool) -> Tool:
        """`finish` is refused as long as the page is not written."""
        if tool.arguments is not Finish:
            return tool

        def finish(asked: Finish) -> str:
            if self._made.path not in self._desk.written:
                raise ToolError(f"{self._made.path} is not written yet: stage_write it first")
            return str(tool.run(asked))

        return Tool(tool.name, tool.description, tool.arguments, finish, ends=tool.ends)

    def _say(self, text: str, verdict_id: str = "") -> None:
        """One turn; its transcript is kept also where it came to no end."""
        try:
            self._conversation.say(text)
        finally:
            said, used = self._conversation.transcript, self._messages.used
            transcripts.keep(self._context, self._run, "writer", SYSTEM, said, used, verdict_id)
