"""A verdict and what its signature is worth, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from gitops.report import text
from gitops.report.visible import inline
from gitops.runs.examining import Examined

_WIDTH = 14


def words(found: Examined, *, whole: bool) -> RenderableType:
    """The answer in its first line; then, where the whole is asked for, what was signed."""
    parts: list[RenderableType] = [_answer(found)]
    verdict = found.verdict
    parts.append(text.verdict_line("  " + verdict.verdict, verdict.reasoning))
    if whole and found.statement is not None:
        parts.append(Text())
        parts += [
            text.hanging(Text(f"{name:<{_WIDTH}}", style="dim"), Text(inline(value)), _WIDTH)
            for name, value in _rows(found.statement)
        ]
    return Group(*parts)


def _answer(found: Examined) -> Text:
    commit = found.commit[:10]
    if found.is_open:
        return Text.assemble(("unsigned", "yellow"), f"  {commit}: {text.UNSIGNED}")
    if found.problem:
        return Text.assemble(("not valid", "bold red"), f"  {commit}: {inline(found.problem)}")
    return Text.assemble(("valid", "bold green"), f"  {commit}: signed by {inline(found.standing.signer)}")


def _rows(stated: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The statement's fields, each on a line, in the order in which they are read."""
    predicate = stated.get("predicate")
    for key, value in (predicate if isinstance(predicate, dict) else {}).items():
        if value not in ([], {}, ""):
            yield key, _told(value)


def _told(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_told(inner)}" for key, inner in value.items())
    return "; ".join(map(_told, value)) if isinstance(value, list) else str(value)
