"""Gold that was checked, in words: what there is of each kind, what is wrong, and what no case covers."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from gitops.report import text
from gitops.report.visible import inline
from gitops.runs.printed_gold_check import GoldChecked, GoldFault, GoldKind

COLUMNS = ("gold", "", "where")
_SHOWN = 50
"""So many faults are shown, errors before warnings."""
_ONE = {"queries": "query", "suites": "suite", "cases": "case", "atoms": "atom", "edges": "edge", "reasons": "reason"}
"""What one of the things that are counted is called."""


def words(checked: GoldChecked) -> RenderableType:
    """A row for each kind of gold, then the faults by file, each with its mend, then coverage, then the outcome."""
    parts: list[RenderableType] = [text.table(COLUMNS, [_row(one) for one in checked["gold"]])]
    parts += _faults(checked)
    parts += _coverage(checked)
    return Group(*parts, Text(), _outcome(checked))


def _row(one: GoldKind) -> list[RenderableType]:
    counts = ", ".join(_counted(name, count) for name, count in one["counts"].items())
    return [Text(one["kind"]), Text(counts), Text(inline(one["place"]), style="dim")]


def _counted(name: str, count: int) -> str:
    return f"{count:,} {_ONE[name] if count == 1 else name}"


def _faults(checked: GoldChecked) -> Iterator[RenderableType]:
    """Faults below their files, in order of place; of very many the first errors."""
    every = [fault for one in checked["gold"] for fault in one["faults"]]
    errors_first = sorted(range(len(every)), key=lambda index: every[index]["level"] != "error")
    path = None
    for fault in (every[index] for index in sorted(errors_first[:_SHOWN])):
        if fault["path"] != path:
            path = fault["path"]
            yield Text()
            yield Text(inline(path), style="bold")
        yield _fault(fault)
        if fault["mend"]:
            yield text.indented(Text.assemble(("mend: ", "green"), inline(fault["mend"])), text.INDENT)
    if len(every) > _SHOWN:
        yield Text()
        yield Text(f"and {len(every) - _SHOWN:,} more: --json has them", style="dim")


def _coverage(checked: GoldChecked) -> Iterator[RenderableType]:
    """How often each type stands in the gold of extraction, and what no case has, or one alone."""
    if not checked["coverage"]:
        return
    yield Text()
    for kind in ("atom", "edge"):
        told = ", ".join(f"{one['name']} {one['count']:,}" for one in checked["coverage"] if one["kind"] == kind)
        yield text.hanging(Text(f"{kind}s", "dim"), Text(told), 8)
    for one in (*checked["missing"], *checked["thin"]):
        yield text.hanging(Text("note", text.STYLES["note"]), Text(inline(one)), 8)


def _fault(fault: GoldFault) -> RenderableType:
    where = str(fault["line"]) if fault["line"] else "-"
    head = Text.assemble((f"{where:>7}  ", "dim"), (f"{fault['level']:<7}", text.STYLES[fault["level"]]), "  ")
    return text.hanging(head, Text.assemble((fault["result"], "bold"), "  ", inline(fault["message"])), text.INDENT)


def _outcome(checked: GoldChecked) -> Text:
    levels = [fault["level"] for one in checked["gold"] for fault in one["faults"]]
    if errors := levels.count("error"):
        return Text(f"gold breaks its rules in {errors:,} place{'s' * (errors > 1)}", style=text.STYLES["error"])
    if warnings := len(levels):
        return Text(f"gold keeps its rules; {warnings:,} to be looked at", style=text.STYLES["warning"])
    return Text("gold keeps its rules", style="green")
