"""A scored extraction on a terminal: its metrics beside the bars, then what was wrong, each with its places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from gitops.extraction import problems
from gitops.extraction.problems import Kind
from gitops.report import extraction_values as values
from gitops.report import text
from gitops.report.visible import inline
from gitops.runs.measurements import Measurement

RUNS = ("run", "commit", "by", "atom F1", "edge F1", "faith", "bars")
"""A run's id begins with its day and time; by what gold and judge, `--json` says."""
_SHOWN = 6
"""So many of each kind are shown."""
_BESIDE = ("mistyped", "mislinked")
"""The kinds of which what was extracted is told beside what the gold has."""
_STYLES = {"reached": "green", "below": "bold red", "not measured": "yellow"}
_BARS = {"passed": "reached", "failed": "below", "not_measured": "not measured"}


def words(made: Measurement) -> RenderableType:
    """What was measured, its metrics, the cases that fall short, what was wrong, and the remarks."""
    parts: list[RenderableType] = [Text(_about(made), style="dim"), Text()]
    parts += [text.table(values.COLUMNS, [_row(row) for row in values.rows(made)], whole=values.COLUMNS)]
    parts += [Text(), *_sentences(made)]
    for kind, every in values.wrong(made).items():
        parts += [Text(), *_wrong(kind, every, values.total(made, kind))]
    for part in ("atoms", "edges"):
        parts += _types(part, values.types(made, part))
    parts += [Text(), *_cases(made)] if len(made.samples) > 1 else []
    parts += [Text(inline(remark), style="yellow") for remark in values.remarks(made)]
    return Group(*parts)


def where(made: Measurement, folder: str, why_not: str) -> RenderableType:
    """Where it is kept, or why it is not, and where files and report lie."""
    kept = f"kept in the notes of {made.commit[:10]} (refs/notes/assay/evals) as run {made.run_id}"
    told = f"no measurement is kept ({why_not})" if why_not else kept
    files = [Text(inline(f"files and report: {folder}"), style="dim")] if folder else []
    return Group(Text(told, style="dim"), *files)


def listing(runs: Sequence[Measurement]) -> RenderableType:
    """A row for each run, with its workspace where there are several, and how many there are."""
    rows, columns = [_run(one) for one in runs], list(RUNS)
    if len({one.workspace for one in runs}) > 1:
        columns.insert(1, "workspace")
        for row, one in zip(rows, runs, strict=True):
            row.insert(1, Text(inline(one.workspace)))
    return Group(
        text.table(columns, rows, whole=("run", "commit", "bars")),
        Text(),
        Text(values.counted(len(runs), "run"), style="dim"),
    )


def _about(made: Measurement) -> str:
    return " · ".join(f"{name} {told}" for name, told in values.facts(made) if name != "run")


def _row(row: Sequence[str]) -> list[RenderableType]:
    return [*map(Text, row[:-1]), Text(row[-1], style=_STYLES.get(row[-1], ""))]


def _sentences(made: Measurement) -> Iterator[RenderableType]:
    first, *rest = values.sentences(made)
    is_good = not rest
    yield Text(f"{first[0].upper()}{first[1:]}", style="bold green" if is_good else "bold red")
    yield from (Text(f"  {said}") for said in rest)


def _wrong(kind: Kind, every: Sequence[Mapping[str, Any]], total: int) -> Iterator[RenderableType]:
    yield Text.assemble((f"{values.TITLES[kind]} {total:,}", "bold"), (f"  {problems.MEANING[kind]}", "dim"))
    for one in every[:_SHOWN]:
        yield text.indented(Text.assemble((inline(one["case"]), "cyan"), "  ", values.what(one)), 2)
        yield from _places(kind, one)
    if total > _SHOWN:
        yield Text(f"  and {total - _SHOWN:,} more: --json has them, --report FILE.md and --html FILE show them")


def _places(kind: str, one: Mapping[str, Any]) -> Iterator[RenderableType]:
    """Where to look, a line each: where it was extracted, what the gold has in its place, what the source says."""
    extracted, gold, source = values.places(one)
    gold = gold if kind in _BESIDE or not (extracted or source) else ""
    for name, told in (("extracted", extracted), ("gold", gold), ("source", source)):
        if told:
            yield text.indented(text.hanging(Text(name, style="dim"), Text(told, style="dim"), 11), 4)


def _types(kind: str, rows: Sequence[Sequence[str]]) -> Iterator[RenderableType]:
    if rows:
        yield Text()
        yield text.table((f"{kind} by type", *values.TYPES[1:]), [[*map(Text, row)] for row in rows])


def _cases(made: Measurement) -> Iterator[RenderableType]:
    short = [row for row in values.cases(made) if row[-1] != "reached"]
    whole = values.counted(len(made.samples), "case")
    if not short:
        yield Text(f"Each of the {whole} reaches the bars by itself.", style="dim")
        return
    yield Text(f"{len(short):,} of {whole} below a bar by themselves", style="bold")
    yield text.table([f"  {values.CASES[0]}", *values.CASES[1:-1]], [_short(row) for row in short[:_SHOWN]])
    if len(short) > _SHOWN:
        yield Text(f"  and {len(short) - _SHOWN:,} more: --json has them, --report FILE.md and --html FILE show them")


def _short(row: Sequence[str]) -> list[RenderableType]:
    return [Text(f"  {row[0]}"), *map(Text, row[1:-1])]


def _run(one: Measurement) -> list[RenderableType]:
    from gitops.extraction.measuring import state

    cells = [one.run_id, one.commit[:10], str(one.subject.get("preset") or one.subject.get("extractor", values.NONE))]
    cells += [values.figure(one.metrics.get(name)) for name in ("atom_f1", "edge_f1", "faithfulness")]
    said = _BARS[state(one)]
    return [*(Text(inline(cell)) for cell in cells), Text(said, style=_STYLES[said])]
