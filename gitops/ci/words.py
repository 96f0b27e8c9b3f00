"""A result in words for a terminal: what came of the check, the metrics, what was not looked at."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from gitops.ci.comment_context import has_others
from gitops.ci.extraction_words import extraction_words
from gitops.ci.outcome import Checked
from gitops.ci.result import MetricRow, Result
from gitops.ci.suite_words import suite_words
from gitops.report import text
from gitops.report.figures import NONE, p_value
from gitops.report.visible import inline

_STYLES = {"passed": "bold green", "failed": "bold red", "neutral": "bold yellow"}
_MARKS = {"regressed": "bold red", "improved": "green", "no data": "dim", "not comparable": "yellow"}
_COLUMNS = ("metric", "base", "head", "difference", "95 %", "p (Holm)", "limit", "verdict")
_FEW = 10


def words(checked: Checked) -> RenderableType:
    """The findings, then the outcome and its cause, then the numbers and the remarks."""
    result = checked.result
    parts: list[RenderableType] = [text.findings(checked.findings), Text()] if checked.findings else []
    head = Text.assemble((result.outcome, _STYLES[result.outcome]), "  ", (inline(result.workspace), "bold"))
    parts += [Text.assemble(head, "  ", inline(result.cause)), Text(_context(result), style="dim")]
    if result.metrics:
        rows = [_row(row) for row in result.metrics]
        parts += [Text(), text.table(_COLUMNS, rows), *_whys(result)]
    parts += [*suite_words(result), *extraction_words(result)]
    parts += list(_remarks(result))
    return Group(*parts)


def _context(result: Result) -> str:
    base, samples = result.baseline, result.samples
    days = int(base.age_days or 0)
    age = f", {days:,} day{'' if days == 1 else 's'} old" if base.source == "notes" and days else ""
    of_metrics = f"baseline: {base.source}{age}" if result.metrics or not has_others(result) else "no metric measured"
    told = [f"{result.base[:10]} → {result.head[:10]}", _judge(result), of_metrics]
    if samples.paired or samples.added or samples.removed:
        told.append(f"samples: {samples.paired:,} paired, {samples.added:,} added, {samples.removed:,} removed")
    told += [f"{result.tokens:,} tokens, ${result.usd:.4f}"] if result.tokens or result.usd else []
    told += [f"{result.cache_hits:,} cache hit{'' if result.cache_hits == 1 else 's'}"] if result.cache_hits else []
    return "  ".join(told)


def _judge(result: Result) -> str:
    if result.judge == "none":
        return "no judge"
    return f"judge {inline(result.judge)}, " + (
        f"{result.judged:,} of {result.asked:,} new claims" if result.asked else "no new claims"
    )


def _row(row: MetricRow) -> list[RenderableType]:
    interval = f"{_signed(row.interval[0])} … {_signed(row.interval[1])}" if row.interval else NONE
    cells = (
        row.metric,
        _number(row.base),
        _number(row.head),
        _signed(row.delta),
        interval,
        p_value(row.p),
        row.limit or NONE,
    )
    told = f"{row.verdict} (gates)" if row.gated else row.verdict
    return [*(Text(inline(cell)) for cell in cells), Text(told, style=_MARKS.get(row.verdict, ""))]


def _number(value: float | None) -> str:
    return NONE if value is None else f"{value:.4g}"


def _signed(value: float | None) -> str:
    return NONE if value is None else f"{value:+.3f}"


def _whys(result: Result) -> Iterator[RenderableType]:
    told: dict[str, list[str]] = {}
    for row in result.metrics:
        if row.why:
            told.setdefault(row.why, []).append(inline(row.metric))
    for why, names in told.items():
        yield Text(f"{', '.join(names)}: {inline(why)}", style="dim")


def _remarks(result: Result) -> Iterator[RenderableType]:
    if result.policy_changed:
        told = _some([inline(path) for path in result.policy_changed])
        yield Text(f"policy changed, and the base's rules were applied: {told}", style="yellow")
    if result.intakes:
        yield Text(f"sources that come in by intakes: {_some([inline(path) for path in result.intakes])}")
    for told in result.overrides:
        yield Text(f"overridden: {inline(told)}", style="magenta")
    if result.accepted is not None:
        why = f": {inline(result.accepted.reason)}" if result.accepted.reason else ""
        yield Text(f"regressions accepted by {inline(result.accepted.by)}{why}", style="magenta")
    yield from (Text(f"note: {inline(told)}", style="dim") for told in result.remarks)
    yield Text(inline(result.trust), style="dim")


def _some(names: list[str]) -> str:
    return ", ".join(names[:_FEW]) + (f" and {len(names) - _FEW} more" if len(names) > _FEW else "")
