"""What benchmark suites say of a change: a row for each that it affects, and what was changed without an ablation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gitops.ci.accepting import Acceptance
from gitops.ci.result import SuiteRow, UnablatedRow

_KIND = "benchmark"


@dataclass(frozen=True, slots=True)
class How:
    """How suites are run: not at all, so many cases at a time (0: as `benchmark run` chooses), asking who costs.

    `is_told`: somebody said so, and not the default. Then the code of the change gets what its suites ask for.
    """

    is_on: bool = True
    jobs: int = 0
    asks: bool = False
    is_told: bool = False


@dataclass(frozen=True, slots=True)
class SuiteAnswers:
    """The rows, and what had to be looked at and was not: `missing` is that in words, `mend` what to do about it.

    `unanswered` says what has no answer and is not the change's doing: no baseline has been accepted.
    """

    rows: tuple[SuiteRow, ...] = ()
    unablated: tuple[UnablatedRow, ...] = ()
    missing: str = ""
    mend: str = ""
    unanswered: str = ""
    remarks: tuple[str, ...] = ()
    tokens: int = 0
    usd: float = 0.0

    @property
    def gated(self) -> list[SuiteRow]:
        """The suites that the check fails by."""
        return [row for row in self.rows if row.gated]

    @property
    def lost(self) -> list[SuiteRow]:
        """The suites with cases that passed at the baseline, and have no answer now: what cannot be run any more passes
        no gate.
        """
        return [row for row in self.rows if row.lost]

    def open(self, accepted: Acceptance | None) -> list[str]:
        """What somebody would have to accept, by the names that a record has: what regressed or was lost."""
        return [name_of(row) for row in self.rows if (row.gated or row.lost) and not covers(accepted, row)]


def name_of(row: SuiteRow) -> str:
    """What a suite is called beside metrics."""
    return f"{_KIND}.{row.suite}"


def covers(accepted: Acceptance | None, row: SuiteRow) -> bool:
    """Did somebody accept that this suite regressed?"""
    return accepted is not None and accepted.covers(name_of(row))


def passed_over(answers: SuiteAnswers, accepted: Acceptance | None) -> tuple[SuiteRow, ...]:
    """The rows as they are told: those that somebody accepted fail no check, and say so."""
    return tuple(_accepted(row, accepted) for row in answers.rows)


def _accepted(row: SuiteRow, accepted: Acceptance | None) -> SuiteRow:
    if accepted is None or not (row.gated or row.lost) or not covers(accepted, row):
        return row
    told = "; ".join(part for part in (row.why, f"accepted by {accepted.told.by}") if part)
    return row.model_copy(update={"gated": False, "accepted": True, "why": told[:2_000]})


def in_words(rows: list[SuiteRow]) -> Iterator[str]:
    """Each suite that regressed, and by how many cases."""
    for row in rows:
        cases = len({each.case for each in row.regressions}) + row.more_regressions
        yield f"{name_of(row)} regressed ({cases:,} case{'' if cases == 1 else 's'})"
