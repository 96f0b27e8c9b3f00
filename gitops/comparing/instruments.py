"""What a score was measured with and of what, as flat tables: what differs in them can be named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gitops.canonical import digest
from gitops.runs.measurements import EXTRACTION, Measurement, Metric

_DRAWN = frozenset(("sample.digest", "sample.strata", "sample.sound_claims"))
"""What came of drawing a sample from what is measured: it changes with the wiki, and the samples are paired by id."""
_TIMES = frozenset(("moment", "is_past"))
_SNAPSHOT = "config_snapshot"
_DEFINITION = "suite"
"""In the snapshot of a benchmark's configuration: the whole suite, whose digest is enough to be compared."""
_OF_A_REPEAT = frozenset((f"{_SNAPSHOT}.seed", f"{_SNAPSHOT}.is_timed"))
"""What differs between repeats, or tells of the numbers and not of what was measured."""
_JUDGE, JUDGED = "judge", "faithfulness"
"""Of an extraction's metrics a judge has a say in these alone: another one measures all the others alike."""
_WHO = frozenset(("id", "version", "digest"))


def instrument(measurement: Measurement, name: str) -> dict[str, Any]:
    """What has to be the same for two scores of a metric to be compared: judges, gold, sampling, versions, unit."""
    metric = measurement.metrics[name]
    instrument = {**measurement.instrument, **_machine(measurement, metric)}
    if measurement.kind == EXTRACTION and not name.startswith(JUDGED):
        instrument.pop(_JUDGE, None)
    table = {named: value for named, value in _flat(instrument) if not _is_drawn(named)}
    return table | {"unit": metric.unit, "better": metric.direction}


def subject(measurement: Measurement) -> dict[str, Any]:
    """What was measured: it may differ, and mostly should."""
    briefly = _briefly(measurement.subject)
    told = {name: value for name, value in _flat(briefly) if name not in _TIMES | _OF_A_REPEAT}
    return {"commit": measurement.commit, "workspace": measurement.workspace} | told


def _machine(measurement: Measurement, metric: Metric) -> dict[str, Any]:
    """Where a benchmark was timed: milliseconds of two machines are not compared."""
    snapshot = measurement.subject.get(_SNAPSHOT)
    if metric.unit != "ms" or not isinstance(snapshot, Mapping):
        return {}
    return {"machine": snapshot.get("machine")}


def _briefly(told: Mapping[str, Any]) -> Mapping[str, Any]:
    """What was measured, with the digest of a suite in the place of its definition."""
    snapshot = told.get(_SNAPSHOT)
    if not isinstance(snapshot, Mapping) or _DEFINITION not in snapshot:
        return told
    return {**told, _SNAPSHOT: {**snapshot, _DEFINITION: digest(snapshot[_DEFINITION])}}


def _is_drawn(name: str) -> bool:
    return any(name == drawn or name.startswith(f"{drawn}.") for drawn in _DRAWN)


def _flat(table: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        if isinstance(value, Mapping) and value and value.keys() != _WHO:
            yield from _flat(value, f"{above}{name}.")
        elif isinstance(value, (list, tuple)):
            yield above + name, [_told(each) for each in value]
        else:
            yield above + name, _told(value)


def _told(value: Any) -> Any:
    """A judge in a few words: `offline/3 1f2e3d4c5b6a`."""
    if isinstance(value, Mapping) and value.keys() >= _WHO:
        return f"{value['id']}/{value['version']} {str(value['digest'])[:12]}"
    return value
