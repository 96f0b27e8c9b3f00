"""A capability floor in words: what came of each source, what M1 and M2 of the wiki were, and what that comes to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from gitops.evals.floor import DEGRADED, SUPPORTED
from gitops.report import text
from gitops.report.visible import inline
from gitops.runs.floors import METRICS
from gitops.runs.measurements import Measurement, Metric

_STYLES = {"supported": "green", "degraded": "yellow", "unsupported": "bold red", "not_measured": "dim"}
_TITLES = {"M1": "citation fidelity", "M2": "cascade coverage"}
_SHOWN = 5
"""So many claims or pages that a metric found wanting are shown."""


def words(measured: Measurement, kept: str) -> RenderableType:
    """The sources, the scores, the verdict, what was wanting, and where it is kept ('': nowhere)."""
    verdict = str(measured.details["verdict"])
    sources = text.table(("source", "came of it", "tool calls"), map(_source, measured.details["ingests"]))
    scores = text.table(
        ("", "", "score", "95 %", "supported", "degraded"), [_score(each, measured.metrics[each]) for each in METRICS]
    )
    told = Text(f"preset {inline(str(measured.subject['preset']))}: {verdict.replace('_', ' ')}", _STYLES[verdict])
    parts: list[RenderableType] = [sources, Text(), scores, Text(), told]
    parts += [Text(line, style="dim") for line in _remarks(measured, kept)]
    return Group(*parts)


def _source(one: Mapping[str, Any]) -> list[RenderableType]:
    told = one["result"] if one["result"] != "failed" else f"failed: {inline(one['error'])}"
    again = f", in {one['runs']} runs" if one["runs"] > 1 else ""
    return [Text(inline(one["source"])), Text(f"{told}{again}"), Text(str(one["tool_calls"]))]


def _score(name: str, metric: Metric) -> list[RenderableType]:
    score = "-" if metric.value is None else f"{metric.value:.2f}"
    interval = f"{metric.interval[0]:.2f}–{metric.interval[1]:.2f}" if metric.interval else "-"
    cells = (name, _TITLES[name], score, interval, f"≥ {SUPPORTED[name]:.2f}", f"≥ {DEGRADED[name]:.2f}")
    return [*map(Text, cells)]


def _remarks(measured: Measurement, kept: str) -> Iterator[str]:
    if measured.reason:
        yield inline(measured.reason)
    for name in METRICS:
        if (uncertain := measured.metrics[name].uncertain) is not None:
            yield f"{name}: uncertain, for {uncertain.cut} lies within the interval"
    calls, landed = measured.metrics["tool_call_count"], measured.metrics["landed"].counts
    yield f"{calls.value:g} tool calls per ingest; {landed['landed']} of {calls.n} sources landed"
    for metric, failing in measured.details["failing"].items():
        for one in failing[:_SHOWN]:
            yield f"{metric}: {_wanting(one)}"
        if len(failing) > _SHOWN:
            yield f"{metric}: and others; --json has more"
    spent = measured.used
    if spent["input_tokens"] or spent["output_tokens"]:
        tokens = f"{int(spent['input_tokens']):,} tokens in, {int(spent['output_tokens']):,} out"
        yield f"models used {tokens}, ${spent['usd']:.4f}"
    where = f"in the notes of {measured.commit[:10]} (refs/notes/assay/evals) and in {inline(kept)}"
    yield f"kept {where}" if kept else "not kept (--no-keep)"


def _wanting(one: Mapping[str, Any]) -> str:
    """A claim that its source does not say, or a page that an ingest should have touched."""
    place = f"{one['path']}:{one['line']}" if "line" in one else str(one.get("path") or one.get("page", ""))
    said = str(one["claim"]) if "claim" in one else f"untouched, and mentions {', '.join(one.get('terms', ()))}"
    return inline(f"{place}: {said}")
