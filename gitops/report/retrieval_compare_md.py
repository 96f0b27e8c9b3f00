"""Two runs of retrieval compared, as one Markdown file (kebab p5-2, `render_report_md`): for people, no wire format."""

from __future__ import annotations

from collections.abc import Iterator

from gitops.report import deltas
from gitops.report import markdown as md
from gitops.report.retrieval_compare import (
    MOVED,
    counted,
    findings,
    known_versions,
    of_kind,
    own_note,
    ranks,
    runs,
    told_draws,
)
from gitops.retrieval.comparing import CompareReport
from gitops.retrieval.kinds import QueryComparison

COLUMNS = ("kind", "query", "asked", "rank in A → B", "note")


def render_report_md(report: CompareReport) -> str:
    """What was compared, the differences of the aggregates, the queries that moved, and what has to be told aloud.

    Ids, queries and names are foreign: they are shown as they are, and mean nothing to Markdown.
    """
    return "\n".join(part if part.endswith("\n") else f"{part}\n" for part in _parts(report))


def _parts(report: CompareReport) -> Iterator[str]:
    yield f"# Retrieval: {md.escaped(report.run_a)} → {md.escaped(report.run_b)}"
    yield _runs(report)
    if report.per_query:
        yield f"**{counted(report)}**"
        yield from (f"{told[0].upper()}{told[1:]}." for told in findings(report))
    [shown] = deltas.deltas(report.comparison)
    if shown.subjects:
        yield f"What was measured differs in {md.escaped(shown.subjects)}."
    yield "## Metrics"
    if shown.rows:
        yield deltas.markdown(shown)
    if told := [*shown.remarks, *shown.not_compared, *deltas.legend(report.comparison)]:
        yield md.listed(told)
    yield "## Wins, losses, regressions"
    found = [one for kind in MOVED for one in of_kind(report, kind)]
    yield _table(report, found) if found else "No query moved." if report.per_query else "Nothing was compared."
    if draws := told_draws(report):
        yield "## Draws to look at"
        yield _table(report, draws)
    if report.remarks:
        yield "## Remarks"
        yield md.listed(report.remarks)


def _runs(report: CompareReport) -> str:
    rows = [
        (
            letter,
            md.escaped(name),
            commit[:10] or "-",
            gold[:12],
            md.escaped(", ".join(known_versions(versions))) or "-",
        )
        for letter, name, commit, gold, versions in runs(report)
    ]
    return md.table(("", "run", "commit", "golden queries", "made by"), rows)


def _table(report: CompareReport, found: list[QueryComparison]) -> str:
    return md.table(COLUMNS, (_row(report, one) for one in found))


def _row(report: CompareReport, one: QueryComparison) -> tuple[str, ...]:
    note = md.escaped(own_note(report, one))
    return one.kind, md.escaped(one.query_id), md.escaped(one.query), ranks(one), note
