"""M2, cascade coverage: of the existing pages that mention what a new source speaks of, the share that it touched.

For each ingest that landed in the seven days before: the 20 terms of its source (of each, where it has several) that
weigh most by TF-IDF against the sources there were at its commit; the pages at that commit that mention one of them as
a whole word; the pages that its plan touches (`cascades` says what exactly counts). Over all ingests of the week

    M2 = Σ |touched ∩ mentioning| / Σ |mentioning|          (alexandria 14, M2)

so every page that should have been looked at weighs the same; the mean of the ingests' own shares stands beside it.
Nothing is sampled, so there is no interval. Of more than 1,000 pages as many are kept in the record as samples, chosen
by what they are called.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import mean
from typing import Any
from zlib import crc32

from gitops.errors import Absent
from gitops.evals.cascades import Cascade
from gitops.evals.cuts import Cuts
from gitops.evals.metric import Metric, MetricResult, not_measured, nothing_to_measure
from gitops.evals.recent_ingests import DAYS, Week, week
from gitops.evals.subject import Subject
from gitops.git.snapshot import TreeSnapshot
from gitops.runs.garbage import uncollected
from gitops.runs.measurements import Sample
from gitops.wiki.wordscan import WordScan

_SHOWN = 20
"""So many of the pages that an ingest missed are named beside the number, those with most terms first."""
SAMPLES_KEPT = 1_000
"""The score is of every page; of a wiki of 10,000 the record of one ingest would hold a megabyte of them."""
CUTS = Cuts(healthy=0.90, degraded=0.70)


def compute(subject: Subject) -> MetricResult:
    """Measure every ingest of the week before the subject's moment."""
    with uncollected():
        return _computed(subject)


def _computed(subject: Subject) -> MetricResult:
    found = week(subject)
    instrument = {"terms": subject.workspace.config.coverage.terms, "days": DAYS, "mention": "whole words"}
    details = {"left_out": [{"run": each.run_id, "why": each.why} for each in found.left_out]}
    mentioning = sum(len(each.mentioning) for each in found.made)
    if not mentioning:
        without = not_measured if found.left_out else nothing_to_measure
        return without(_why_nothing(subject, found), details=details, instrument=instrument)
    score = sum(len(each.reached) for each in found.made) / mentioning
    return MetricResult(
        score,
        CUTS.status(score),
        mentioning,
        samples=tuple(_samples(found.made)),
        counts=_counts(found),
        details=details | _details(subject, found.made),
        instrument=instrument,
    )


def _why_nothing(subject: Subject, found: Week) -> str:
    if found.made:
        named = f"{len(found.made)} ingest{'s' * (len(found.made) != 1)} of the last {DAYS} days"
        return f"no page that was there mentions a key term of the {named}"
    if found.left_out:
        first, others = found.left_out[0], len(found.left_out) - 1
        return f"ingest {first.run_id}: {first.why}" + (f", and {others} more cannot be measured" if others else "")
    last = f"the last was on {found.last:%Y-%m-%d}" if found.last is not None else "there was none before either"
    return f"no ingest landed in the {DAYS} days before {subject.moment:%Y-%m-%d}; {last}"


def _samples(made: Sequence[Cascade]) -> Iterator[Sample]:
    """One for each ingest and page, so far as they are kept: always the same ones, so that samples can be paired."""
    every = [(each, page) for each in made for page in each.mentioning]
    if len(every) > SAMPLES_KEPT:
        ranked = sorted((crc32(page.encode("utf-8", "surrogateescape")), at) for at, (_, page) in enumerate(every))
        every = [every[at] for _, at in ranked[:SAMPLES_KEPT]]
    for each, page in sorted(every, key=lambda one: (one[0].ingest.id, one[1])):
        id = f"{each.ingest.id}:{page}"
        if page in each.touched:
            yield Sample(id=id, status="pass")
        else:
            yield Sample(id=id, status="fail", details={"page": page, "terms": list(each.mentioning[page])})


def _counts(found: Week) -> dict[str, int]:
    made = found.made
    return {
        "ingests": len(made),
        "mentioning": sum(len(each.mentioning) for each in made),
        "reached": sum(len(each.reached) for each in made),
        "missed": sum(len(each.missed) for each in made),
        "idle": sum(len(each.idle) for each in made),
        "left_out": len(found.left_out),
    }


def _details(subject: Subject, made: Sequence[Cascade]) -> dict[str, Any]:
    shares = [each.share for each in made if each.share is not None]
    return {"macro": round(mean(shares), 6), "ingests": [_ingest(subject, each) for each in made]}


def _ingest(subject: Subject, each: Cascade) -> dict[str, Any]:
    tree = subject.context.tree(each.ingest.commit)
    return {
        "run": each.ingest.id,
        "commit": each.ingest.commit,
        "landed_at": f"{each.ingest.at:%Y-%m-%dT%H:%M:%SZ}",
        "sources": list(each.sources),
        "terms": list(each.terms),
        "share": None if each.share is None else round(each.share, 6),
        "mentioning": len(each.mentioning),
        "reached": len(each.reached),
        "missed": len(each.missed),
        "worst": [
            {"page": page, "terms": list(each.mentioning[page]), "times": _counted(tree, each, page)}
            for page in each.missed[:_SHOWN]
        ],
        "idle": each.idle[:_SHOWN],
        "idle_pages": len(each.idle),
    }


def _counted(tree: TreeSnapshot, each: Cascade, page: str) -> Mapping[str, int]:
    """How often a missed page mentions each of the terms that it does; nothing where this clone lacks the page."""
    try:
        data = tree.read(page)
    except Absent:  # its words are in the index
        return {}
    return WordScan(each.mentioning[page]).counted(data)


METRIC = Metric(title="cascade coverage", version=1, when="ingest", compute=compute, cuts=CUTS)
