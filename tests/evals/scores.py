"""Measurements by hand, as metrics leave them: a share of samples that passed, a product of scores, a plain number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gitops.runs.measurements import Measurement, Metric, Sample

JUDGES = [{"id": "offline", "version": "3", "digest": "1f2e3d4c5b6a7988"}]


def scored(name: str, value: float | None, samples: tuple[Sample, ...] = (), **changed: Any) -> Measurement:
    """A measurement of one metric; what is not named is the same in all."""
    unit, direction = changed.pop("unit", "share"), changed.pop("direction", "higher")
    status: Any = "not_measured" if value is None else changed.pop("status", "healthy")
    bar = changed.pop("bar", None)
    number = Metric(value=value, n=len(samples), direction=direction, unit=unit, status=status, bar=bar)
    known: dict[str, Any] = {
        "summary": f"{name} {value}",
        "kind": "metric",
        "run_id": "20240102-030405-00000000",
        "commit": "c" * 40,
        "workspace": "plant",
        "suite": name,
        "suite_version": "1",
        "subject": {"verifier": "assay/1", "config_snapshot": "b" * 40, "moment": "2024-01-02T03:04:05Z"},
        "instrument": {"metrics": {name: 1}, "sample": {"seed": 0, "size": 50, "digest": "d"}, "judges": JUDGES},
        "started_at": "2024-01-02T03:04:05Z",
        "completed_at": "2024-01-02T03:04:06Z",
        "samples": samples,
        "metrics": {name: number},
    }
    return Measurement(**known | changed).named()


def share(passed: Mapping[str, bool | None], name: str = "M1", **changed: Any) -> Measurement:
    """The share of samples that passed, by their ids; None is one on which the judge abstained."""
    samples = tuple(_claim(each, is_right) for each, is_right in passed.items())
    judged = [is_right for is_right in passed.values() if is_right is not None]
    return scored(name, round(sum(judged) / len(judged), 6) if judged else None, samples, **changed)


def passing(passed: int, of: int, name: str = "M1", first: int = 0, **changed: Any) -> Measurement:
    """A share of so many samples, of which the first pass."""
    return share({f"{first + at:04}": at < passed for at in range(of)}, name, **changed)


def product(rows: Mapping[str, tuple[float, float]], **changed: Any) -> Measurement:
    """A product of the means of topics and citations, with a third score that is no factor."""
    samples = tuple(
        Sample(id=name, status="pass", scores={"topics": one, "citations": other, "tool_calls": 1.0})
        for name, (one, other) in rows.items()
    )
    first, second = (sum(column) / len(rows) for column in zip(*rows.values(), strict=True))
    instrument = {"metrics": {"M3": 1}, "gold": "g" * 64}
    return scored("M3", round(first * second, 6), samples, unit="product", **{"instrument": instrument} | changed)


def _claim(name: str, is_right: bool | None) -> Sample:
    details = {"page": f"wiki/{name}.md", "line": 3, "claim": f"Claim {name}."}
    if is_right is None:
        return Sample(id=name, status="abstained", details=details)
    return Sample(id=name, status="pass" if is_right else "fail", details=details)
