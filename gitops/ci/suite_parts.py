"""What benchmarks say of a change, as blocks of Markdown: the suites that it affects, and the cases that got worse."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gitops.ci.comment_context import MANY, NAME, counted
from gitops.ci.fitting import Block
from gitops.ci.result import RegressedCase, RegressionKind, Result, SuiteRow, UnablatedRow
from gitops.ci.taming import code, said
from gitops.report import markdown as md
from gitops.report.figures import NONE

_HELD = "\N{NO-BREAK SPACE}"
COLUMNS = ("suite", "agent", "cases", "baseline", "now", "verdict", "because of")
_NUMBERS = ("cases", "baseline", "now")
KINDS: Mapping[RegressionKind, str] = {
    "pass_to_fail": "pass → fail",
    "judge_drop": "judge's score",
    "latency": "latency",
    "pass_rate": "pass rate",
}
_NAME, _FEW = 48, 5
LOUD = ("regressed", "no answer")
"""Verdicts that somebody has to look at."""


def suites(result: Result, most: int, rows: int, spared: int) -> list[Block]:
    """The suites as a table of at most so many `rows`, then at most so many cases that regressed, then what has no
    answer, is flaky, or has a reason; and what was changed without an ablation.
    """
    made = [*_table(result, rows, spared), _cases(result, most, spared + 1), _notes(result, most, spared + 2)]
    return [*(made if result.benchmarks else []), _unablated(result, most, spared)]


def is_plain(result: Result) -> bool:
    """Whether no suite says what somebody should look at."""
    return not result.unablated and all(row.verdict == "no regression" and not row.gated for row in result.benchmarks)


def rate(share: float | None) -> str:
    """A pass rate as a reader wants it; a dash where there is none."""
    return NONE if share is None else f"{share * 100:.1f}{_HELD}%".replace(".0", "")


def verdict(row: SuiteRow) -> str:
    """The verdict in words: a regression that somebody accepted says so."""
    return f"{row.verdict}, accepted" if row.accepted else row.verdict


def _table(result: Result, most: int, spared: int) -> list[Block]:
    cells = [_row(row) for row in result.benchmarks[:most]]
    if not cells:
        return []
    head, aligned, *lines = md.table(COLUMNS, cells, numbers=_NUMBERS).splitlines()
    more = len(result.benchmarks) - len(cells)
    return [Block("**Benchmarks**", tuple(lines), opening=f"{head}\n{aligned}", more=more, spared=spared)]


def _row(row: SuiteRow) -> tuple[str, ...]:
    told = verdict(row).replace(" ", _HELD)
    repeats = f" × {counted(row.repeats)}" if row.repeats > 1 else ""
    return (
        code(row.suite, _NAME) or NONE,
        said(row.agent, _NAME) or NONE,
        f"{counted(row.cases)}{repeats}",
        rate(row.before),
        rate(row.after),
        f"**{told}**" if row.verdict in LOUD else told,
        said(row.because, NAME) or NONE,
    )


def _cases(result: Result, most: int, spared: int) -> Block:
    every = [(row, case) for row in result.benchmarks for case in row.regressions]
    lines = tuple(_case(row, case) for row, case in every[:most])
    untold = sum(min(row.more_regressions, MANY) for row in result.benchmarks)
    head = "**Regressed cases**" if lines else ""
    return Block(head, lines, more=len(every) - len(lines) + untold if every else 0, spared=spared)


def _case(row: SuiteRow, case: RegressedCase) -> str:
    place = " ".join(part for part in (code(row.suite, _NAME), code(case.case, NAME)) if part)
    return f"- **{'accepted' if row.accepted else 'regressed'}** {place} <em>{KINDS[case.kind]}</em>: {said(case.told)}"


def _notes(result: Result, most: int, spared: int) -> Block:
    lines = [line for row in result.benchmarks for line in _of(row)]
    head = "**About these suites**" if lines else ""
    return Block(head, tuple(lines[:most]), more=len(lines[most:]), spared=spared)


def _of(row: SuiteRow) -> Iterator[str]:
    name = code(row.suite, _NAME) or NONE
    if row.lost:
        yield f"- {name}: passed at the baseline, no answer now: {_some(row.lost)}"
    if row.flaky:
        yield f"- {name}: flaky at the baseline, gated by their pass rates: {_some(row.flaky)}"
    if row.skipped:
        yield f"- {name}: {counted(row.skipped)} of {counted(row.cases)} cases not judged or not run"
    if row.why.strip():
        yield f"- {name}: {said(row.why)}"
    if row.baseline.strip() and row.verdict in LOUD:
        yield f"- {name}: baseline {code(row.baseline, NAME)}{_age(row)}"


def _some(cases: tuple[str, ...]) -> str:
    more = f" and {len(cases) - _FEW:,} more" if len(cases) > _FEW else ""
    return ", ".join(code(case, _NAME) or NONE for case in cases[:_FEW]) + more


def _age(row: SuiteRow) -> str:
    if row.age_days is None:
        return ""
    days = int(min(row.age_days, MANY))
    return f", {'less than a day' if days < 1 else '1 day' if days == 1 else f'{counted(days)} days'} old"


def _unablated(result: Result, most: int, spared: int) -> Block:
    """The hard rule's findings: nobody's label lets these pass."""
    lines = tuple(map(_found, result.unablated[:most]))
    head = "**Changed without an ablation that shows no harm**" if lines else ""
    return Block(head, lines, more=len(result.unablated) - len(lines), spared=spared)


def _found(row: UnablatedRow) -> str:
    on = f" on {code(row.suite, _NAME)}" if row.suite.strip() else ""
    mend = f"<br>mend: {code(row.mend, 400)}" if row.mend.strip() else ""
    return f"- {code(row.key, NAME) or NONE}{on}: {said(row.why)}{mend}"
