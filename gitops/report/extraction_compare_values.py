"""Two scored extractions beside each other, as values: what is more than chance, and what moved case by case.

`extraction_compare` shows them on a terminal; `benchmark_md` and `benchmark_page` write them as Markdown and HTML.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from gitops.extraction import bars
from gitops.extraction.comparing import CompareReport
from gitops.extraction.moves import Moves, Problem
from gitops.report import deltas
from gitops.report import extraction_values as values
from gitops.report.benchmark_values import Section, Told, Tone
from gitops.report.visible import inline
from gitops.runs.measurements import Measurement

CASES = ("case", "atom F1", "edge F1", "validity", "graph errors", "faithfulness", "new", "gone")
WRONG = ("case", "kind", "what", "extracted", "gold", "source")
MOST = 500
"""So many rows of a table are told in a report; `--json` has all."""
Change = Literal["new", "gone"]
MEANING: Mapping[Change, str] = {"new": "wrong in the compared run alone", "gone": "wrong in the reference alone"}
TITLES: Mapping[Change, str] = {"new": "Newly wrong", "gone": "No longer wrong"}
_CROSSED = (("below its bar now", "pass", "fail"), ("reaches its bar now", "fail", "pass"))
"""What crossing a bar is called, and the statuses before and after."""
_KINDS = {
    "missed": ("atom missed", "atoms missed"),
    "spurious": ("atom invented", "atoms invented"),
    "mistyped": ("atom mistyped", "atoms mistyped"),
    "mislinked": ("edge mislinked", "edges mislinked"),
    "made_up": ("reason made up", "reasons made up"),
    "omitted": ("reason omitted", "reasons omitted"),
    "invalid": ("fault of a file", "faults of files"),
    "graph": ("fault of the graph", "faults of the graph"),
}


def of_comparison(report: CompareReport) -> Told:
    """All that `git assay extract compare` tells."""
    [shown] = deltas.deltas(report.comparison)
    return Told(
        kind="extract compare",
        title=" → ".join(map(inline, report.names)),
        tone=_tone(report),
        sentences=tuple(sentences(report)),
        facts=tuple(facts(report)),
        sections=tuple(_sections(report)),
        remarks=tuple(map(inline, report.remarks)),
        shown=shown,
        legend=deltas.legend(report.comparison),
    )


def sentences(report: CompareReport) -> Iterator[str]:
    """Which bars are newly missed or reached, what is more than chance, and how much moved."""
    for said, was, now in _CROSSED:
        if found := [_beside_bar(report, name) for name in bars.NAMES if _statuses(report, name) == (was, now)]:
            yield f"{said}: {', '.join(found)}"
    rows = report.comparison.compared
    for reading in ("worse", "better"):
        if found := [inline(one.metric) for one in rows if one.reading == reading]:
            yield f"{reading} by more than chance: {', '.join(found)}"
    if any(one.p is not None for one in rows) and not any(one.reading in ("worse", "better") for one in rows):
        yield "no metric differs by more than chance"
    for change, counts in (("newly wrong", report.new), ("no longer wrong", report.gone)):
        if counts:
            yield f"{change}: {', '.join(_counted(kind, count) for kind, count in counts.items())}"
    if report.comparison.is_empty:
        yield "nothing could be compared"
    elif not report.moves:
        yield "no case moved"


def facts(report: CompareReport) -> Iterator[tuple[str, str]]:
    """What either run is, by what it is in the table."""
    for role, name, one in zip(("reference", "compared"), report.names, (report.a, report.b), strict=True):
        yield role, inline(" · ".join(_about(name, one)))


def cells(one: Moves) -> tuple[str, ...]:
    """A row of `CASES`: `0.50 → 0.80` where a number moved, the number alone where it did not."""
    numbers = (_number(name, *one.numbers.get(name, (None, None))) for name in bars.NAMES)
    return inline(one.case), *numbers, _signed(len(one.new), "+"), _signed(len(one.gone), "−")


def moved(report: CompareReport, change: Change) -> list[Problem]:
    """All that is newly wrong, or no longer, by case and within it by kind."""
    return [each for one in report.moves for each in (one.new if change == "new" else one.gone)]


def kind(problem: Problem) -> str:
    """What kind of mistake a problem is, in words (`atom missed`)."""
    return _KINDS[problem["kind"]][0]


def _tone(report: CompareReport) -> Tone:
    readings = {one.reading for one in report.comparison.compared}
    if any(_statuses(report, name) == ("pass", "fail") for name in bars.NAMES):
        return "broken"
    return "broken" if "worse" in readings else "healthy" if "better" in readings else "not_measured"


def _statuses(report: CompareReport, name: str) -> tuple[str, str]:
    """Whether either run reached the bar of a metric; nothing of runs that were measured otherwise."""
    row = next((one for one in report.comparison.compared if one.metric == name), None)
    if row is None or row.reading == "not_compared":
        return "", ""
    return report.a.metrics[name].status, report.b.metrics[name].status


def _beside_bar(report: CompareReport, name: str) -> str:
    one, other = report.a.metrics[name], report.b.metrics[name]
    bars = dict.fromkeys(map(values.limit, (one, other)))
    return f"{name} {values.figure(one)} → {values.figure(other)} ({' → '.join(bars)})"


def _about(name: str, one: Measurement) -> Iterator[str]:
    yield name
    if one.run_id and not one.run_id.startswith(name):
        yield one.run_id
    if one.commit:
        yield f"at {one.commit[:10]}"
    yield values.extractor(one.subject)
    yield f"gold {one.suite} {one.suite_version}"
    judge = one.instrument.get("judge")
    if isinstance(judge, Mapping):
        yield f"judge {judge.get('id')} {judge.get('version')}"


def _counted(kind: str, count: int) -> str:
    return f"{count:,} {_KINDS[kind][count != 1]}"


def _number(name: str, before: float | None, after: float | None) -> str:
    one, other = (_plain(name, value) for value in (before, after))
    return one if before == after else f"{one} → {other}"


def _plain(name: str, value: float | None) -> str:
    if value is None:
        return values.NONE
    return f"{value:,.0f}" if name == "graph_errors" else f"{value:.2f}"


def _signed(count: int, sign: str) -> str:
    return f"{sign}{count:,}" if count else ""


def _sections(report: CompareReport) -> Iterator[Section]:
    if report.moves:
        rows = tuple(map(cells, report.moves[:MOST]))
        yield Section("Cases that moved", CASES, rows, CASES[1:], _more(len(report.moves)))
    for change in TITLES:
        if found := moved(report, change):
            rows = tuple(map(_row, found[:MOST]))
            yield Section(f"{TITLES[change]}: {MEANING[change]}", WRONG, rows, more=_more(len(found)))


def _row(one: Problem) -> tuple[str, ...]:
    return inline(str(one["case"])), kind(one), values.what(one), *values.places(one)


def _more(count: int) -> str:
    return f"{count - MOST:,} more: --json has them" if count > MOST else ""
