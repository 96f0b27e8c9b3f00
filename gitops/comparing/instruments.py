"""What a score was measured with and of what, as flat tables: what differs in them can be named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gitops.runs.measurements import Measurement

_DRAWN = frozenset(("sample.digest", "sample.strata", "sample.sound_claims"))
"""What came of drawing a sample from what is measured: it changes with the wiki, and the samples are paired by id."""
_TIMES = frozenset(("moment", "is_past"))


def instrument(measurement: Measurement, name: str) -> dict[str, Any]:
    """What has to be the same for two scores of a metric to be compared: judges, gold, sampling, versions, unit."""
    metric = measurement.metrics[name]
    table = {named: value for named, value in _flat(measurement.instrument) if not _is_drawn(named)}
    return table | {"unit": metric.unit, "better": metric.direction}


def subject(measurement: Measurement) -> dict[str, Any]:
    """What was measured: it may differ, and mostly should."""
    told = {name: value for name, value in _flat(measurement.subject) if name not in _TIMES}
    return {"commit": measurement.commit, "workspace": measurement.workspace} | told


def _is_drawn(name: str) -> bool:
    return any(name == drawn or name.startswith(f"{drawn}.") for drawn in _DRAWN)


def _flat(table: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        if isinstance(value, Mapping) and value:
            yield from _flat(value, f"{above}{name}.")
        elif isinstance(value, (list, tuple)):
            yield above + name, [_told(each) for each in value]
        else:
            yield above + name, value


def _told(value: Any) -> Any:
    """A judge in a few words: `offline/3 1f2e3d4c5b6a`."""
    if isinstance(value, Mapping) and {"id", "version", "digest"} <= value.keys():
        return f"{value['id']}/{value['version']} {str(value['digest'])[:12]}"
    return value
