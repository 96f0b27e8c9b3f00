"""Who keeps a conversation within what its model reads: told by the doors, as judges are (`seating`).

The agents that hold conversations and the eviction of what these hold do not know one another; here is what both keep.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from gitops.llm.messages import Messages
    from gitops.runs.context import Context
    from gitops.runs.workspace import Workspace

Turn = dict[str, Any]
"""A message of the Messages interface: a role, and its content as a list of blocks."""
Whole = Callable[[Sequence[Turn]], dict[str, Any]]
"""The turns that are to be sent → the whole body of the request that sends them."""


class ContextKeeper(Protocol):
    """Decides what of one conversation is sent, so that the model can read it at once. Turns are only ever added."""

    def shown(self, turns: Sequence[Turn], whole: Whole) -> Sequence[Turn]:
        """The turns to send: the very same ones as long as they fit; else with parts of them left out.

        What is left out stays so. The turns that are given are never changed.
        """
        ...

    @property
    def offers_flush(self) -> bool:
        """Whether the model is given a tool that asks for a flush before the limit does."""
        ...

    def flush(self) -> None:
        """Shorten what is shown next, also where it would fit: the model asked for room (silas 19.1)."""
        ...

    def heard(self, body: Mapping[str, Any], answer: Mapping[str, Any]) -> None:
        """Told of each request and what answered it, which says how many tokens it really had."""
        ...


Keeping = Callable[["Context", "Workspace", str, str, "Messages"], ContextKeeper]
"""Whose effects, by which policy, the operation whose budget counts, what the conversation is called, which model
speaks in it → its keeper."""
Kept = Callable[[str, "Messages"], ContextKeeper]
"""The same where all but the conversation is known."""


def keeper(
    context: Context, workspace: Workspace, operation: str, scope: str, messages: Messages
) -> ContextKeeper | None:
    """The keeper of a conversation that begins; None where no door brought any: then all of it is always sent."""
    return context.keeping(context, workspace, operation, scope, messages) if context.keeping is not None else None
