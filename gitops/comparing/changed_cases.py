"""Cases of a benchmark that ask or expect something else on one side than on another: they are not the same case."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from gitops.comparing.recalling import Recalled
from gitops.comparing.sample_rows import OF_SUITES
from gitops.runs.measurements import Measurement, Sample

_DIGEST = "case"
"""Under what name a sample's details have the digest of its case."""


def told_apart(sides: Sequence[Recalled]) -> list[Recalled]:
    """The same sides, with the digest in the name of each case that has several: so that none is paired with another
    of its name. Of measurements that were changed so the id is no digest any more.
    """
    changed = _changed(one for side in sides for repeats in side.metrics.values() for one in repeats)
    if not changed:
        return list(sides)
    return [
        replace(side, metrics={metric: tuple(_named(one, changed) for one in every) for metric, every in _of(side)})
        for side in sides
    ]


def _of(side: Recalled) -> Iterable[tuple[str, tuple[Measurement, ...]]]:
    return side.metrics.items()


def _changed(measured: Iterable[Measurement]) -> Mapping[str, set[str]]:
    """By suite, the ids of the cases that have several digests."""
    seen: dict[tuple[str, str], set[str]] = defaultdict(set)
    for one in {one.id: one for one in measured if one.kind in OF_SUITES}.values():
        for sample in one.samples:
            seen[one.suite, sample.id].add(_digest(sample))
    found: dict[str, set[str]] = defaultdict(set)
    for (suite, name), digests in seen.items():
        if len(digests) > 1:
            found[suite].add(name)
    return found


def _named(one: Measurement, changed: Mapping[str, set[str]]) -> Measurement:
    if one.kind not in OF_SUITES or not (names := changed.get(one.suite)):
        return one
    return one.model_copy(update={"samples": tuple(_apart(each, names) for each in one.samples)})


def _apart(sample: Sample, names: set[str]) -> Sample:
    if sample.id not in names:
        return sample
    return sample.model_copy(update={"id": f"{sample.id} ({_digest(sample)[:8] or 'unknown'})"})


def _digest(sample: Sample) -> str:
    return str(sample.details.get(_DIGEST, ""))
