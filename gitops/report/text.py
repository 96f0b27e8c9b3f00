"""Findings and verdicts in words for a terminal. Colour where there is one, plain text in a pipe."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.segment import Segment, Segments
from rich.text import Text

from gitops.report.visible import inline, visible
from gitops.verify.finding import Finding, Level
from gitops.verify.verdict import called

STYLES = {"error": "bold red", "warning": "yellow", "note": "cyan", "none": "green"}
VERDICT_STYLES = {"commit": "bold green", "reject": "bold red", "revise": "yellow", "commit_override": "magenta"}
AT_BEST = "tamper-evident at best"
UNSIGNED = f"verdicts here are unsigned: {AT_BEST}"
NO_UNSIGNED = "unsigned: a no counts without a signature"
SIGNED = "signed, and the signatures hold: git assay verdict show COMMIT says what by whom"
INDENT = 18
"""Where the words of a finding begin: after its place and its level."""

_DIFF_STYLES = {
    "+++ ": "bold",
    "--- ": "bold",
    "+": "green",
    "-": "red",
    "@@ ": "cyan",
    "diff ": "bold",
    "index ": "bold",
}
_PIPE_WIDTH = 1_000_000


def worth(signed: int, total: int) -> str:
    """What the verdicts of a table are worth: of so many, so many bear a signature that holds."""
    if total and signed == total:
        return SIGNED
    return UNSIGNED if not signed else f"{total - signed} of {total} {UNSIGNED}"


def worth_of(verdict: str, signer: str) -> str:
    """What one verdict is worth: who signed it, or that nobody did."""
    if signer:
        return f"signed by {inline(signer)}"
    return UNSIGNED if verdict.startswith("commit") else NO_UNSIGNED


def findings(shown: Iterable[Finding]) -> RenderableType:
    """Findings grouped by page, each with its mend below it; of notes that were there before the number alone.

    Claims that the judges were not sure of are told in one line for each page: they ask nothing of anybody.
    """
    parts: list[RenderableType] = []
    every = [finding for finding in shown if finding.level is not Level.NONE]
    ordered = [finding for finding in every if finding.new or finding.level is not Level.NOTE]
    for path, group in groupby(ordered, key=lambda finding: finding.path):
        parts.append(Text(inline(path) or "the run", style="bold"))
        told = list(group)
        unsure = [finding for finding in told if _is_unsure(finding)]
        for finding in told:
            if not _is_unsure(finding) or len(unsure) == 1:
                parts += _finding(finding)
        if len(unsure) > 1:
            parts.append(_unsure(unsure))
    if left := len(every) - len(ordered):
        parts.append(Text(f"{left:,} note{'' if left == 1 else 's'} that stood there before: --json has them", "dim"))
    return Group(*parts)


def _is_unsure(finding: Finding) -> bool:
    return finding.check == "support" and finding.level is Level.NOTE and not finding.evidence.get("may_gate")


def _unsure(unsure: Sequence[Finding], most: int = 12) -> RenderableType:
    lines = list(dict.fromkeys(str(finding.line) for finding in unsure))
    named = ", ".join(lines[:most]) + (", …" if len(lines) > most else "")
    level = Text.assemble((f"{'-':>7}  ", "dim"), ("note   ", STYLES["note"]), "  ")
    told = f"of {len(unsure)} claims no judge is sure (line{'s' * (len(lines) > 1)} {named}): --json says what they say"
    return hanging(level, Text.assemble(("support", "bold"), "  ", told), INDENT)


def _finding(finding: Finding) -> list[RenderableType]:
    where = f"{finding.line}:{finding.column}" if finding.line else "-"
    level = Text.assemble(
        (f"{where:>7}  ", "dim"),
        (f"{finding.level.value:<7}", STYLES[finding.level.value]),
        "  ",
    )
    said = Text.assemble(
        (called(finding), "bold"),
        ("" if finding.new else " (was there before)", "dim"),
        "  ",
        inline(finding.message),
    )
    parts: list[RenderableType] = [hanging(level, said, INDENT)]
    if difference := finding.evidence.get("difference"):
        parts.append(indented(Difference(difference), INDENT))
    if finding.repair:
        parts.append(indented(Text.assemble(("mend: ", "green"), inline(finding.repair)), INDENT))
    return parts


def indented(part: RenderableType, indent: int) -> RenderableType:
    """A part all of whose lines begin further right."""
    return Padding(part, (0, 0, 0, indent), expand=False)


def hanging(head: Text, rest: Text, indent: int) -> RenderableType:
    """Two columns: a head of a fixed width, and text whose further lines stand under its first."""
    from rich.table import Table

    grid = Table.grid(padding=0)
    grid.add_column(width=indent, no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(head, rest)
    return grid


@dataclass(frozen=True, slots=True)
class Difference:
    """Two texts as one: what was written, and what the source says in its place.

    In colour the first is red and struck through, the second green and underlined. Without colour they stand
    between brackets, `[-written-]{+source+}`, as in `git diff --word-diff`.
    """

    parts: Sequence[Sequence[str]]
    """Triples of an operation (`equal` or another), what was written, what the source says."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield self.text(in_colour=console.color_system is not None and not console.no_color)

    def text(self, *, in_colour: bool) -> Text:
        """The one text."""
        text = Text()
        for op, written, source in self.parts:
            if op == "equal":
                text.append(_unbroken(written))
                continue
            if written:
                text.append(_unbroken(written) if in_colour else f"[-{_unbroken(written)}-]", style="red strike")
            if source:
                text.append(_unbroken(source) if in_colour else f"{{+{_unbroken(source)}+}}", style="green underline")
        return text


