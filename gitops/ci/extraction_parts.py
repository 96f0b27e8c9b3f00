"""What scoring says of the extraction that would land, as blocks of Markdown: its bars, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping

from gitops.ci.comment_context import NAME, counted, place
from gitops.ci.extraction_answers import bar, figure
from gitops.ci.fitting import Block
from gitops.ci.result import BarRow, ExtractionAnswer, Result, WrongKind, WrongLine
from gitops.ci.taming import code, item, said
from gitops.report import markdown as md
from gitops.report.figures import NONE

_HELD = "\N{NO-BREAK SPACE}"
COLUMNS = ("metric", "bar", "base", "now", "verdict")
OWN = "by the change's gold"
"""The column of what would land, scored by the gold that the change leaves."""
KINDS: Mapping[WrongKind, str] = {
    "missed": "missed",
    "spurious": "spurious",
    "mistyped": "mistyped",
    "mislinked": "mislinked",
    "made_up": "made up",
    "omitted": "omitted",
    "invalid": "invalid",
    "graph": "graph",
}
LOUD = ("below", "not measured")
"""Verdicts that somebody has to look at."""
_LONG = 300


def extraction(result: Result, most: int, spared: int) -> list[Block]:
    """The bars as a table, then at most so many of what is wrong, then what else is to be known; nothing of nothing."""
    answer = result.extraction
    if answer is None:
        return []
    told = Block(lines=tuple(map(item, notes(answer))), spared=spared)
    return [_bars(answer), told, _wrong(answer, most, spared + 1)]


def is_plain(result: Result) -> bool:
    """Whether extraction is as it was, and reaches its bars: nobody has to look."""
    answer = result.extraction
    if answer is None:
        return True
    is_same = all(row.verdict == "met" and row.before == row.after for row in answer.bars)
    return is_same and not (answer.notes or answer.is_shown or answer.new_wrong)


def verdict(row: BarRow) -> str:
    """The verdict in words: whether the base is below its bar too, and whether somebody accepted that."""
    told = f"{row.verdict}, as before" if row.verdict == "below" and row.was_below else row.verdict
    return f"{told}, accepted" if row.accepted else told


def headed(answer: ExtractionAnswer) -> str:
    """How much is wrong, how much of it only since the change, and of which kind; '' where nothing is."""
    total = len(answer.wrong) + answer.more_wrong
    if not total:
        return ""
    things = f"{counted(total)} {'thing' if total == 1 else 'things'} wrong"
    new = "all" if answer.new_wrong == total else counted(answer.new_wrong) if answer.new_wrong else "none"
    kinds = [f"{counted(answer.kinds[kind])} {called}" for kind, called in KINDS.items() if answer.kinds.get(kind)]
    return f"{things}{'' if answer.is_shown else f', {new} since this change'}{': ' if kinds else ''}{', '.join(kinds)}"


def listed(answer: ExtractionAnswer, most: int) -> list[WrongLine]:
    """The first of what is wrong, at most so many, put together by kind."""
    order = list(KINDS)
    return sorted(answer.wrong[:most], key=lambda each: (not each.is_new, order.index(each.kind), each.case))


def kind(each: WrongLine) -> str:
    """What is wrong, in a word; what is only to be looked at says so."""
    return KINDS[each.kind] if each.level == "error" else f"{KINDS[each.kind]} {each.level}"


def has_own(answer: ExtractionAnswer) -> bool:
    """Whether what would land was scored by the change's gold too."""
    return any(row.by_own_gold is not None for row in answer.bars)


def _bars(answer: ExtractionAnswer) -> Block:
    about = [f"of {said(answer.extracted, NAME)}" if answer.extracted.strip() else ""]
    about.append(f"{counted(answer.cases)} case{'' if answer.cases == 1 else 's'} of gold")
    about.append(f"judge {code(answer.judge, NAME)}" if answer.judge.strip() else "")
    about.append(f"because {said(answer.because, NAME)}" if answer.because.strip() else "")
    head = f"**Extraction** {', '.join(part for part in about if part)}"
    if answer.is_shown:
        head += ". Only the change has gold: this is shown, and gates nothing"
    columns = (*COLUMNS[:-1], OWN, COLUMNS[-1]) if has_own(answer) else COLUMNS
    if not answer.bars:
        return Block(head)
    cells = [_row(row, len(columns)) for row in answer.bars]
    opening, aligned, *lines = md.table(columns, cells, numbers=("base", OWN, "now")).splitlines()
    return Block(head, tuple(lines), opening=f"{opening}\n{aligned}")


def _row(row: BarRow, columns: int) -> tuple[str, ...]:
    told = verdict(row).replace(" ", _HELD)
    own = (said(figure(row, row.by_own_gold), NAME),) if columns > len(COLUMNS) else ()
    return (
        code(row.metric, NAME) or NONE,
        said(bar(row), NAME).replace(" ", _HELD),
        said(figure(row, row.before), NAME),
        _moved(row),
        *own,
        f"**{told}**" if row.verdict in LOUD and not row.accepted else told,
    )


def _moved(row: BarRow) -> str:
    """The number that would land, and by an arrow and a word how it moved."""
    told = said(figure(row, row.after), NAME)
    if row.before is None or row.after is None or row.before == row.after:
        return told
    is_up = row.after > row.before
    word = "better" if is_up == (row.direction == "higher") else "worse"
    return _HELD.join((told, "▲" if is_up else "▼", word))


def notes(answer: ExtractionAnswer) -> list[str]:
    """What else is to be known: first why bars have no number, or pass all the same, each reason once."""
    named: dict[str, list[str]] = {}
    for row in answer.bars:
        if row.why.strip():
            named.setdefault(row.why, []).append(row.metric)
    return [*(f"{', '.join(names)}: {why}" for why, names in named.items()), *answer.notes]


def _wrong(answer: ExtractionAnswer, most: int, spared: int) -> Block:
    """One by one, what the change brings first; places are of what was extracted, of the source, and of the gold."""
    lines = tuple(_line(each, answer.is_shown) for each in listed(answer, most))
    more = len(answer.wrong) - len(lines) + answer.more_wrong
    told = headed(answer)
    return Block(f"**{told}**" if told else "", lines, more=more, spared=spared)


def _line(each: WrongLine, is_shown: bool) -> str:
    what = kind(each)
    told = [f"**{what}**" if each.is_new or is_shown else f"{what}, as before", code(each.case, NAME)]
    return f"- {' '.join(part for part in told if part)}: {said(each.what, _LONG)}{_places(each)}"


def _places(each: WrongLine) -> str:
    """The file that was extracted, where there is one; what of the source it is about, and where the gold has it."""
    where = [("in", each.path, each.line)] if each.path.strip() else []
    where += [("source", each.source, each.source_line)] if each.source.strip() else []
    where += [("gold", each.gold, each.gold_line)] if each.gold.strip() else []
    told = ", ".join(f"{called} {place(path, line)}" for called, path, line in where)
    return f"<br>{told}" if told else ""
