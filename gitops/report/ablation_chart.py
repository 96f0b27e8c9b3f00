"""The picture of an ablation: for each metric the means of all variants below one another, with their intervals.

One drawing of our own (see `charts`), which stands alone as a file and within the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import floor
from typing import TYPE_CHECKING, Literal

from gitops.report import ablation_values as values
from gitops.report.charts import Scale, Tick, bounds, short, steps, within
from gitops.report.pages import environment
from gitops.report.visible import inline
from gitops.suites.concluding import Conclusion, Scored

if TYPE_CHECKING:
    from jinja2 import Template

WIDTH = 640.0
LEFT, RIGHT = 150.0, 130.0
_TITLE, _ROW, _AXIS = 26.0, 20.0, 30.0
_NAME = 22
_MOST = 12
"""So many panels are drawn; the tables have all."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One variant: where its mean lies, the ends of its interval, its name, its numbers."""

    y: float
    x: float
    low: float | None
    high: float | None
    name: str
    told: str
    style: Literal["control", "treatment"]


@dataclass(frozen=True, slots=True)
class Panel:
    """One metric: its title, its bars, the axis below them."""

    title: str
    y: float
    top: float
    bottom: float
    bars: tuple[Bar, ...]
    xs: tuple[Tick, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """The whole drawing, and what it says in words."""

    title: str
    told: str
    height: float
    panels: tuple[Panel, ...]
    left_out: str


def picture(conclusion: Conclusion) -> Picture:
    """Where everything lies."""
    every: dict[tuple[str, str], list[Scored]] = {}
    shown = {(one.suite, one.metric) for one in conclusion.scores if one.mean is not None}
    for one in conclusion.scores:
        if (one.suite, one.metric) in shown:
            every.setdefault((one.suite, one.metric), []).append(one)
    panels, top = [], 8.0
    for (suite, metric), found in list(every.items())[:_MOST]:
        panels.append(_panel(values.label(conclusion, suite, metric), found, top))
        top = panels[-1].bottom + _AXIS
    left = len(every) - len(panels)
    told = "; ".join(f"{panel.title}: {', '.join(f'{bar.name} {bar.told}' for bar in panel.bars)}" for panel in panels)
    return Picture(
        values.title(conclusion), told, top + 8, tuple(panels), f"{left} more in the tables" if left > 0 else ""
    )


def svg(conclusion: Conclusion) -> str:
    """The drawing as a file of its own, light or dark as the reader's screen is."""
    return _template().module.alone(picture(conclusion), WIDTH, LEFT, RIGHT).strip() + "\n"  # type: ignore[attr-defined, no-any-return]


@cache
def _template() -> Template:
    return environment().get_template("ablation.svg.j2")


def _panel(title: str, found: Sequence[Scored], top: float) -> Panel:
    counted = [one for one in found if one.mean is not None]
    across = Scale(*_ends(counted), LEFT, WIDTH - RIGHT)
    start = top + _TITLE
    bars = tuple(_bar(one, found, across, start + _ROW * (at + 0.5)) for at, one in enumerate(counted))
    is_share = _is_share(found)
    xs = tuple(Tick(across(at), f"{at:.2f}" if is_share else short(at)) for at in steps(across.low, across.high))
    return Panel(title, top + 15, start, start + _ROW * len(counted), bars, xs)


def _bar(one: Scored, beside: Sequence[Scored], across: Scale, y: float) -> Bar:
    assert one.mean is not None
    low, high = one.mean.interval or (None, None)

    def place(value: float) -> float:
        return across(within(value, across.low, across.high))

    called = inline(one.variant)
    name = called if len(called) <= _NAME else f"{called[: _NAME - 1]}…"
    is_control = one.variant == beside[0].variant
    return Bar(
        y,
        place(one.mean.value),
        None if low is None else place(low),
        None if high is None else place(high),
        name,
        values.score(one, beside),
        "control" if is_control else "treatment",
    )


def _ends(found: Sequence[Scored]) -> tuple[float, float]:
    reached = [value for one in found for value in _reached(one)]
    if _is_share(found):
        return min(0.8, max(0.0, floor(min(reached) * 5) / 5)), 1.0  # so that there is a mark at 1
    return bounds(reached)


def _reached(one: Scored) -> Iterator[float]:
    if one.mean is not None:
        yield within(one.mean.value)
        yield from (max(0.0, within(end)) for end in one.mean.interval or ())


def _is_share(found: Sequence[Scored]) -> bool:
    return found[0].unit in ("share", "score")
