"""The verifier's reading tools, offered to any agent: the same functions, over the target or over a staged run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from pydantic import BaseModel, Field, create_model

from gitops.agents.calling import Tool
from gitops.agents.desk import Desk
from gitops.agents.reading.shelf import Hit, Shelf
from gitops.agents.tools import reading_tools
from gitops.mcp.door import Call
from gitops.mcp.offers import Offer
from gitops.runs import searching, staging
from gitops.runs.views import Bench
from gitops.runs.workspace import Workspace
from gitops.wiki import searchwords

_RUN = "a pending run, to read its pages as they are staged; empty for the wiki as it stands"
_WORKSPACE = "which workspace of the repository; empty for the one at hand"


def offers() -> list[Offer]:
    """`list grep search read follow events history`, each of which also takes a run or a workspace."""
    return [_offer(tool) for tool in reading_tools(Shelf(_nothing))]


def _nothing() -> Any:
    raise AssertionError("a shelf without a revision is there to be described, not read")


def _offer(tool: Tool) -> Offer:
    def run(call: Call, asked: Any) -> str:
        with _shelf(call, asked.run, asked.workspace) as shelf:
            own = next(each for each in reading_tools(shelf) if each.name == tool.name)
            return own.run(asked)

    return Offer(tool.name, tool.description, _placed(tool.arguments), run, "reads")


def _placed(asked: type[BaseModel]) -> type[BaseModel]:
    """The tool's own arguments, and where they are meant."""
    return create_model(
        f"{asked.__name__}Somewhere",
        __base__=asked,
        run=(str, Field(default="", description=_RUN)),
        workspace=(str, Field(default="", description=_WORKSPACE)),
    )


@contextmanager
def _shelf(call: Call, run_id: str, named: str) -> Iterator[Shelf]:
    if run_id:
        run, workspace = call.opened(run_id)
        with Desk(call.context, run, workspace) as desk:
            yield desk.shelf(
                lambda words, limit: _found(call, workspace, staging.head_of(call.context, run), words, limit)
            )
        return
    commit = call.landed()
    workspace = call.workspace(commit, named)
    with Bench(call.context, workspace, commit) as bench:
        yield Shelf.of(bench.base_view(), ranked=lambda words, limit: _found(call, workspace, commit, words, limit))


def _found(call: Call, workspace: Workspace, commit: str, words: str, limit: int) -> Sequence[Hit]:
    """What the search index has; it is brought up to date with what changed since it was last asked."""
    with searching.opened(call.context, workspace, commit, "all") as searcher:
        found = searcher.find(searchwords.asked(words), limit)
        return [Hit(hit.path, hit.line, hit.heading, searcher.text(hit)[hit.start : hit.end]) for hit in found]
