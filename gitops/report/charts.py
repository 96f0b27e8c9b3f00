"""Charts as values: where each line, band and label of a small drawing lies. Templates only write them down.

The drawings are our own SVG: pygal, which was tried, has intervals on charts of named values alone and fails on a time
axis that has them, knows no lines for cuts, writes a script and a random id into each drawing, and takes no CSS
variables for its colours, so that light and dark would take every chart twice.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

WIDTH, HEIGHT = 360.0, 190.0
"""In units of the drawing, which on a phone are pixels."""
LEFT, RIGHT, TOP, BOTTOM = 40.0, 42.0, 12.0, 24.0
_TICKS = 4
_MOST = 1e15
"""Numbers come from notes, and notes from anywhere: what lies beyond is drawn at the edge, and told as it is."""


@dataclass(frozen=True, slots=True)
class Dot:
    """A number, its interval's ends where it has one, its status, and what is said of it."""

    x: float
    y: float
    low: float | None
    high: float | None
    status: str
    told: str


@dataclass(frozen=True, slots=True)
class Tick:
    """A label and where it stands; `name` says what a cut is called."""

    at: float
    label: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Series:
    """A line with its name and the class that styles it."""

    name: str
    style: str
    path: str
    end: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Chart:
    """One drawing: `missed` are the places of attempts that gave no number."""

    id: str
    title: str
    told: str
    ys: tuple[Tick, ...]
    xs: tuple[Tick, ...]
    dots: tuple[Dot, ...] = ()
    line: str = ""
    band: str = ""
    cuts: tuple[Tick, ...] = ()
    missed: tuple[Tick, ...] = ()
    series: tuple[Series, ...] = ()
    crossing: Tick | None = None


@dataclass(frozen=True, slots=True)
class Measured:
    """What a trend is drawn from: a moment, a number or none, its interval, its status, and what is said of it."""

    at: datetime
    value: float | None
    interval: tuple[float, float] | None
    status: str
    told: str


def trend(id: str, title: str, points: Sequence[Measured], cuts: Sequence[tuple[str, float]], *, share: bool) -> Chart:
    """A number over time with its intervals, and the cuts it is held to. There is at least one point with a number."""
    points = [_held(point, 0.0 if share else -_MOST, 1.0 if share else _MOST) for point in points]
    counted = [point for point in points if point.value is not None]
    across = Scale.of([point.at.timestamp() for point in points], LEFT + 8, WIDTH - RIGHT - 8)
    values = [end for point in counted for end in (point.value, *(point.interval or ())) if end is not None]
    ends = _share_bounds([*values, *(cut for _, cut in cuts)]) if share else bounds(values)
    up = Scale(*ends, HEIGHT - BOTTOM, TOP)
    dots = tuple(_dot(point, across, up) for point in counted)
    return Chart(
        id,
        title,
        "; ".join(dot.told for dot in dots),
        ys=tuple(Tick(up(at), f"{at:.2f}" if share else short(at)) for at in steps(*ends)),
        xs=tuple(_days([point.at for point in points], across)),
        dots=dots,
        line=path([(dot.x, dot.y) for dot in dots]),
        band=_band(dots),
        cuts=tuple(Tick(up(cut), f"{cut:.2f}", name) for name, cut in cuts),
        missed=tuple(Tick(across(point.at.timestamp()), point.told) for point in points if point.value is None),
    )


Line = tuple[str, str, Sequence[float]]
"""Its name, the class that styles it, a value for each week."""


