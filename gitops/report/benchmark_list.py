"""Suites, their cases and their runs as lists on a terminal."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from gitops.report import text
from gitops.report.benchmark_values import counted, cut, percent
from gitops.report.visible import inline
from gitops.suites.listing import Listed, Listing
from gitops.suites.overview import Overview

SUITES = ("suite", "agent", "cases", "newest run", "pass rate", "baseline")
RUNS = ("run", "suite", "commit", "when", "passed")
CASES = ("case", "difficulty", "source", "mode", "tags", "")
_NONE = "-"


def suites(found: Listing) -> RenderableType:
    """A row for each suite; below, what cannot be read, and which skills have none."""
    parts: list[RenderableType] = []
    if found.suites:
        parts.append(text.table(SUITES, [_cells(_suite(each)) for each in found.suites], whole=("newest run",)))
    else:
        parts.append(Text("no suite is there yet: docs/benchmark-cases.md shows how one is written"))
    parts += [Text(inline(told), style="yellow") for told in found.faults]
    if found.bare:
        told = f"{counted(len(found.bare), 'skill')} without benchmarks: {', '.join(found.bare)}"
        parts.append(Text(inline(told), style="yellow"))
    return Group(*parts)


def runs(found: Listing) -> RenderableType:
    """A row for each run, newest first."""
    if not found.runs:
        return Text("no run of a suite was kept yet: git assay benchmark run --all")
    return text.table(RUNS, [_cells(_run(each)) for each in found.runs], whole=("run",))


def cases(found: Listing) -> RenderableType:
    """The cases of the suites, each a row."""
    every = [case for each in found.suites for case in each.loaded.suite.cases]
    rows = [
        (case.case_id, case.difficulty, case.source, case.expected.mode, ", ".join(case.tags), cut(case.description))
        for case in every
    ]
    where = ", ".join(each.loaded.folder for each in found.suites)
    told = Text(inline(f"{counted(len(rows), 'case')} in {where}"), style="dim")
    return Group(text.table(CASES, map(_cells, rows)), Text(), told)


def _suite(each: Listed) -> tuple[str, ...]:
    suite, newest, baseline = each.loaded.suite, each.newest, each.baseline
    return (
        f"{suite.suite_id} {suite.version}",
        suite.target,
        f"{len(suite.cases):,}",
        newest.first.run_id if newest is not None else _NONE,
        _rate(newest) if newest is not None else _NONE,
        _NONE if baseline is None else baseline.measured_at[:10],
    )


def _run(seen: Overview) -> tuple[str, ...]:
    first = seen.first
    variant = f" [{first.variant}]" if first.variant else ""
    moment = f"{first.completed_at or first.started_at:%Y-%m-%d %H:%M}"
    return first.run_id, first.suite_id + variant, first.commit[:10], moment, seen.passed.told


def _rate(seen: Overview) -> str:
    return percent(seen.passed.rate) if seen.passed.tried else _NONE


def _cells(row: tuple[str, ...]) -> list[Text]:
    return [Text(inline(cell)) for cell in row]
