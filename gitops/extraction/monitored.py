"""What a monitoring system is told of extractions: of each extractor the newest run that has landed.

Runs of changes that are not in the history of the target branch say nothing of what is in use.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gitops.extraction import metrics, problems
from gitops.git import notes
from gitops.runs import measurements, names, noted
from gitops.runs.authority import Authority
from gitops.runs.context import Context, epoch_of
from gitops.runs.exposed import Family, family
from gitops.runs.measurements import EXTRACTION, Measurement, Metric
from gitops.runs.newest_landed import newest_landed

_MARK = f'"kind":"{EXTRACTION}"'
_STATUSES = ("pass", "fail")


@dataclass(frozen=True, slots=True)
class _Stands:
    """Where a run stands: its workspace, gold, extractor and preset are what its numbers are of."""

    workspace: str
    suite: str
    extractor: str
    preset: str
    at: str
    id: str
    commit: str

    @property
    def labels(self) -> dict[str, str]:
        return {
            "workspace": self.workspace,
            "suite": self.suite,
            "extractor": self.extractor,
            "preset": self.preset,
        }


@dataclass(frozen=True, slots=True)
class _Newest:
    """The newest run of an extractor."""

    labels: Mapping[str, str]
    made: Measurement

    def bare(self) -> Iterator[tuple[str, Metric]]:
        """The metrics of a bare name: pooled, by canonical ids."""
        for name, metric in self.made.metrics.items():
            if name in metrics.BY_NAME and metrics.BY_NAME[name].base == name:
                yield name, metric


def families(context: Context, workspace: str | None = None) -> list[Family]:
    """All that is told of the extractions of one workspace, or of all."""
    every = [one for each in _landed(context, workspace) if (one := _newest(context, each)) is not None]
    return list(_families(every))


def _families(every: Sequence[_Newest]) -> Iterator[Family]:
    named = [({**each.labels, "metric": name}, metric) for each in every for name, metric in each.bare()]
    shares = [(at, metric) for at, metric in named if metric.unit == "share"]
    score = "A share of the newest run of an extractor, pooled over its cases"
    yield family("assay_extraction_score", "gauge", score, ((at, metric.value) for at, metric in shares))
    for side, end in enumerate(("low", "high")):
        told = f"The {'lower' if end == 'low' else 'upper'} end of the 95 % interval of assay_extraction_score"
        points = ((at, metric.interval[side] if metric.interval else None) for at, metric in shares)
        yield family(f"assay_extraction_score_{end}", "gauge", told, points)
    faults = ((at, metric.value) for at, metric in named if metric.unit != "share")
    yield family("assay_extraction_faults", "gauge", "How many faults the graph of the extracted atoms has", faults)
    bars = ((at, metric.bar.value if metric.bar is not None else None) for at, metric in named)
    yield family("assay_extraction_bar", "gauge", "The bar that a metric is held to", bars)
    reached = "1 where a metric reaches its bar, 0 where it does not; none where it was not measured"
    states = ((at, float(metric.status == "pass")) for at, metric in named if metric.status in _STATUSES)
    yield family("assay_extraction_bar_reached", "gauge", reached, states)
    wrong = "How much is wrong in the newest run of an extractor, by kind"
    kinds = (({**each.labels, "kind": kind}, _count(each.made, kind)) for each in every for kind in problems.KINDS)
    yield family("assay_extraction_problems", "gauge", wrong, kinds)
    cases = ((each.labels, float(len(each.made.samples))) for each in every)
    yield family("assay_extraction_cases", "gauge", "How many cases of gold the newest run was scored by", cases)
    when = "When the newest run of an extractor ended"
    moments = ((each.labels, epoch_of(each.made.completed_at)) for each in every)
    yield family("assay_extraction_run_timestamp_seconds", "gauge", when, moments, "seconds")


def _count(made: Measurement, kind: str) -> float:
    """0 of a kind that is not told: then there is none of it."""
    counts = made.details.get("problem_counts")
    found = counts.get(kind, 0) if isinstance(counts, Mapping) else 0
    return float(found) if isinstance(found, int) else 0.0


def _landed(context: Context, workspace: str | None) -> Iterator[_Stands]:
    """The newest run of each extractor that stands in the history of the branch of landings, in the order of names."""
    groups: dict[tuple[str, ...], list[_Stands]] = {}
    every = noted.noted(context, names.EVALS, "extractions", "1", lambda *note: _told(context, *note))
    for commit, rows in every.items():
        for row in rows:
            each = _stands(row, commit)
            if workspace in (None, each.workspace):
                groups.setdefault(tuple(each.labels.values()), []).append(each)
    for _, group in sorted(groups.items()):
        tip = Authority(context, group[0].workspace).commit
        newest = sorted(group, key=lambda each: (each.at, each.id), reverse=True)
        if (found := newest_landed(context, newest, tip)) is not None:
            yield found


def _stands(row: list[str], commit: str) -> _Stands:
    workspace, suite, extractor, preset, at, id = row
    return _Stands(workspace, suite, extractor, preset, at, id, commit)


def _told(context: Context, commit: str, lines: list[str]) -> list[Any]:
    """The newest run of each extractor on one commit."""
    newest: dict[tuple[str, ...], list[str]] = {}
    for one in _read(context, commit, lines, ""):
        key = one.workspace, one.suite, *(str(one.subject.get(name) or "") for name in ("extractor", "preset"))
        newest[key] = max(newest.get(key, []), [*key, one.completed_at, one.id], key=lambda row: row[4:])
    return [newest[key] for key in sorted(newest)]


def _newest(context: Context, stands: _Stands) -> _Newest | None:
    lines = notes.read(context.repository, names.EVALS, stands.commit)
    found = (one for one in _read(context, stands.commit, lines, stands.id) if one.id == stands.id)
    return next((_Newest(stands.labels, one) for one in found), None)


def _read(context: Context, commit: str, lines: Sequence[str], id: str) -> list[Measurement]:
    """The measurements of extraction among some lines, those of them that hold an id."""
    mine = [(number, line) for number, line in enumerate(lines, 1) if _MARK in line and id in line]
    return [one for one in measurements.read_lines(context, commit, mine) if one.kind == EXTRACTION]