def _unbroken(text: str) -> str:
    """A source's text runs over lines that mean nothing here."""
    return inline(text.replace("\r\n", " ").replace("\n", " "))


def verdict_line(decision: str, reasoning: str) -> RenderableType:
    """The verdict and its reason."""
    head = Text(decision, style=VERDICT_STYLES.get(decision.strip(), "bold"))
    return hanging(head, Text(inline(reasoning)), len(decision) + 2)


def show(*parts: RenderableType, console: Console | None = None) -> None:
    """Print to standard output: wrapped and coloured on a terminal; whole plain lines in a pipe.

    Whatever the parts hold, nothing but our own colours can steer the terminal.
    """
    console = console or Console(highlight=False, emoji=False, markup=False)
    if console.is_terminal:
        console.print(_tame(console, parts), end="", crop=False)
        return
    plain = Console(highlight=False, emoji=False, markup=False, color_system=None, width=_PIPE_WIDTH)
    with plain.capture() as captured:
        plain.print(_tame(plain, parts), end="", crop=False)
    print("\n".join(line.rstrip() for line in captured.get().removesuffix("\n").split("\n")))


def show_diff_line(line: str) -> None:
    """Print a line of `git diff` in git's colours; the terminal wraps it, so that it can be copied whole."""
    style = next((style for start, style in _DIFF_STYLES.items() if line.startswith(start)), "")
    show(Text(inline(line.expandtabs()), style=style, no_wrap=True, overflow="ignore"))


def _tame(console: Console, parts: Sequence[RenderableType]) -> Segments:
    return Segments(Segment(visible(text), style, control) for text, style, control in console.render(Group(*parts)))


def table(
    columns: Sequence[str], rows: Iterable[Sequence[RenderableType]], whole: Collection[str] = (), **options: Any
) -> RenderableType:
    """A table without lines: what reads well in a terminal and cuts well in a pipe.

    What stands in the columns that `whole` names is never broken, lest it be copied broken.
    """
    from rich.table import Table

    made = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0), **options)
    for column in columns:
        made.add_column(column, overflow="fold", no_wrap=column in whole)
    for row in rows:
        made.add_row(*row)
    return made
