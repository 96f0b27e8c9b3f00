"""The metrics of a result as rows of Markdown tables: numbers with as many digits as show what changed."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, log10

from gitops.ci.fitting import Block
from gitops.ci.result import MetricRow, MetricVerdict
from gitops.ci.taming import code, said
from gitops.report import markdown as md
from gitops.report.figures import NONE, Figures, is_hidden, p_value

_HELD = "\N{NO-BREAK SPACE}"
"""Between what belongs on one line of a narrow cell."""
_INTERVAL, _P = f"95{_HELD}%{_HELD}of{_HELD}Δ", f"p{_HELD}(Holm)"
GATING = ("metric", "base", "head", "Δ", _INTERVAL, _P, "limit", "verdict")
"""The columns of what changed or gates."""
ALL = ("metric", "base", "head", "Δ", "verdict", "trend")
_NUMBERS = ("base", "head", "Δ", _INTERVAL, _P)
_CHANGED: tuple[MetricVerdict, ...] = ("regressed", "improved")
_SHARES = ("", "share", "product")
_BARS = "▁▂▃▄▅▆▇█"
_GAP = "·"
_POINTS = 8
_MOST_DIGITS = 4
_LARGE = 1e12
"""From here on a number is told by its power of ten: nothing we measure comes near, and a result may hold anything."""
_NAME = 48
"""So many characters of a name stand in a cell."""


def is_shown(row: MetricRow) -> bool:
    """Whether a metric stands above the fold: because it changed, or because it is held to something."""
    return row.gated or row.verdict in _CHANGED or bool(row.limit.strip())


def gating(rows: Sequence[MetricRow], spared: int) -> list[Block]:
    """The metrics that changed or gate, and below them why, of those that have a reason."""
    shown = [row for row in rows if is_shown(row)]
    made = [_table(GATING, [_gating(row, figures(row, rows)) for row in shown], spared)] if shown else []
    return [*made, _reasons(shown, spared + 1)]


def every(rows: Sequence[MetricRow], most: int, spared: int) -> list[Block]:
    """All metrics with their trends, at most so many; and below them why, of those that have not been shown."""
    listed = rows[:most]
    cells = [_briefly(row, figures(row, rows)) for row in listed]
    table = _table(ALL, cells, spared, more=len(rows) - len(listed))
    return [table, _reasons([row for row in listed if not is_shown(row)], spared + 1)]


def figures(row: MetricRow, rows: Sequence[MetricRow]) -> Figures:
    """How the numbers of a row are written: shares all alike, with three digits or the four that show a difference."""
    if row.unit in _SHARES:
        return Figures(4 if any(is_hidden(each.delta, each.interval) for each in rows if each.unit in _SHARES) else 3)
    if all(value is None or value.is_integer() for value in (row.base, row.head, row.delta, *(row.interval or ()))):
        return Figures(0)
    size = next((abs(value) for value in (row.delta, row.base, row.head) if value), 1.0)
    return Figures(min(_MOST_DIGITS, max(0, 1 - floor(log10(size)))))


def sparkline(points: Sequence[float | None]) -> str:
    """The last eight points as bars between the least and the most of them; a dot where nothing was measured.

    '' of fewer than two numbers, which are no trend.
    """
    last = points[-_POINTS:]
    known = [point for point in last if point is not None]
    if len(known) < 2:
        return ""
    low, span = min(known) / 2, max(known) / 2 - min(known) / 2  # halves: a float may not hold the whole
    return "".join(_GAP if point is None else _bar((point / 2 - low) / span if span else 0.5) for point in last)


def _bar(share: float) -> str:
    return _BARS[round(share * (len(_BARS) - 1))]


def _reasons(rows: Sequence[MetricRow], spared: int) -> Block:
    lines = tuple(f"- {code(row.metric, _NAME) or NONE}: {said(row.why)}" for row in rows if row.why.strip())
    return Block(lines=lines, spared=spared)


def _gating(row: MetricRow, number: Figures) -> tuple[str, ...]:
    interval = f"{_HELD}…{_HELD}".join(_signed(end, number) for end in row.interval) if row.interval else NONE
    return (
        _named(row),
        _plain(row.base, number),
        _plain(row.head, number),
        _delta(row, number),
        interval,
        said(p_value(row.p)),
        said(row.limit, _NAME) or NONE,
        _verdict(row),
    )


def _briefly(row: MetricRow, number: Figures) -> tuple[str, ...]:
    return (
        _named(row),
        _plain(row.base, number),
        _plain(row.head, number),
        _delta(row, number),
        _verdict(row),
        sparkline(row.trend) or NONE,
    )


def _named(row: MetricRow) -> str:
    unit = f", {said(row.unit, _NAME)}" if row.unit.strip() and row.unit not in _SHARES else ""
    return f"{code(row.metric, _NAME) or NONE}{unit}"


def _delta(row: MetricRow, number: Figures) -> str:
    """An arrow for the sign, and a word for whether that is good: neither tells it by colour."""
    if not row.delta:
        return NONE if row.delta is None else "unchanged"
    is_up = row.delta > 0
    word = "better" if is_up == (row.direction == "higher") else "worse"
    return _HELD.join(("▲" if is_up else "▼", _signed(row.delta, number), word))


def _plain(value: float | None, number: Figures) -> str:
    return f"{value:.3g}" if value is not None and abs(value) >= _LARGE else number.plain(value)


def _signed(value: float | None, number: Figures) -> str:
    return f"{value:+.3g}" if value is not None and abs(value) >= _LARGE else number.signed(value)


def _verdict(row: MetricRow) -> str:
    told = row.verdict.replace(" ", _HELD)
    return f"**{told}**" if row.verdict in _CHANGED else told


def _table(columns: tuple[str, ...], cells: Sequence[tuple[str, ...]], spared: int, more: int = 0) -> Block:
    head, aligned, *rows = md.table(columns, cells, numbers=_NUMBERS).splitlines()
    return Block(lines=tuple(rows), opening=f"{head}\n{aligned}", more=more, spared=spared)
