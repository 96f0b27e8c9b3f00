"""The tool `flush_context`: a model that is going to need room has its conversation shortened before the limit does.

It says when, and never what: what goes is proposed as at the limit, and it may keep some of that back (silas 19.1).
"""

from __future__ import annotations

from gitops.agents.calling import Arguments, Tool
from gitops.runs.shortening import ContextKeeper

NAME = "flush_context"
_DESCRIPTION = (
    "Make room in this conversation, before you read or write much more. What is least relevant is then left out, and"
    " a line stands for it; before that you are shown what it is, and may keep some of it back."
)
_TOLD = "room is made before your next answer; your task and the last two turns stay as they are"


class Flush(Arguments):
    """There is nothing to say: what goes is not the model's to choose."""


def tools(keeper: ContextKeeper | None) -> list[Tool]:
    """The tool, where a keeper is there who offers it; else none."""
    if keeper is None or not keeper.offers_flush:
        return []

    def flush(asked: Flush) -> str:
        keeper.flush()
        return _TOLD

    return [Tool(NAME, _DESCRIPTION, Flush, flush)]