def curves(id: str, title: str, weeks: Sequence[float], lines: Sequence[Line], crossing: float | None) -> Chart:
    """Several lines over the same weeks; `crossing` is the week of note.

    The scale is logarithmic, for the sums differ by powers of ten; what is below one stands at one.
    """
    across = Scale.of(list(weeks), LEFT + 8, WIDTH - RIGHT - 8)
    top = max(1, math.ceil(_log(max(value for _, _, values in lines for value in values))))
    up = Scale(0, top, HEIGHT - BOTTOM, TOP)
    drawn = []
    for name, style, values in lines:
        places = [(across(week), up(_log(value))) for week, value in zip(weeks, values, strict=True)]
        drawn.append(Series(name, style, path(places), places[-1]))
    told = "; ".join(f"{name}: {short(values[-1])} by week {weeks[-1]:g}" for name, _, values in lines)
    is_within = crossing is not None and weeks[0] <= crossing <= weeks[-1]
    return Chart(
        id,
        title,
        told,
        ys=tuple(Tick(up(power), short(10.0**power)) for power in range(0, top + 1, math.ceil(top / _TICKS))),
        xs=tuple(Tick(across(week), f"week {week:g}") for week in dict.fromkeys((weeks[0], weeks[-1]))),
        series=tuple(drawn),
        crossing=Tick(across(crossing), f"week {crossing:g}") if crossing is not None and is_within else None,
    )


def within(value: float, low: float = -_MOST, high: float = _MOST) -> float:
    """The value, or the nearest that can be drawn."""
    return min(max(value, low), high)


def _held(point: Measured, low: float, high: float) -> Measured:
    value = None if point.value is None else within(point.value, low, high)
    ends = point.interval
    return replace(point, value=value, interval=ends and (within(ends[0], low, high), within(ends[1], low, high)))


def _log(value: float) -> float:
    return math.log10(max(value, 1.0))


def path(places: Sequence[tuple[float, float]]) -> str:
    """A line through some places, as SVG writes it; '' for fewer than two."""
    if len(places) < 2:
        return ""
    return "M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in places)


def short(value: float) -> str:
    """A large number in few letters: `1.2 M`, `35 k`."""
    for unit, size in (("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if abs(value) >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value:.3g}"


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps values from `low` to `high` on places from `start` to `end`; one value alone goes to the middle."""

    low: float
    high: float
    start: float
    end: float

    @classmethod
    def of(cls, values: Sequence[float], start: float, end: float) -> Scale:
        """That on which the least value lies at the start, and the largest at the end."""
        return cls(min(values), max(values), start, end)

    def __call__(self, value: float) -> float:
        """The place of a value."""
        share = 0.5 if self.high == self.low else (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)


def _share_bounds(values: Sequence[float]) -> tuple[float, float]:
    """From the tenth below the least to one: a share's axis says how far there is to go."""
    return max(0.0, math.floor(min(values) * 10 - 1e-9) / 10), 1.0


def bounds(values: Sequence[float]) -> tuple[float, float]:
    """From zero, or the least where that is lower, to the most, both round."""
    low, high = min(0.0, *values), max(values)
    step = _step((high - low) or 1.0)
    return math.floor(low / step) * step, max(math.ceil(high / step) * step, step)


def _step(span: float) -> float:
    """A round tenth or so of a span: 1, 2 or 5 of some power of ten."""
    rough = span / _TICKS
    power = 10.0 ** math.floor(math.log10(rough))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)


def steps(low: float, high: float) -> Iterator[float]:
    """Round places from one round end of an axis to the other."""
    step = _step(high - low)
    for number in range(round((high - low) / step) + 1):
        if (at := low + number * step) <= high + step / 1e6:
            yield at


def _dot(point: Measured, across: Scale, up: Scale) -> Dot:
    low, high = point.interval or (None, None)
    return Dot(
        across(point.at.timestamp()),
        up(point.value or 0.0),
        None if low is None else up(low),
        None if high is None else up(high),
        point.status,
        point.told,
    )


def _band(dots: Sequence[Dot]) -> str:
    """What the intervals span from each number to the next; numbers without one leave the band out."""
    held = [(dot.x, dot.low, dot.high) for dot in dots if dot.low is not None and dot.high is not None]
    if len(held) < 2 or len(held) < len(dots):
        return ""
    lower, upper = [(x, low) for x, low, _ in held], [(x, high) for x, _, high in held]
    return f"{path([*upper, *reversed(lower)])} Z"


def _days(moments: Sequence[datetime], across: Scale) -> Iterator[Tick]:
    first, last = min(moments), max(moments)
    yield Tick(across(first.timestamp()), f"{first:%Y-%m-%d}")
    if f"{first:%Y-%m-%d}" != f"{last:%Y-%m-%d}":
        yield Tick(across(last.timestamp()), f"{last:%Y-%m-%d}")
