"""The demonstration in words."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from gitops.report.text import STYLES, VERDICT_STYLES, Difference, hanging, indented
from gitops.report.visible import inline
from gitops.runs.records import Run
from gitops.verify.finding import Finding
from gitops.verify.verdict import Verdict, called

INDENT = 10
_WORDS = {"landed": "bold green", "rejected": "bold red"}


def title(place: str) -> list[RenderableType]:
    """What this is, and where."""
    return [
        Text("A wiki that a model writes, and what git-assay lets into it", style="bold"),
        Text("Each write is a branch, and lands only if its sources say what it says."),
        Text("All of it is real. The commands below work in its folder, in any order:"),
        _command(f"cd {shlex.quote(place)}"),
        "",
    ]


def sound(what: str, result: str, run: Run, verdict: Verdict | None) -> list[RenderableType]:
    """A write that landed, with what it wrote and why it might."""
    wrote = ", ".join(step.path for step in run.plan.operations) if run.plan is not None else ""
    parts = [_head(result, what), indented(Text(inline(wrote), style="dim"), INDENT)]
    if verdict is not None:
        parts.append(indented(Text(inline(verdict.reasoning), style="dim"), INDENT))
    return [*parts, ""]


def refused(what: str, finding: Finding, commands: Sequence[str], remark: str) -> list[RenderableType]:
    """A write that was refused: the finding, and the commands that mend it, ready to be copied."""
    where = f"{finding.path}:{finding.line}" if finding.line else finding.path
    parts = [
        _head("rejected", what),
        indented(Text.assemble((called(finding), "bold"), f"  {inline(where)}"), INDENT),
        indented(Text(inline(finding.message)), INDENT),
    ]
    if "difference" in finding.evidence:
        parts.append(indented(Difference(finding.evidence["difference"]), INDENT))
    if remark:
        parts.append(indented(Text(remark, style="dim"), INDENT))
    first, *further = commands
    parts += [_command(first, "mend"), *(_command(line) for line in further)]
    return [*parts, ""]


def _head(result: str, what: str) -> RenderableType:
    return hanging(Text(result, style=_WORDS.get(result, STYLES["warning"])), Text(what, style="bold"), INDENT)


def _command(line: str, lead: str = "") -> Text:
    """A command is never broken, lest it be copied broken: the terminal itself wraps what is too long."""
    return Text.assemble((f"{lead:>{INDENT - 2}}  ", "green"), (line, "cyan"), no_wrap=True, overflow="ignore")


def history(command: str, graph: str) -> list[RenderableType]:
    """What `git log --graph` printed: what landed, what was refused, and of each verdict the summary it begins with."""
    return [Text(command, style="bold"), *_lines(graph), ""]


def _lines(graph: str) -> Iterator[Text]:
    for line in graph.splitlines():
        rails, brace, record = line.partition('{"summary":')
        if brace:
            summary, _ = json.JSONDecoder().raw_decode(record)
            decision, colon, reasoning = inline(summary).partition(":")
            why = " " + (reasoning.partition("; ")[2] or reasoning.strip())
            told = ((f"    {decision}{colon}", VERDICT_STYLES.get(decision, "")), (why, "dim"))
            yield Text.assemble("  ", rails, *told, no_wrap=True, overflow="ellipsis")
        elif line.strip("|\\/ "):
            yield Text(f"  {inline(line)}", no_wrap=True, overflow="ellipsis")


def places(place: str, kept: int) -> list[RenderableType]:
    """Where everything lies, and how to look at it."""
    rows = [
        ("the wiki", "wiki/, its sources in raw/, its policy in assay.toml"),
        ("what was refused", f"{kept} refs under refs/assay/kept/: nothing is lost"),
        ("run records", "refs/notes/assay/runs"),
        ("verdicts", "refs/notes/assay/verdicts"),
        ("the index", ".git/assay/index.sqlite3, made from the notes"),
        ("look further", "git assay log, git assay run show orphan-page, git assay -h"),
    ]
    parts: list[RenderableType] = [Text("Where everything lies", style="bold")]
    parts += [hanging(Text(f"  {name}", style="dim"), Text(where), 20) for name, where in rows]
    return [*parts, Text.assemble(("  be rid of it      ", "dim"), f"rm -rf {shlex.quote(place)}", overflow="ignore")]
