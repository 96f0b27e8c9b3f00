"""The cases behind a number as a page shows them: what is said beside what the source has, with the words marked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gitops.evals.reporting import Standing
from gitops.report import charts
from gitops.report.charts import Chart
from gitops.report.evalmarks import differing, lacking, shared
from gitops.report.evalparts import Part, columns, is_number, parts, said, trimmed
from gitops.report.evalshapes import AnchorCase, ClaimCase, IngestCase, PairCase, QueryCase, Shape, Stated, Week
from gitops.report.visible import inline

_KINDS: Mapping[type[Shape], tuple[str, str, str]] = {
    ClaimCase: ("claim", "claim", "claims"),
    PairCase: ("pair", "contradiction", "contradictions"),
    AnchorCase: ("anchor", "anchor", "anchors"),
    QueryCase: ("query", "query", "queries"),
    IngestCase: ("ingest", "ingest", "ingests"),
}
"""How a template calls a case, and how people call one and many."""
_AROUND, _ROWS = 180, 200


@dataclass(frozen=True, slots=True)
class Section:
    """All that is shown of one metric's cases; `told` says in a few words what that is."""

    id: str
    title: str
    parts: tuple[Mapping[str, Any], ...]
    told: str

    @property
    def curve(self) -> Chart | None:
        """The curve among its parts, where there is one."""
        return next((part["chart"] for part in self.parts if part["kind"] == "weeks"), None)


def section(one: Standing) -> Section | None:
    """The cases of the measurement that speaks for a metric; None where it recorded none."""
    found = parts(one.shown) if one.shown is not None else []
    made = tuple(_part(one.id, part) for part in found)
    return Section(one.id, one.title, made, _told(found)) if made else None


def _told(found: Sequence[Part]) -> str:
    for part in found:
        if part.cases and not isinstance(part.cases[0], Week):
            _, one, many = _KINDS[type(part.cases[0])]
            return f"{len(part.cases):,} {one if len(part.cases) == 1 else many}"
    return "the figures" if any(part.cases for part in found) else "what was recorded"


def _part(metric: str, part: Part) -> dict[str, Any]:
    made: dict[str, Any] = {"title": inline(part.title), "count": ""}
    if part.cases and isinstance(part.cases[0], Week):
        return made | {"kind": "weeks"} | _weeks(metric, part.cases)
    if part.cases:
        kind, *_ = _KINDS[type(part.cases[0])]
        return made | {"kind": kind, "count": f"{len(part.cases):,}", "cases": [_case(each) for each in part.cases]}
    if part.rows:
        return made | {"kind": "rows", "table": _table(part)}
    return made | {"kind": "lines", "lines": [inline(line) for line in part.lines]}


def _case(case: Shape) -> dict[str, Any]:
    match case:
        case ClaimCase():
            return _claim(case)
        case PairCase():
            return _pair(case)
        case AnchorCase():
            return _anchor(case)
        case QueryCase():
            return _query(case)
        case IngestCase():
            return _ingest(case)
        case _:
            raise TypeError(f"a page shows no {type(case).__name__}")


def _claim(case: ClaimCase) -> dict[str, Any]:
    span = case.source
    where = f", p. {span.page}" if span is not None and span.page is not None else ""
    is_partial = case.vote == "partially_supports"
    return {
        "tone": "partial" if is_partial else "fail",
        "status": "degraded" if is_partial else "broken",
        "place": f"{inline(case.page)}:{case.line}",
        "vote": inline(case.vote.replace("_", " ")),
        "claim": lacking(case.claim, case.unsupported),
        "source_label": f"{inline(span.source)}{where} says" if span is not None else "its source",
        "span": shared(span.span, case.claim) if span is not None and span.span.strip() else (),
        "before": inline(trimmed(span.before, _AROUND, is_before=True)) if span is not None else "",
        "after": inline(trimmed(span.after, _AROUND, is_before=False)) if span is not None else "",
        "judge": inline(case.judge),
        "confidence": f"{case.confidence:.2f}" if case.confidence is not None else "",
        "reason": inline(case.reason),
        "citation": inline(case.citation),
    }


def _pair(case: PairCase) -> dict[str, Any]:
    is_partial = case.vote == "partial_contradiction"
    return {
        "tone": "partial" if is_partial else "fail",
        "status": "degraded" if is_partial else "broken",
        "topic": inline(case.topic),
        "vote": inline(case.vote.replace("_", " ")),
        "sides": [_side(case.a, case.b), _side(case.b, case.a)],
        "judge": inline(case.judge),
        "confidence": f"{case.confidence:.2f}" if case.confidence is not None else "",
        "reason": inline(case.reason),
    }


