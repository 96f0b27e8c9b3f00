"""Two runs of retrieval compared, as one page of HTML that holds everything it needs and runs nothing."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from gitops.report import deltas
from gitops.report.pages import environment
from gitops.report.retrieval_compare import (
    MOVED,
    NAMED,
    counted,
    findings,
    known_versions,
    of_kind,
    own_note,
    ranks,
    runs,
    told_draws,
)
from gitops.report.visible import inline
from gitops.retrieval.comparing import CompareReport
from gitops.retrieval.kinds import Kind, QueryComparison

if TYPE_CHECKING:
    from jinja2 import Template

MOST = 500
"""So many queries of a kind the page shows; `--json` has all."""
_TONES: dict[Kind, str] = {"Regression": "broken", "Loss": "degraded", "Win": "healthy", "Draw": "not_measured"}
_SIGNS = {"broken": "✕", "healthy": "✓", "not_measured": "○"}
"""Beside the colour, for who sees none."""


def page(report: CompareReport) -> str:
    """The page. Nothing in it is loaded from anywhere."""
    [shown] = deltas.deltas(report.comparison)
    tone = _tone(report)
    sections = [_section(report, kind, NAMED[kind][1].capitalize(), of_kind(report, kind)) for kind in MOVED]
    sections.append(_section(report, "Draw", "Draws to look at", told_draws(report)))
    return _template().render(
        page={
            "a": inline(report.run_a),
            "b": inline(report.run_b),
            "sides": _sides(report),
            "tone": tone,
            "sign": _SIGNS[tone],
            "sentences": _sentences(report),
            "remarks": [inline(line) for line in report.remarks],
            "sections": [each for each in sections if each["count"]],
            "is_compared": bool(report.per_query),
        },
        shown=shown,
        legend=deltas.legend(report.comparison),
    )


@cache
def _template() -> Template:
    return environment().get_template("retrieval_compare.html.j2")


def _tone(report: CompareReport) -> str:
    """Bad where any metric got worse by more than chance, good where some got better and none worse."""
    found = {one.reading for one in report.comparison.compared}
    return "broken" if "worse" in found else "healthy" if "better" in found else "not_measured"


def _sentences(report: CompareReport) -> list[str]:
    if not report.per_query:
        return ["Nothing could be compared."]
    return [f"{counted(report)}.", *(f"{told[0].upper()}{told[1:]}." for told in findings(report))]


def _sides(report: CompareReport) -> list[Mapping[str, Any]]:
    return [
        {
            "letter": letter,
            "name": inline(name),
            "commit": commit[:10],
            "gold": gold[:12],
            "versions": known_versions(versions),
        }
        for letter, name, commit, gold, versions in runs(report)
    ]


def _section(report: CompareReport, kind: Kind, title: str, found: list[QueryComparison]) -> Mapping[str, Any]:
    rows = [
        {
            "id": inline(one.query_id),
            "query": inline(one.query) if one.query != one.query_id else "",
            "ranks": ranks(one),
            "note": inline(own_note(report, one)),
        }
        for one in found[:MOST]
    ]
    left = len(found) - len(rows)
    more = f"{left:,} more: --json and --report have them" if left else ""
    return {"id": kind.lower(), "title": title, "count": len(found), "tone": _TONES[kind], "rows": rows, "more": more}
