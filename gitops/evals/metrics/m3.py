"""M3, retroactive query benchmark: can the wiki answer today what people expect it to answer (alexandria 14)?

`mean(topic overlap) × mean(citation overlap)` over the gold queries of the commit that is measured, each asked through
the query workflow. Broken is what falls by more than 0.05 in a month, whatever its score.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, fsum
from typing import Any

from gitops.evals.cuts import Cuts, Interval, Status
from gitops.evals.metric import Metric, MetricResult, not_measured, nothing_to_measure
from gitops.evals.retroactive import Asked, Round, ask
from gitops.evals.subject import Subject
from gitops.evals.trends import Trend, month_over_month
from gitops.runs import gold
from gitops.runs.gold import GoldQuery
from gitops.runs.gold_checking import Ground
from gitops.runs.measurements import Uncertain
from gitops.stats.bootstrap import product_interval, product_of_means

VERSION = 1
CUTS = Cuts(healthy=0.80, degraded=0.0)
"""Below 0.80 it is degraded, however low: what breaks it is falling (`PROTOCOL.md` 9)."""
FALL = 0.05
"""Falling month over month by more than so much is a regression."""
_WORST = 10


def compute(subject: Subject) -> MetricResult:
    """Ask every gold query and compare."""
    queries = gold.at(subject.bench.base_tree, subject.workspace.layout)
    if not queries:
        return nothing_to_measure("there are no gold queries: git assay eval gold add")
    if subject.answering is None:
        return not_measured("nobody is here to answer the gold queries")
    if subject.asking.only_kept and not _is_offline(subject):
        return not_measured(f"a model answers the {len(queries)} gold queries, and none may be asked now")
    made = ask(subject, subject.answering, queries)
    told = _told(subject, queries, made)
    if made.cut_short:
        return not_measured(made.cut_short, **told)
    if made.has_failed:
        first = made.errors[0].error
        return not_measured(f"{len(made.errors)} of {len(queries)} queries failed, the first: {first}", **told)
    return _scored(subject, made, told)


def _scored(subject: Subject, made: Round, told: dict[str, Any]) -> MetricResult:
    pairs = [one.pair for one in made.answered]
    score = round(product_of_means(pairs), 6)
    measured_with = {"suite_version": str(VERSION), "gold": told["instrument"]["gold"], **told["subject"]}
    trend = month_over_month(subject.past, "M3", score, subject.moment, measured_with)
    told["details"] |= {"trend": trend.record()}
    interval = product_interval(pairs, subject.seed)
    uncertain = _uncertain(score, interval, len(pairs))
    return MetricResult(score, _status(score, trend), n=len(pairs), interval=interval, uncertain=uncertain, **told)


def _uncertain(score: float, interval: Interval | None, n: int) -> Uncertain | None:
    """The cut that the interval straddles, and about how many gold queries would tell.

    An interval narrows with the square root of the sample, so its end comes to the cut at `n × (end − score)² / (cut −
    score)²` queries. None where the score lies on the cut.
    """
    found = CUTS.uncertain(score, interval, is_share=False)
    if found is None or interval is None or found.cut == score:
        return found
    end = interval[1] if found.cut > score else interval[0]
    return found.model_copy(update={"settled_by": ceil(n * ((end - score) / (found.cut - score)) ** 2)})


def _status(score: float, trend: Trend) -> Status:
    return "broken" if trend.has_fallen(FALL) else CUTS.status(score)


def _told(subject: Subject, queries: Sequence[GoldQuery], made: Round) -> dict[str, Any]:
    """What stands beside the score, and where there is none instead of it."""
    models = sorted({one.answered.model for one in made.answered if one.answered is not None} - {""})
    preset = subject.preset or subject.workspace.config.llm.writer
    unfounded = Ground(subject.bench.base_tree, subject.workspace.layout).faults(queries)
    return {
        "samples": tuple(one.sample() for one in made.asked),
        "counts": _counts(made) | {"unfounded": len(unfounded)},
        "details": _details(made) | {"unfounded": [fault.told(gold.FILE) for fault in unfounded]},
        "instrument": {"gold": gold.digest_of(queries), "queries": len(queries)},
        "subject": {"preset": preset, "model": ", ".join(models)},
        "used": made.used,
    }


def _counts(made: Round) -> dict[str, int]:
    answers = [one.answered for one in made.answered if one.answered is not None]
    return {
        "queries": len(made.asked),
        "answered": len(answers),
        "refused": sum(each.is_refused for each in answers),
        "errors": len(made.errors),
        "tool_calls": sum(each.tool_calls for each in answers),
    }


def _details(made: Round) -> dict[str, Any]:
    answers = [one.answered for one in made.answered if one.answered is not None]
    worst = sorted((one for one in made.answered if one.status == "fail"), key=_order)[:_WORST]
    return {
        "topic_overlap": _mean([one.topics for one in made.answered]),
        "citation_overlap": _mean([one.citations for one in made.answered]),
        "tool_calls": _mean([float(each.tool_calls) for each in answers]),
        "latency_ms": _mean([each.latency_ms for each in answers]),
        "worst": [_shown(one) for one in worst],
    }


def _order(one: Asked) -> tuple[float, str]:
    return one.topics * one.citations, one.gold.id


def _shown(one: Asked) -> dict[str, Any]:
    """A query that was answered otherwise than expected: by its id, what was expected and what came."""
    return {
        "id": one.gold.id,
        "query": one.gold.query,
        "expected": {"topics": list(one.gold.topics), "citations": sorted(one.expected)},
        "got": {"topics": sorted(one.got_topics), "citations": sorted(one.got_sources)},
    }


def _mean(numbers: Sequence[float]) -> float | None:
    return round(fsum(numbers) / len(numbers), 6) if numbers else None


def _is_offline(subject: Subject) -> bool:
    llm = subject.workspace.config.llm
    return llm.preset(subject.preset or llm.writer).provider == "offline"


METRIC = Metric(
    title="retroactive benchmark",
    version=VERSION,
    when="monthly",
    compute=compute,
    unit="product",
    cuts=CUTS,
)
