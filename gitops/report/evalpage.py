"""The report on the metrics as one page of HTML that holds everything it needs: to be looked at, sent, or printed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from gitops.evals.reporting import Report, Standing, moment
from gitops.report import charts
from gitops.report.charts import Chart, Measured
from gitops.report.evalcases import Section, section
from gitops.report.evaluation import day, listed, period, remarks, score, summary, synthesis, when
from gitops.report.pages import environment
from gitops.report.visible import inline
from gitops.runs.measurements import Metric

if TYPE_CHECKING:
    from jinja2 import Template
    from markupsafe import Markup

_SIGNS = {"healthy": "✓", "degraded": "▲", "broken": "✕", "not_measured": "○"}
"""Beside the colour, for who sees none."""


@dataclass(frozen=True, slots=True)
class Card:
    """One metric: what it is, how it stands, how it came to, and where its cases are."""

    id: str
    title: str
    score: str
    status: str
    pill: str
    uncertain: bool
    when: str
    chart: Chart | None
    curve: Chart | None
    remarks: tuple[str, ...]
    cases: str


def page(told: Report) -> str:
    """The page. Nothing in it is loaded from anywhere, and nothing runs."""
    sections = {one.id: made for one in told.standings if (made := section(one)) is not None}
    tone = _tone(told)
    return _template().render(
        page={
            "workspace": inline(told.workspace),
            "commit": told.commit,
            "at": f"{told.at:%Y-%m-%dT%H:%M:%SZ}",
            "at_words": f"{told.at:%Y-%m-%d %H:%M} UTC",
            "day": day(told.at),
            "period": period(told),
            "tone": tone,
            "sign": _SIGNS[tone],
            "sentences": tuple(_sentences(told)),
            "floor": inline(told.floor),
            "cards": [_card(told, one, sections.get(one.id)) for one in told.standings],
            "gates": [_gate(one) for one in told.standings],
            "acks": [_ack(ack) for ack in reversed(told.acks)],
            "sections": list(sections.values()),
        }
    )


@cache
def _template() -> Template:
    made = environment()
    made.filters["commands"] = _commands
    made.globals |= {
        "width": charts.WIDTH,
        "height": charts.HEIGHT,
        "left": charts.LEFT,
        "right": charts.RIGHT,
        "top": charts.TOP,
        "bottom": charts.BOTTOM,
    }
    return made.get_template("evaluation.html.j2")


def _commands(line: str) -> Markup:
    """A line in which what stands between backticks is a command."""
    from markupsafe import Markup

    parts = line.split("`")
    if len(parts) % 2 == 0:
        return Markup("{}").format(line)
    made = (Markup("<code>{}</code>" if number % 2 else "{}").format(part) for number, part in enumerate(parts))
    return Markup("").join(made)


def _tone(told: Report) -> str:
    """The worst status that a metric with cuts has; nothing measured at all is worse than nothing broken."""
    found = {one.status for one in told.standings if one.metric is None or one.metric.cuts is not None}
    if told.is_empty:
        return "not_measured"
    return next((status for status in ("broken", "degraded", "not_measured") if status in found), "healthy")


def _sentences(told: Report) -> Iterator[str]:
    if told.is_empty:
        yield "No metric has been measured here yet: git assay eval run"
        return
    yield summary(told.standings)
    if held := [operation for operation in told.held if operation != "synthesis"]:
        by = sorted({metric for operation in held for metric in told.held[operation]})
        yield f"{listed(held)[0].upper()}{listed(held)[1:]} BLOCKED by {', '.join(by)}."
    yield synthesis(told)


def _card(told: Report, one: Standing, cases: Section | None) -> Card:
    number = one.number
    curve = cases.curve if cases is not None else None
    is_held = one.metric is None or one.metric.cuts is not None or one.status == "not_measured"
    return Card(
        one.id,
        one.title,
        score(one),
        one.status,
        f"{_SIGNS.get(one.status, '')} {one.status.replace('_', ' ')}" if is_held else "",
        number is not None and number.uncertain is not None,
        when(one),
        _chart(told, one) if curve is None else None,
        curve,
        tuple(line.plain for line in remarks(one)),
        cases.told if cases is not None else "",
    )


def _chart(told: Report, one: Standing) -> Chart | None:
    if not one.numbers:
        return None
    points = [_point(one, each.completed_at, each.metrics[one.id], each.reason) for each in one.series]
    cuts = one.metric.cuts if one.metric is not None else None
    held = [("healthy", cuts.healthy), ("degraded", cuts.degraded)] if cuts is not None else []
    share = one.metric is None or one.metric.unit in ("share", "product")
    lines = [(name, cut) for name, cut in held if cut > 0]
    return charts.trend(f"trend-{one.id.lower()}", f"{one.title}, {period(told)}", points, lines, share=share)


def _point(one: Standing, at: str, number: Metric, reason: str) -> Measured:
    if number.value is None:
        return Measured(moment(at), None, None, number.status, f"{day(at)}: {inline(reason) or 'not measured'}")
    bounds = f" ({number.interval[0]:.2f}–{number.interval[1]:.2f})" if number.interval is not None else ""
    said = f"{day(at)}: {number.value:.2f}{bounds}, {number.status.replace('_', ' ')}"
    return Measured(moment(at), number.value, number.interval, number.status, said)


def _gate(one: Standing) -> Mapping[str, Any]:
    gate = one.gate
    ack = gate.ack if gate is not None else None
    holds = listed(gate.blocks) if gate is not None and gate.blocks else "nothing"
    who = f"{inline(ack.by.name)} on {day(ack.at)}: {inline(ack.reason)}" if ack is not None else "–"
    return {
        "metric": one.id,
        "title": one.title,
        "status": one.status,
        "status_words": one.status.replace("_", " "),
        "holds": holds,
        "acknowledged": who,
        "mend": _mend(one),
    }


def _mend(one: Standing) -> str:
    if one.gate is None or one.gate.mend:
        return one.gate.mend if one.gate is not None else f"git assay eval run --metric {one.id}"
    return f"git assay eval report --details {one.id}" if one.gate.status == "broken" else ""


def _ack(ack: Any) -> Mapping[str, str]:
    return {
        "day": day(ack.at),
        "metric": inline(ack.metric),
        "who": f"{inline(ack.by.name)} <{inline(ack.by.email)}>",
        "why": inline(ack.reason) or "no reason given",
        "commit": ack.commit[:10],
    }