def _side(one: Stated, other: Stated) -> dict[str, Any]:
    said = differing(one.claim, other.claim)
    return {"place": f"{inline(one.page)}:{one.line}", "said": said, "citation": inline(one.citation)}


def _anchor(case: AnchorCase) -> dict[str, Any]:
    return {
        "tone": "fail" if case.why else "none",
        "status": "broken" if case.why else "not_measured",
        "place": f"{inline(case.path)}:{case.line}",
        "why": inline(case.why) or "lives on dated",
        "claim": inline(case.claim),
        "cited": inline(case.cited),
    }


def _query(case: QueryCase) -> dict[str, Any]:
    wanted, got = case.expected, case.got
    sides = [
        {
            "label": "expected topics",
            "topics": list(_chips(wanted.topics, got.topics, other="miss")),
            "citations": list(_chips(wanted.citations, got.citations, other="miss")),
        },
        {
            "label": "topics of the answer",
            "topics": list(_chips(got.topics, wanted.topics, other="")),
            "citations": list(_chips(got.citations, wanted.citations, other="")),
        },
    ]
    return {"query": inline(case.query), "id": inline(case.id), "sides": sides}


def _chips(names: Sequence[str], beside: Sequence[str], *, other: str) -> Iterator[Mapping[str, str]]:
    for name in names:
        is_hit = name in beside
        note = "" if not other else "cited" if is_hit else "not cited"
        yield {"name": inline(name), "style": "hit" if is_hit else other, "note": note}


def _ingest(case: IngestCase) -> dict[str, Any]:
    left = case.missed - len(case.worst)
    idle = f"Touched, and mention none: {said(case.idle)}." if case.idle else ""
    return {
        "tone": "fail" if case.missed else "none",
        "run": inline(case.run),
        "day": inline(case.landed_at[:10]),
        "share": "–" if case.share is None else f"{case.share:.2f}",
        "told": f"{case.reached:,} of {case.mentioning:,} pages that mention its terms were touched.",
        "sources": [{"name": inline(name), "style": "", "note": ""} for name in case.sources],
        "terms": [{"name": inline(name), "style": "", "note": ""} for name in case.terms],
        "missed": [{"page": inline(one.page), "terms": inline(one.told)} for one in case.worst],
        "more": " ".join(filter(None, (f"And {left:,} more pages." if left > 0 else "", inline(idle)))),
    }


def _weeks(metric: str, cases: Sequence[Shape]) -> dict[str, Any]:
    weeks = [one for one in cases if isinstance(one, Week)]
    drawn = list(_steps(weeks))
    lines = [
        ("writing and verifying", "one", [float(one.ingest) for _, one in drawn]),
        ("questions to the wiki", "two", [float(one.query) for _, one in drawn]),
        ("on the fly, as specified (tokens²)", "three", [float(one.hypothetical) for _, one in drawn]),
        ("on the fly, soundly reckoned", "four", [float(one.sound) for _, one in drawn]),
    ]
    crossing = next((float(one.week) for one in weeks if one.ingest < one.hypothetical), None)
    figures = Part("weeks", rows=tuple(_figures(one) for one in weeks))
    title = "Tokens spent until each week (logarithmic)"
    chart = charts.curves(f"curve-{metric.lower()}", title, [float(week) for week, _ in drawn], lines, crossing)
    return {"title": "", "chart": chart, "table": _table(figures)}


def _steps(weeks: Sequence[Week]) -> Iterator[tuple[int, Week]]:
    """The weeks with those that were left out because nothing changed in them: sums stay level, then rise."""
    before: Week | None = None
    for one in weeks:
        if before is not None and one.week > before.week + 1:
            yield one.week - 1, before
        yield one.week, one
        before = one


def _figures(one: Week) -> dict[str, Any]:
    told = one.model_dump()
    return {"from" if name == "begins" else name: value for name, value in told.items()}


def _table(part: Part) -> dict[str, Any]:
    names = columns(part)
    return {
        "columns": [{"text": inline(name.replace("_", " ")), "number": is_number(part, name)} for name in names],
        "rows": [[inline(said(row.get(name))) for name in names] for row in part.rows[:_ROWS]],
    }
