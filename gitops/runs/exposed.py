"""What a monitoring system is told: families of numbers with labels, in the terms of OpenMetrics 1.0.

There are gauges and counters only: the textfile collector of node_exporter reads no other. What was not measured has no
point: it is never zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["gauge", "counter"]


@dataclass(frozen=True, slots=True)
class Point:
    """One number and what it is of."""

    labels: Mapping[str, str]
    value: float


@dataclass(frozen=True, slots=True)
class Family:
    """Numbers of one name. `help` is one line, `unit` the last word of the name where it has one (`seconds`)."""

    name: str
    kind: Kind
    help: str
    points: tuple[Point, ...] = field(default=())
    unit: str = ""


def family(
    name: str, kind: Kind, help: str, points: Iterable[tuple[Mapping[str, str], float | None]], unit: str = ""
) -> Family:
    """A family of those points that have a number, in the order of their labels."""
    found = [Point(labels, value) for labels, value in points if value is not None]
    return Family(name, kind, help, tuple(sorted(found, key=lambda point: sorted(point.labels.items()))), unit)
