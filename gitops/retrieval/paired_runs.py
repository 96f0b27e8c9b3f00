"""Two scored runs as the comparison engine takes them: a measurement of each, their queries paired by id."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from gitops.comparing.measured import Comparison, compared
from gitops.comparing.recalling import Recalled
from gitops.retrieval import metrics
from gitops.retrieval.query_scores import QueryScore
from gitops.retrieval.scoring import Scored
from gitops.retrieval.sides import Side
from gitops.runs.measurements import RETRIEVAL, Measurement, Metric, Sample

_ALL = "all"
_VERSIONS = ("chunker_version", "embedding", "prompt_version", "model")


def paired_runs(sides: Sequence[Side], scored: Sequence[Scored], wanted: str, alpha: float) -> Comparison:
    """The engine's comparison, its rows in the order of the metrics.

    Metrics that neither run has are left out unless they are asked for by name. Which queries moved is told once, query
    by query, and not again with each metric. UsageError for an unknown metric; CannotRun where SciPy is needed.
    """
    is_all = wanted.strip().lower() == _ALL
    known = [
        name for name in metrics.NAMES if not is_all or any(each.aggregate.metric(name) is not None for each in scored)
    ]
    made = compared([_recalled(*pair, known) for pair in zip(sides, scored, strict=True)], wanted, alpha)
    rows = sorted(made.compared, key=lambda one: known.index(one.metric))
    return replace(made, compared=tuple(replace(one, lost=(), won=(), new_and_failing=()) for one in rows))


def _recalled(side: Side, scored: Scored, names: Sequence[str]) -> Recalled:
    measurement = _measurement(side, scored, names)
    return Recalled(side.name, dict.fromkeys(names, (measurement,)), side.commit)


def _measurement(side: Side, scored: Scored, names: Sequence[str]) -> Measurement:
    return Measurement(
        summary=side.name,
        kind=RETRIEVAL,
        run_id=side.name,
        commit=side.commit,
        workspace=side.workspace,
        subject=_subject(side),
        instrument={"gold": side.gold},
        started_at="",
        completed_at="",
        samples=tuple(map(_sample, scored.queries)),
        metrics={name: _metric(name, scored) for name in names},
    )


def _subject(side: Side) -> dict[str, Any]:
    """What was measured, as its measurement tells it, or else the header of its results."""
    versions = side.results.versions
    return dict(side.subject) or {**versions.others, **{name: getattr(versions, name) for name in _VERSIONS}}


def _sample(one: QueryScore) -> Sample:
    return Sample(id=one.query.query_id, status=one.status, scores=dict(one.scores))


def _metric(name: str, scored: Scored) -> Metric:
    """A metric with six places: of the four that an aggregate keeps, its samples' mean could not be told."""
    figure = scored.figures[name]
    return Metric(
        value=figure.value,
        n=figure.n,
        interval=figure.interval,
        direction=metrics.direction(name),
        unit=metrics.unit(name),
        status="not_measured" if figure.value is None else "measured",
    )
