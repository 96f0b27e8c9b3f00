"""A verdict and what its signature is worth, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from gitops.report import text
from gitops.report.visible import inline
from gitops.runs.examining import Examined
from gitops.runs.examining_many import Surveyed

_WIDTH = 14
_MOST = 20
"""So many verdicts that do not hold are named; the first one is what matters."""


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


def survey_words(found: Surveyed, asked: str) -> RenderableType:
    """How many verdicts hold and who signed them, then each that does not, the oldest first."""
    valid, wrong = sum(found.signers.values()), found.wrong
    word, style = ("not valid", "bold red") if wrong else ("valid", "bold green") if valid else ("unsigned", "yellow")
    told = [f"{valid:,} signed"] + [f"{len(wrong):,} not valid"] * bool(wrong)
    told += [f"{found.unsigned:,} unsigned: {text.AT_BEST}"] * bool(found.unsigned)
    told += [f"{len(found.bare):,} without a verdict"] * bool(found.bare)
    parts: list[RenderableType] = [Text.assemble((word, style), f"  {inline(asked)}: {'; '.join(told)}")]
    parts += [Text(f"  {count:,} by {inline(who)}", style="dim") for who, count in sorted(found.signers.items())]
    for row in wrong[:_MOST]:
        parts.append(text.hanging(Text(f"  {row.commit[:10]}"), Text(inline(row.problem)), _WIDTH))
    if len(wrong) > _MOST:
        parts.append(Text(f"  and {len(wrong) - _MOST:,} more: --json names them all", style="dim"))
    return Group(*parts)


def _answer(found: Examined) -> Text:
    commit = found.commit[:10]
    if found.is_open:
        return Text.assemble(("unsigned", "yellow"), f"  {commit}: {text.UNSIGNED}")
    if found.problem:
        return Text.assemble(("not valid", "bold red"), f"  {commit}: {inline(found.problem)}")
    return Text.assemble(("valid", "bold green"), f"  {commit}: signed by {inline(found.attested.signer)}")


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
