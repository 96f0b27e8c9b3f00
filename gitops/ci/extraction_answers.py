"""What scoring the extraction of a change came to: its bars, what had to be scored and could not be, what it cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gitops.ci.accepting import Acceptance
from gitops.ci.findings import clipped
from gitops.ci.result import BarRow, ExtractionAnswer
from gitops.report.figures import NONE
from gitops.usage import NOTHING, Usage

_KIND = "extraction"


@dataclass(frozen=True, slots=True)
class ExtractionAnswers:
    """The answer, where there is one; `missing` is what had to be scored and was not, in words, `mend` what to do.

    `unanswered` says what has no number and is not the change's doing. `unheld` names the bars of what the change
    extracts otherwise that have a number on neither side: a bar that nothing is held to is not reached.
    """

    answer: ExtractionAnswer | None = None
    missing: str = ""
    mend: str = ""
    unanswered: str = ""
    unheld: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    used: Usage = NOTHING
    """What models used for it."""

    @property
    def bars(self) -> tuple[BarRow, ...]:
        """The bars; none where nothing was scored."""
        return self.answer.bars if self.answer is not None else ()

    @property
    def gated(self) -> list[BarRow]:
        """The bars that the check fails by."""
        return [row for row in self.bars if row.gated]

    @property
    def lost(self) -> list[BarRow]:
        """The bars for which what would land has no number, and which it had to have: the base has one, or what was
        scored is the change's own. Nothing passes by not being scored.
        """
        return [row for row in self.bars if row.after is None and (row.before is not None or row.metric in self.unheld)]

    @property
    def sound(self) -> str:
        """What a pass says of it, in words; '' where nothing was held to a bar."""
        if below := [row.metric for row in self.bars if row.verdict == "below"]:
            return f"extraction stays below its bar for {', '.join(below)}"
        return "extraction reaches its bars" if any(row.verdict == "met" for row in self.bars) else ""

    def open(self, accepted: Acceptance | None) -> list[str]:
        """What somebody would have to accept, by the names that a record has."""
        return [name_of(row) for row in (*self.gated, *self.lost) if not covers(accepted, row)]


def name_of(row: BarRow) -> str:
    """What a bar is called beside metrics and suites."""
    return f"{_KIND}.{row.metric}"


def covers(accepted: Acceptance | None, row: BarRow) -> bool:
    """Did somebody accept that this bar is not reached?"""
    return accepted is not None and accepted.covers(name_of(row))


def passed_over(answers: ExtractionAnswers, accepted: Acceptance | None) -> ExtractionAnswer | None:
    """The answer as it is told: a bar that somebody accepted fails no check, and says so."""
    if answers.answer is None or accepted is None:
        return answers.answer
    passed = [name_of(row) for row in (*answers.gated, *answers.lost) if covers(accepted, row)]
    bars = (_accepted(row, accepted) if name_of(row) in passed else row for row in answers.bars)
    return answers.answer.model_copy(update={"bars": tuple(bars)})


def _accepted(row: BarRow, accepted: Acceptance) -> BarRow:
    told = "; ".join(part for part in (row.why, f"accepted by {accepted.told.by}") if part)
    return row.model_copy(update={"gated": False, "accepted": True, "why": clipped(told)})


def in_words(rows: Sequence[BarRow]) -> list[str]:
    """The bars that are not reached, with the number of each and what the base has, in one phrase; none of none."""
    if len(rows) > 1:
        told = (f"{row.metric} {figure(row, row.after)} ({bar(row)}{_before(row)})" for row in rows)
        return [f"extraction is below {len(rows)} bars: {', '.join(told)}"]
    return [f"{name_of(row)} is {figure(row, row.after)} (the bar is {bar(row)}{_before(row)})" for row in rows]


def _before(row: BarRow) -> str:
    if row.before is None:
        return ""
    return f"; the base has {figure(row, row.before)}{', below it too' if row.was_below else ''}"


def bar(row: BarRow) -> str:
    """What a number is held to, as `>= 0.6`."""
    return f"{row.op} {row.bar:.4g}"


def figure(row: BarRow, value: float | None) -> str:
    """A number of a row: shares with three digits, or six where three would show it on the other side of its bar; what
    is counted as it is; a dash where there is none.
    """
    if value is None:
        return NONE
    if row.unit != "share":
        return f"{value:,.6g}"
    told = f"{value:.3f}"
    return told if (float(told) < row.bar) == (value < row.bar) else f"{value:.6f}"
