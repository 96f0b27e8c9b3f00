"""A scored run as a measurement, which holds all that it takes to score the run again, and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from gitops.errors import UsageError
from gitops.retrieval import golden, metrics, result_json
from gitops.retrieval.aggregate import Aggregate
from gitops.retrieval.model import GoldenQuery, Result, Results, Versions
from gitops.retrieval.query_scores import QueryScore
from gitops.retrieval.results import VERSION_NAMES
from gitops.retrieval.scoring import Scored
from gitops.runs import measurements
from gitops.runs.context import Context, epoch_of
from gitops.runs.measurements import RETRIEVAL, Measurement, Metric, Sample

_SMALLER = "--top 10 keeps fewer hits of each query; --no-keep keeps nothing, --out FILE all"
_VERSIONS = tuple(VERSION_NAMES)
_OF_A_RESULT = ("hits_top_k", "answer", "duplicates")
"""What a sample's details have of the result; the rest are fields of the sample, and what was expected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What is known of a run besides what came of it.

    `gold` is the golden file's name, `top` how many hits of a query were kept at most (None: all), `chunks` the digest
    of the store that was given (None: none was, or it is the measured wiki's own), `subject` what else was measured.
    `has_store`: citations were looked up.
    """

    gold: str
    system: str
    run_id: str = ""
    commit: str = ""
    workspace: str = ""
    top: int | None = None
    chunks: str | None = None
    has_store: bool = False
    subject: Mapping[str, Any] = field(default_factory=dict)
    started_at: str = ""
    completed_at: str = ""
    used: Mapping[str, float] = field(default_factory=dict)


def measurement(scored: Scored, results: Results, setting: Setting, *, is_whole: bool = True) -> Measurement:
    """The measurement of a scored run, not named yet. Its samples hold queries, what was expected, and what came: see
    `stored`. One that is not whole lacks hits and answers: enough to be told, not to be kept.
    """
    queries = [one.query for one in scored.queries]
    digest = golden.digest_of(queries)
    return Measurement(
        summary=_summary(scored.aggregate),
        kind=RETRIEVAL,
        run_id=setting.run_id,
        commit=setting.commit,
        workspace=setting.workspace,
        suite=setting.gold,
        suite_version=digest[:12],
        subject=_subject(results.versions, setting),
        instrument={
            "metrics": {RETRIEVAL: metrics.VERSION},
            "gold": digest,
            "queries": len(queries),
            "top": setting.top,
            "chunks": setting.chunks,
        },
        started_at=setting.started_at,
        completed_at=setting.completed_at,
        samples=tuple(_sample(one, is_whole=is_whole) for one in scored.queries),
        metrics={name: _metric(name, scored) for name in metrics.NAMES},
        details=_details(scored, results, setting.has_store),
        used=setting.used,
    )


def _summary(aggregate: Aggregate) -> str:
    named = ((name, aggregate.metric(name)) for name in ("mrr", "hit@10", "ndcg@10", "recall@10_doc"))
    told = [f"{name} {value:.4f}" for name, value in named if value is not None][:2]
    count = aggregate.total_queries
    return f"retrieval, {count:,} {'query' if count == 1 else 'queries'}: {', '.join(told) or 'nothing was judged'}"


def _subject(versions: Versions, setting: Setting) -> dict[str, Any]:
    told = {name: getattr(versions, name) for name in _VERSIONS}
    others = {"others": dict(versions.others)} if versions.others else {}
    return {"system": setting.system, **setting.subject, **told, **others}


def _metric(name: str, scored: Scored) -> Metric:
    value, figure = scored.aggregate.metric(name), scored.figures[name]
    return Metric(
        value=value,
        n=figure.n,
        interval=figure.interval,
        direction=metrics.direction(name),
        unit=metrics.unit(name),
        status="not_measured" if value is None else "measured",
    )


def _sample(one: QueryScore, *, is_whole: bool) -> Sample:
    result, details = one.result, golden.record(one.query)
    details.pop("query_id")
    if result is None:
        return Sample(
            id=one.query.query_id, status=one.status, scores=dict(one.scores), error=one.error, details=details
        )
    if is_whole:
        told = result_json.record(result)
        details |= {name: told[name] for name in _OF_A_RESULT if name in told}
    return Sample(
        id=one.query.query_id,
        status=one.status,
        scores=dict(one.scores),
        latency_ms=result.latency_ms,
        tokens=result.tokens,
        usd=result.usd,
        error=result.error or None,
        details=details,
    )


def _details(scored: Scored, results: Results, has_store: bool) -> dict[str, Any]:
    asked = {one.query.query_id for one in scored.queries}
    unknown = [one for name, one in results.by_query.items() if name not in asked]
    return {
        "aggregate": scored.aggregate.record(),
        "remarks": remarks(scored, results),
        "results": {
            "name": results.name,
            "has_header": results.has_header,
            "has_store": has_store,
            "remarks": list(results.remarks),
        },
        "unknown_queries": [{"query_id": one.query_id, "line": one.line} for one in unknown],
    }


def remarks(scored: Scored, results: Results) -> list[str]:
    """What has to be told aloud: of reading the results, then of scoring them, nothing twice."""
    return list(dict.fromkeys((*results.remarks, *scored.remarks)))


def stored(measurement: Measurement) -> tuple[list[GoldenQuery], Results]:
    """What a measurement of retrieval holds: the golden queries, and the results that they were scored by.

    Of results for queries that the gold lacked, the ids alone. UsageError for a measurement that holds something else.
    """
    if not measurement.is_indexed or measurement.kind != RETRIEVAL:
        raise UsageError(
            f"the measurement {measurement.id[:10]} of {measurement.run_id} is none of retrieval",
            "git assay retrieval list shows those that are",
        )
    queries = [golden.of({"query_id": one.id, **_expected(one)}, one.id) for one in measurement.samples]
    results = {one.id: _result(one) for one in measurement.samples if "hits_top_k" in one.details}
    told = _mapping(measurement.details, "results")
    return queries, Results(
        str(told.get("name", measurement.run_id)),
        results | dict(_unknown(measurement)),
        versions(measurement),
        bool(told.get("has_header", True)),
        tuple(map(str, _list(told, "remarks"))),
    )


def versions(measurement: Measurement) -> Versions:
    """What made the results that a measurement of retrieval holds."""
    told = {name: str(measurement.subject.get(name, "")) for name in _VERSIONS}
    return Versions(**told, others=_mapping(measurement.subject, "others"))


def has_store(measurement: Measurement) -> bool:
    """Whether the citations that it holds were looked up."""
    return _mapping(measurement.details, "results").get("has_store") is True


def aggregate(measurement: Measurement) -> Aggregate:
    """The aggregate as it was recorded. UsageError where it is none, in a record that is another's."""
    try:
        return Aggregate.of(_mapping(measurement.details, "aggregate"))
    except ValueError as error:
        told = f"the aggregate that is recorded of {measurement.run_id} cannot be read: {error}"
        raise UsageError(told, "git assay retrieval score RUN computes it again") from error


def _expected(sample: Sample) -> dict[str, Any]:
    return {name: value for name, value in sample.details.items() if name not in _OF_A_RESULT}


def _result(sample: Sample) -> Result:
    told = {"latency_ms": sample.latency_ms, "tokens": sample.tokens, "usd": sample.usd, "error": sample.error}
    said = {name: sample.details[name] for name in _OF_A_RESULT if name in sample.details}
    return result_json.of({"query_id": sample.id, **told, **said}, sample.id)


def _unknown(measurement: Measurement) -> Iterator[tuple[str, Result]]:
    for one in _list(measurement.details, "unknown_queries"):
        if isinstance(one, Mapping) and isinstance(name := one.get("query_id"), str):
            line = one.get("line")
            yield name, Result(name, line=line if isinstance(line, int) else 0)


def _mapping(value: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """What another's record, which may hold anything, has as a mapping; empty where it has none."""
    found = value.get(name)
    return found if isinstance(found, Mapping) else {}


def _list(value: Mapping[str, Any], name: str) -> list[Any]:
    found = value.get(name)
    return list(found) if isinstance(found, list | tuple) else []


def scored_again(before: Measurement, scored: Scored, results: Results, gold: str, now: str) -> Measurement:
    """Another measurement of a run that was measured before. It is later than that one, so that it counts."""
    top, chunks = (before.instrument.get(name) for name in ("top", "chunks"))
    system = str(before.subject.get("system", ""))
    setting = Setting(gold=gold, system=system, top=top, chunks=chunks, has_store=has_store(before))
    same = ("run_id", "commit", "workspace", "subject", "variant", "repeat", "started_at", "used")
    kept: dict[str, Any] = {name: getattr(before, name) for name in same}
    later = datetime.fromtimestamp(epoch_of(before.completed_at) + 1, UTC)
    moment = max(now, f"{later:%Y-%m-%dT%H:%M:%SZ}")
    return measurement(scored, results, setting).model_copy(update={**kept, "completed_at": moment}).named()


def refuse_too_large(context: Context, measurement: Measurement) -> None:
    """CannotRun for a record that is too large to be kept, by itself or with those that its commit has already, before
    anything is written.
    """
    measurements.refuse_too_large(context, [measurement], _SMALLER)


def runs(measured: Sequence[Measurement]) -> dict[str, list[Measurement]]:
    """The measurements of retrieval by their runs, each run's oldest first, of any that are in their order."""
    found: dict[str, list[Measurement]] = {}
    for one in measured:
        if one.kind == RETRIEVAL and one.is_indexed:
            found.setdefault(one.run_id, []).append(one)
    return found
