r"""Numbers for a monitoring system as OpenMetrics text 1.0.

The same text is read by what knows only Prometheus' older text format: gauges and counters alone, one space between
the parts, no timestamps. `# EOF` is a comment there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import isinf, isnan

from gitops.runs.exposed import Family

_ESCAPES = str.maketrans({"\\": "\\\\", "\n": "\\n", '"': '\\"'})


def text(families: Iterable[Family]) -> str:
    """All families that have points, and the line that says that the text is whole."""
    lines = [line for each in families if each.points for line in _lines(each)]
    return "\n".join([*lines, "# EOF", ""])


def _lines(family: Family) -> Iterator[str]:
    yield f"# TYPE {family.name} {family.kind}"
    if family.unit:
        yield f"# UNIT {family.name} {family.unit}"
    yield f"# HELP {family.name} {_escaped(family.help)}"
    name = f"{family.name}_total" if family.kind == "counter" else family.name
    for point in family.points:
        labels = ",".join(f'{key}="{_escaped(value)}"' for key, value in sorted(point.labels.items()))
        yield f"{name}{{{labels}}} {number(point.value)}" if labels else f"{name} {number(point.value)}"


def number(value: float) -> str:
    """A number as both formats have it."""
    if isnan(value):
        return "NaN"
    if isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    return str(int(value)) if value == int(value) and abs(value) < 2**53 else repr(float(value))


def _escaped(value: str) -> str:
    """Text of a label or of help; what is no UTF-8 (a byte of a name) is spelt out, since no reader would take it."""
    return value.encode("utf-8", "backslashreplace").decode().translate(_ESCAPES)
