"""What benchmarks say of a change, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from gitops.ci.result import Result, SuiteRow
from gitops.ci.suite_parts import KINDS, LOUD, rate, verdict
from gitops.report import text
from gitops.report.visible import inline

_COLUMNS = ("suite", "agent", "cases", "baseline", "now", "verdict", "because of")
_STYLES = {"regressed": "bold red", "no answer": "bold yellow", "no baseline": "yellow", "not run": "yellow"}
_CASES, _FEW = 10, 5


def suite_words(result: Result) -> Iterator[RenderableType]:
    """The suites as a table, the cases that regressed, and what was changed without an ablation; nothing of nothing."""
    if result.benchmarks:
        yield Text()
        yield text.table(_COLUMNS, [_row(row) for row in result.benchmarks])
    for row in result.benchmarks:
        yield from _of(row)
    for each in result.unablated:
        on = f" on {inline(each.suite)}" if each.suite else ""
        yield Text(f"no ablation: {inline(each.key)}{on}: {inline(each.why)}", style="bold red")
        if each.mend:
            yield Text(f"  mend: {inline(each.mend)}")


def _row(row: SuiteRow) -> list[RenderableType]:
    cases = f"{row.cases:,} × {row.repeats}" if row.repeats > 1 else f"{row.cases:,}"
    cells = (inline(row.suite), inline(row.agent), cases, rate(row.before), rate(row.after))
    told = f"{verdict(row)} (gates)" if row.gated else verdict(row)
    return [*map(Text, cells), Text(told, style=_STYLES.get(row.verdict, "")), Text(inline(row.because))]


def _of(row: SuiteRow) -> Iterator[RenderableType]:
    name = inline(row.suite)
    style = "" if row.accepted else "red"
    for case in row.regressions[:_CASES]:
        yield Text(f"{name} {inline(case.case)}  {KINDS[case.kind]}: {inline(case.told)}", style=style)
    if more := len(row.regressions[_CASES:]) + row.more_regressions:
        yield Text(f"{name}: and {more:,} more", style=style)
    if row.lost:
        yield Text(f"{name}: passed at the baseline, no answer now: {_some(row.lost)}", style="yellow")
    if row.flaky:
        yield Text(f"{name}: flaky at the baseline, gated by their pass rates: {_some(row.flaky)}", style="dim")
    if row.skipped:
        yield Text(f"{name}: {row.skipped:,} of {row.cases:,} cases not judged or not run", style="dim")
    if row.why:
        yield Text(f"{name}: {inline(row.why)}", style="dim")
    if row.baseline and row.verdict in LOUD:
        yield Text(f"{name}: baseline {inline(row.baseline)}", style="dim")


def _some(cases: tuple[str, ...]) -> str:
    more = f" and {len(cases) - _FEW:,} more" if len(cases) > _FEW else ""
    return ", ".join(inline(case) for case in cases[:_FEW]) + more
