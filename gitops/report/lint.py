"""What a lint found, in words: the findings by page, and one paragraph that sums them up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from gitops.report import text
from gitops.report.visible import inline
from gitops.verify.finding import Finding

_LEVELS = ("error", "warning", "note")


def words(
    findings: Sequence[Finding], counts: Mapping[str, int | None], *, name: str = "", hints: Sequence[str] = ()
) -> RenderableType:
    """The findings, the sum, and what else could be asked. `name` is the workspace's, where there are several."""
    parts: list[RenderableType] = [text.findings(findings), Text()] if findings else []
    parts.append(Text.assemble((f"{inline(name)}: " if name else "", "bold"), _sum(counts)))
    parts += [Text(hint, style="dim") for hint in hints]
    return Group(*parts)


def hints(counts: Mapping[str, int | None], level: str, *, debt: bool) -> list[str]:
    """What is not shown, and the option that shows it."""
    lowest = _LEVELS.index(level)
    hidden = [name for name in _LEVELS[lowest + 1 :] if counts[name]]
    told = [f"--level {hidden[-1]} shows the {' and '.join(f'{name}s' for name in hidden)}"] if hidden else []
    if counts["debt"] and not debt:
        told.append(f"--debt lists {_count(counts['debt'], 'finding')} that the wiki was adopted with")
    return told


def _sum(counts: Mapping[str, int | None]) -> Text:
    """Such as `2 errors, no warnings, 3 notes on 4 of 37 pages; 98 of 120 cited claims' …`."""
    told = Text.assemble(
        _counted(counts["error"], "error", "bold red"),
        ", ",
        _counted(counts["warning"], "warning", "yellow"),
        ", ",
        _counted(counts["note"], "note", "cyan"),
        f" on {counts['pages_with_findings']:,} of {counts['pages']:,} {_plural(counts['pages'], 'page')}",
    )
    if counts["claims"] is not None:
        told.append(f"; {_count(counts['claims'], 'cited claim')}, {_count(counts['verified'], 'quotation')} verified")
    if counts["unresolvable"]:
        told.append(f"; {_count(counts['unresolvable'], 'citation')} cannot be looked up here")
    return told


def _counted(number: int | None, word: str, style: str) -> Text:
    return Text(_count(number, word), style=style if number else "")


def _count(number: int | None, word: str) -> str:
    return f"{number:,} {_plural(number, word)}" if number else f"no {word}s"


def _plural(number: int | None, word: str) -> str:
    return word if number == 1 else f"{word}s"
