"""Two runs of retrieval compared, in words: how many queries moved, the differences, and which queries these are."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from gitops.report import deltas, text
from gitops.report.visible import inline
from gitops.retrieval.comparing import CompareReport
from gitops.retrieval.kinds import BY_DOCUMENTS, NO_SPAN, UNJUDGED, Kind, QueryComparison, differing
from gitops.retrieval.model import Versions

MOVED: tuple[Kind, ...] = ("Regression", "Loss", "Win")
"""What is shown of the queries: the worst first."""
NAMED: dict[Kind, tuple[str, str]] = {
    "Win": ("win", "wins"),
    "Loss": ("loss", "losses"),
    "Regression": ("regression", "regressions"),
    "Draw": ("draw", "draws"),
}
STYLES: dict[Kind, str] = {"Regression": "bold red", "Loss": "red", "Win": "green", "Draw": "dim"}
_SHOWN = 10
"""So many queries of a kind are shown; `--json` has all."""
_WIDE = 100
_USUAL = frozenset(("", BY_DOCUMENTS, NO_SPAN, UNJUDGED))
"""Notes of a draw that remarks count already."""


def words(report: CompareReport) -> RenderableType:
    """The runs, the counts, a line on what is more than chance, the table, the queries that moved, the remarks."""
    parts: list[RenderableType] = [*_runs(report), Text()]
    if report.per_query:
        parts += [Text(counted(report), style="bold"), *map(Text, findings(report)), Text()]
    [shown] = deltas.deltas(report.comparison)
    if shown.rows:
        parts += [deltas.table(shown), Text()]
    parts += [*map(Text, shown.remarks), *_about(shown)]
    for kind in MOVED:
        parts += _queries(report, kind, of_kind(report, kind))
    parts += _queries(report, "Draw", told_draws(report))
    parts += [Text(inline(line), style="yellow") for line in report.remarks]
    parts += [Text(line, style="dim") for line in deltas.legend(report.comparison)]
    return Group(*parts)


def runs(report: CompareReport) -> Iterator[tuple[str, str, str, str, Versions]]:
    """Of either run its letter, its name, the commit measured ('' for none), the digest of what it was asked, and what
    made it.
    """
    sides = report.comparison.sides
    yield "A", report.run_a, sides[0].commit, report.gold_a, report.versions_a
    yield "B", report.run_b, sides[1].commit, report.gold_b, report.versions_b


def counted(report: CompareReport) -> str:
    """`12 wins · 3 losses · 1 regression · 84 draws of 100 queries`; how hits were matched where not by their ids."""
    told = [f"{count:,} {NAMED[kind][count != 1]}" for kind, count in report.counts.items()]
    number = len(report.per_query)
    how = "" if report.deltas["chunker_version_match"] == "exact" else ", hits matched by document and span"
    return f"{' · '.join(told)} of {number:,} {'query' if number == 1 else 'queries'}{how}"


def findings(report: CompareReport) -> Iterator[str]:
    """Which metrics got worse and which better by more than chance; that none did, where some were tested."""
    rows = report.comparison.compared
    for reading in ("worse", "better"):
        if found := [one.metric for one in rows if one.reading == reading]:
            yield f"{reading} by more than chance: {', '.join(found)}"
    if any(one.p is not None for one in rows) and not any(one.reading in ("worse", "better") for one in rows):
        yield "no metric differs by more than chance"


def of_kind(report: CompareReport, kind: Kind) -> list[QueryComparison]:
    """The queries of a kind, those that moved furthest first; among equals in the golden file's order."""
    return sorted((one for one in report.per_query if one.kind == kind), key=_closeness)


def told_draws(report: CompareReport) -> list[QueryComparison]:
    """The draws of which something is to be said that no remark counts: refused by one alone, failed, missing."""
    return [one for one in report.per_query if one.kind == "Draw" and own_note(report, one) not in _USUAL]


def ranks(one: QueryComparison) -> str:
    """`2 → miss`; a dash where neither found anything."""
    if one.a_hit_rank is None and one.b_hit_rank is None:
        return "–"
    return f"{one.a_hit_rank or 'miss'} → {one.b_hit_rank or 'miss'}"


def own_note(report: CompareReport, one: QueryComparison) -> str:
    """The note of a query without the causes that are the same for all, which are told once."""
    return one.note.removesuffix(causes(report)).removesuffix("; ")


def causes(report: CompareReport) -> str:
    """What is known to differ between the runs."""
    return "; ".join(differing(report.versions_a, report.versions_b))


def known_versions(versions: Versions) -> list[str]:
    """What made a run, as far as it tells: `chunker 1`."""
    named = (
        ("chunker", versions.chunker_version),
        ("embedding", versions.embedding),
        ("prompt", versions.prompt_version),
        ("model", versions.model),
    )
    return [f"{name} {inline(told)}" for name, told in named if told]


def _closeness(one: QueryComparison) -> float:
    """Ranks count by their reciprocals, as in MRR: from 1 to 2 is further than from 9 to 10."""
    first, second = (1 / rank if rank else 0.0 for rank in (one.a_hit_rank, one.b_hit_rank))
    return -abs(second - first)


def _runs(report: CompareReport) -> Iterator[RenderableType]:
    roles = {"A": "reference", "B": "compared "}
    for letter, name, commit, gold, versions in runs(report):
        at = [f"at {commit[:10]}"] if commit else []
        about = " · ".join([*known_versions(versions), *at, f"gold {gold[:12]}"])
        yield Text.assemble(f"{letter}  {roles[letter]}  ", (inline(name), "bold"), (f"  {about}", "dim"))


def _about(shown: deltas.Deltas) -> Iterator[RenderableType]:
    if shown.subjects:
        yield Text(f"what was measured differs in {shown.subjects}", style="dim")
    yield from (Text(line, style="yellow") for line in shown.not_compared)
    if shown.remarks or shown.subjects or shown.not_compared:
        yield Text()


def _queries(report: CompareReport, kind: Kind, found: list[QueryComparison]) -> Iterator[RenderableType]:
    if not found:
        return
    title = NAMED[kind][len(found) != 1] + (" to look at" if kind == "Draw" else "")
    rows = [
        [Text(f"  {inline(one.query_id)}"), Text(ranks(one), style=STYLES[kind]), *_said(report, one)]
        for one in found[:_SHOWN]
    ]
    yield Text(f"{len(found):,} {title}", style=STYLES[kind])
    yield text.table(("  query", "A → B", "", ""), rows, show_header=False)
    if left := len(found) - _SHOWN if len(found) > _SHOWN else 0:
        yield Text(f"  and {left:,} more: --json, --report and --html have them", style="dim")
    yield Text()


def _said(report: CompareReport, one: QueryComparison) -> list[Text]:
    query = inline(one.query) if one.query != one.query_id else ""
    cut = query if len(query) <= _WIDE else f"{query[:_WIDE]}…"
    return [Text(cut), Text(inline(own_note(report, one)), style="dim")]
