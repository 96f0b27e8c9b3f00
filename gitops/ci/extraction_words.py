"""What scoring says of the extraction that would land, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from gitops.ci.extraction_answers import bar, figure
from gitops.ci.extraction_parts import COLUMNS, LOUD, OWN, has_own, headed, kind, listed, notes, verdict
from gitops.ci.result import BarRow, ExtractionAnswer, Result, WrongLine
from gitops.report import text
from gitops.report.visible import inline

_MOST = 10
_STYLES = {"below": "bold red", "not measured": "bold yellow"}


def extraction_words(result: Result) -> Iterator[RenderableType]:
    """The bars as a table, what else is to be known, and the first of what is wrong; nothing of nothing."""
    answer = result.extraction
    if answer is None:
        return
    yield Text()
    yield Text.assemble(("extraction", "bold"), f" of {inline(answer.extracted)}", (_about(answer), "dim"))
    if answer.bars:
        columns = (*COLUMNS[:-1], OWN, COLUMNS[-1]) if has_own(answer) else COLUMNS
        yield text.table(columns, [_row(row, len(columns)) for row in answer.bars])
    yield from (Text(inline(told), style="yellow") for told in notes(answer))
    yield from _wrong(answer)


def _about(answer: ExtractionAnswer) -> str:
    told = [f"{answer.cases:,} case{'' if answer.cases == 1 else 's'} of gold"]
    told += [f"judge {inline(answer.judge)}"] if answer.judge else []
    told += [f"because {inline(answer.because)}"] if answer.because else []
    told += ["shown, and gates nothing: only the change has gold"] if answer.is_shown else []
    return f"  {', '.join(told)}"


def _row(row: BarRow, columns: int) -> list[RenderableType]:
    own = (figure(row, row.by_own_gold),) if columns > len(COLUMNS) else ()
    cells = (inline(row.metric), bar(row), figure(row, row.before), figure(row, row.after), *own)
    told = f"{verdict(row)} (gates)" if row.gated else verdict(row)
    return [*map(Text, cells), Text(told, style=_STYLES.get(row.verdict, "") if row.verdict in LOUD else "")]


def _wrong(answer: ExtractionAnswer) -> Iterator[RenderableType]:
    if not (head := headed(answer)):
        return
    yield Text(head)
    for each in listed(answer, _MOST):
        mark, style = ("+ ", "red") if each.is_new else ("  ", "")
        told = Text.assemble((kind(each), style), f" {inline(each.case)}: {inline(each.what)}")
        yield text.hanging(Text(mark), told, len(mark))
        if places := _places(each):
            yield text.indented(Text(places, style="dim"), 2 * len(mark))
    if more := len(answer.wrong[_MOST:]) + answer.more_wrong:
        yield Text(f"  and {more:,} more: see the summary, or --json", style="dim")


def _places(each: WrongLine) -> str:
    """Two places at most: where it was extracted, what of the source it is about, else where the gold has it."""
    places = ((each.path, each.line), (each.source, each.source_line), (each.gold, each.gold_line))
    told = [f"{inline(path)}:{line}" if line else inline(path) for path, line in places if path]
    return ", ".join(told[:2])
