"""Conversations with models in words: who said what, which tools were called, and what they said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from gitops.canonical import dumps
from gitops.report import text
from gitops.report.visible import inline, visible
from gitops.runs.transcripts import TranscriptRecord

_LINES = 30
"""So many lines of one block are shown; a source that was read is not printed whole."""


def told(records: Sequence[TranscriptRecord]) -> RenderableType:
    """Every conversation of a run, oldest first."""
    parts: list[RenderableType] = []
    for number, record in enumerate(records):
        parts += [*([Text()] if number else []), _head(record), *_prompt(record)]
        for turn in record.turns:
            parts += _turn(turn)
    return Group(*parts)


def _head(record: TranscriptRecord) -> Text:
    used = record.usage
    tokens = f"{used.get('input_tokens', 0):,.0f} tokens read, {used.get('output_tokens', 0):,.0f} written"
    usd = f", ${used.get('usd', 0):.4f}"
    verdict = f", verdict {record.verdict_id[:10]}" if record.verdict_id else ""
    told = f"  {inline(record.model)} at {inline(record.at)}{verdict}: {tokens}{usd}"
    return Text.assemble((record.role, "bold"), told)


def _prompt(record: TranscriptRecord) -> Iterable[RenderableType]:
    yield Text("system", style="cyan")
    yield text.indented(Text(_cut(record.prompt)), 2)


def _turn(turn: Mapping[str, Any]) -> Iterable[RenderableType]:
    who = "model" if turn.get("role") == "assistant" else "to the model"
    yield Text(who, style="green" if who == "model" else "cyan")
    content = turn.get("content")
    blocks = content if isinstance(content, list) else [{"type": "text", "text": str(content)}]
    for block in blocks:
        yield text.indented(_block(block), 2)


def _block(block: Any) -> Text:
    """One block. The kinds that are not known here are shown as they are."""
    if not isinstance(block, dict):
        return Text(_cut(str(block)))
    match block.get("type"):
        case "text":
            return Text(_cut(str(block.get("text", ""))))
        case "thinking":
            return Text(_cut(str(block.get("thinking", ""))), style="dim italic")
        case "tool_use":
            return Text(_cut(f"{block.get('name')} {dumps(block.get('input'))}"), style="yellow")
        case "tool_result":
            style = "red" if block.get("is_error") else "dim"
            return Text(_cut(str(block.get("content", ""))), style=style)
        case _:
            return Text(_cut(dumps(block)), style="dim")


def _cut(said: str) -> str:
    lines = visible(said).split("\n")
    left = len(lines) - _LINES
    return "\n".join([*lines[:_LINES], f"… {left:,} more lines: --json has them"] if left > 0 else lines)
