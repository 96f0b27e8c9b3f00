"""Puts agents where evaluations and doors need them: those floors do not know each other.

What is here takes and gives values of both: who judges, who answers gold queries, who ingests a source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gitops.agents.answers import Answer
    from gitops.config import Budget
    from gitops.runs.answered import Answered
    from gitops.runs.context import Context
    from gitops.runs.outcome import Options, Outcome
    from gitops.runs.seating import Seat
    from gitops.runs.workspace import Workspace
    from gitops.verify.judge import Judge


def seated(name: str, seat: Seat) -> Judge:
    """A judge of the policy, be it one that needs a model."""
    from gitops.agents.seating import seat as find

    return find(name, seat)


def answered(
    context: Context,
    workspace: Workspace,
    commit: str,
    question: str,
    preset: str,
    budget: Budget,
    limit: int | None = None,
) -> Answered:
    """The wiki's answer to a gold query: what `git assay query` does, paid from the budget of evaluations.

    `limit` is how many of the chunks that were found are told; None: as many as `git assay query` tells.
    """
    from gitops.agents import querying
    from gitops.runs.answered import Answered

    told = querying.LIMIT if limit is None else limit
    asking = querying.Asking(context, workspace, commit, question, preset, told, operation="eval", budget=budget)
    begun = perf_counter()
    found = querying.answer(asking)
    took = (perf_counter() - begun) * 1000
    said = found.said
    sources = (workspace.layout.source(each.path) for citation in said.citations for each in citation.sources)
    return Answered(
        topics=said.topics,
        sources=tuple(dict.fromkeys(sources)),
        is_refused=said.refused,
        tool_calls=_tool_calls(found),
        latency_ms=took,
        used=said.used,
        model=found.model,
        record=found.record(),
    )


def prompt_version(workspace: Workspace, preset: str) -> str:
    """What tells one prompt of who answers from another: the beginning of its digest; '' where no model is asked.

    UsageError for a preset that there is not; '' is the policy's writer.
    """
    llm = workspace.config.llm
    if llm.preset(preset or llm.writer).provider == "offline":
        return ""
    from gitops.agents.answerers import claude
    from gitops.canonical import digest

    return digest(claude.SYSTEM)[:12]


def _tool_calls(found: Answer) -> int:
    """How many primitives were used: what the model called, or the one search of who needs no model.

    The call that gives the answer finds nothing, and is none.
    """
    transcript = found.said.transcript
    if transcript is None:
        return 1
    return sum(
        1 for block in _blocks(transcript.turns) if block.get("type") == "tool_use" and block.get("name") != "answer"
    )


def _blocks(turns: Sequence[object]) -> Iterator[dict[str, object]]:
    for turn in turns:
        content = turn.get("content") if isinstance(turn, dict) else None
        yield from (block for block in content if isinstance(block, dict)) if isinstance(content, list) else ()


def _silent(message: str) -> None:
    """Say nothing."""


def ingested(
    context: Context,
    workspace: Workspace,
    target: str,
    file: Path,
    preset: str,
    options: Options,
    say: Callable[[str], None] = _silent,
) -> Outcome | None:
    """Bring one file in as a source and ingest it, as `git assay ingest` does; None where it added nothing."""
    from gitops.agents import sourcing
    from gitops.agents.ingesting import Request, ingest

    [source] = sourcing.find(context, workspace, target, file.parent, [file.name], "")
    sourcing.bring_in(context, workspace, target, source)
    return ingest(context, workspace, source.path, Request(target, preset, options), say).outcome
