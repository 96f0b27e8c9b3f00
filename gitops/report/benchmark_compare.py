"""Two runs of benchmark suites beside each other, as values: what regressed, and what the engine says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gitops.report import deltas
from gitops.report.benchmark_values import Section, Told, Tone, counted, remarks, since
from gitops.report.visible import inline
from gitops.suites.compared import Pair, Report


def of_comparison(report: Report) -> Told:
    """What `git assay benchmark compare` tells."""
    [shown] = deltas.deltas(report.comparison)
    return Told(
        "benchmark compare",
        f"{inline(report.a)} → {inline(report.b)}",
        _tone(report),
        tuple(_sentences(report)),
        tuple(_facts(report)),
        tuple(_sections(report)),
        tuple(inline(line) for line in _remarks(report)),
        shown,
        deltas.legend(report.comparison),
    )


def _tone(report: Report) -> Tone:
    readings = {one.reading for one in report.comparison.compared}
    if any(pair.found.regressions for pair in report.pairs) or "worse" in readings:
        return "broken"
    return "healthy" if "better" in readings else "not_measured"


def _sentences(report: Report) -> Iterator[str]:
    regressed = sum(len(pair.found.regressions) for pair in report.pairs)
    yield counted(regressed, "regression") if regressed else "no regression"
    if lost := sum(len(pair.found.lost) for pair in report.pairs):
        yield f"{counted(lost, 'case that passed is', 'cases that passed are')} no longer judged"
    for reading in ("worse", "better"):
        if found := [inline(one.metric) for one in report.comparison.compared if one.reading == reading]:
            yield f"{reading} by more than chance: {', '.join(found)}"


def _facts(report: Report) -> Iterator[tuple[str, str]]:
    for pair in report.pairs:
        told = " → ".join(
            f"{side.runs[0].run_id} at {side.runs[0].commit[:10]}, {counted(len(side.runs), 'repeat')}"
            for side in (pair.a, pair.b)
        )
        yield inline(pair.suite), inline(told)


def _sections(report: Report) -> Iterator[Section]:
    """The tables of each suite, named by it where there are several."""
    for pair in report.pairs:
        for each in since(pair.found):
            yield replace(each, title=_titled(report, pair, each.title))


def _titled(report: Report, pair: Pair, title: str) -> str:
    return f"{title} of {inline(pair.suite)}" if len(report.pairs) > 1 else title


def _remarks(report: Report) -> Iterator[str]:
    for pair in report.pairs:
        for told in remarks(pair.found):
            yield f"{pair.suite}: {told}" if len(report.pairs) > 1 else told
    yield from report.alone
