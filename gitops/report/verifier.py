"""A test of the verifier in words: what was planted and caught, by kind, and what was refused that is sound."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from gitops.report import text
from gitops.report.visible import inline
from gitops.runs.measurements import Measurement, Metric

COLUMNS = ("kind", "planted", "caught", "share", "95 %", "by checks", "by judges", "noted", "unjudged")
_TOTAL, _CONTROL = "caught", "wrongly_refused"


def words(measured: Measurement, *, is_kept: bool) -> RenderableType:
    """The table, the controls, what could not be planted, what was spent, and where it is kept."""
    rows = [_row(kind, metric) for kind, metric in measured.metrics.items() if _is_kind(metric) and metric.n]
    rows.append(_row("all", measured.metrics[_TOTAL]))
    parts: list[RenderableType] = [Text(f"judge {inline(_judges(measured))}", style="dim"), Text()]
    parts += [text.table(COLUMNS, rows), Text(), Text(_controls(measured.metrics[_CONTROL]))]
    parts += [Text(line, style="dim") for line in _remarks(measured, is_kept)]
    return Group(*parts)


def _is_kind(metric: Metric) -> bool:
    return metric.direction == "higher" and "not_applicable" in metric.counts


def _row(kind: str, metric: Metric) -> list[RenderableType]:
    counts = metric.counts
    cells = [str(metric.n), str(counts["refused"]), _share(metric), _interval(metric)]
    cells += [str(counts[name]) for name in ("by_checks", "by_judge", "noted", "unjudged")]
    style = "bold" if kind == "all" else ""
    return [Text(kind.replace("_", " "), style=style), *(Text(cell, style=style) for cell in cells)]


def _share(metric: Metric) -> str:
    return "-" if metric.value is None else f"{metric.value:.2f}"


def _interval(metric: Metric) -> str:
    return "-" if metric.interval is None else f"{metric.interval[0]:.2f}–{metric.interval[1]:.2f}"


def _controls(metric: Metric) -> str:
    if not metric.n:
        return "no sound claim could be written anew: nothing is known of wrong refusals"
    refused, noted = metric.counts["refused"], metric.counts["noted"]
    told = f"untouched: {refused} of {metric.n} sound claims wrongly refused, {_share(metric)} ({_interval(metric)})"
    return f"{told}; {noted} more doubted in a note" if noted else told


def _remarks(measured: Measurement, is_kept: bool) -> Iterator[str]:
    kinds = {kind: metric for kind, metric in measured.metrics.items() if _is_kind(metric)}
    if none := [kind.replace("_", " ") for kind, metric in kinds.items() if not metric.n]:
        yield f"not applicable to any claim here: {', '.join(none)}"
    passed = {kind: metric.counts["not_applicable"] for kind, metric in kinds.items() if metric.n}
    if some := [f"{kind.replace('_', ' ')} {number:,}" for kind, number in passed.items() if number]:
        yield f"claims passed over, because the kind cannot be planted in them: {', '.join(some)}"
    sample = measured.instrument["sample"]
    yield f"{sample['sound_claims']:,} sound claims; up to {sample['size']} of each kind, seed {sample['seed']}"
    used = {name: measured.metrics[name].value or 0 for name in ("input_tokens", "output_tokens", "usd")}
    if any(used.values()):
        yield f"{used['input_tokens']:,.0f} tokens read, {used['output_tokens']:,.0f} written, {used['usd']:.4f} USD"
    where = f"in the notes of {measured.commit[:10]} (refs/notes/assay/evals)"
    yield f"kept {where} as {measured.id[:10]}" if is_kept else "not kept (--no-keep)"


def _judges(measured: Measurement) -> str:
    return "+".join(f"{one['id']}/{one['version']}" for one in measured.subject["judges"]) or "none"
