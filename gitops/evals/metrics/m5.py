"""M5, self-consistency: of pairs of statements about a topic on different pages, the share that agree (alexandria 14).

M5 = (supports + independent) / all judged pairs. Topics are drawn from the index; of a topic's pairs at most 200 are
drawn, without regard to what they say, or the number would mean nothing. What counts as a statement about a topic, and
which pairs are not asked, say `evals/mentions.py` and `evals/topic_pairs.py`: no judge is asked to list claims, for
whole words find them as well, the same every time. Votes that are not sure enough to decide count as none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from math import ceil
from typing import Any

from gitops.canonical import digest
from gitops.evals import topic_pairs
from gitops.evals.agreement import AGAINST, VOTES, Judged, by_topic, contradictions, judged, record
from gitops.evals.agreement import sample as recorded
from gitops.evals.cuts import Cuts
from gitops.evals.metric import Metric, MetricResult, not_measured, nothing_to_measure
from gitops.evals.subject import Subject
from gitops.evals.topic_pairs import Sampled
from gitops.runs.measurements import Uncertain
from gitops.stats.clustered import clustered, design_effect

SIZE = 20
CUTS = Cuts(healthy=0.95, degraded=0.85)
TOP = 50
"""So many contradictions are shown in full."""


def compute(subject: Subject) -> MetricResult:
    """Draw topics and pairs, have them judged, count; nothing is measured where more than half of them have no vote."""
    size = subject.size or SIZE
    sampled = list(topic_pairs.sample(subject.view, subject.bench.page_terms().holding, subject.seed, size))
    pairs = [pair for one in sampled for pair in one.pairs]
    if not pairs:
        return nothing_to_measure(_nothing(subject, sampled))
    watched = subject.context.progress("judging pairs", judged(subject.panel, sampled), len(pairs))
    every = list(watched)
    clusters = by_topic(every)
    hits, n = (sum(each[at] for each in clusters.values()) for at in (0, 1))
    more: dict[str, Any] = {
        "n": n,
        "samples": tuple(map(recorded, every)),
        "counts": _counts(sampled, every),
        "details": _details(subject, sampled, every),
        "instrument": {"sample": _instrument(subject, size, every), "judges": subject.panel.seats},
        "used": subject.panel.used,
    }
    if 2 * n < len(pairs):
        return not_measured(_unjudged(every), **more)
    score = round(hits / n, 6)
    bounds = clustered(list(clusters.values()))
    interval = (round(bounds[0], 6), round(bounds[1], 6)) if bounds is not None else None
    return MetricResult(
        score, CUTS.status(score), interval=interval, uncertain=_uncertain(score, interval, clusters.values()), **more
    )


def _uncertain(
    score: float, interval: tuple[float, float] | None, clusters: Collection[tuple[int, int]]
) -> Uncertain | None:
    """Whether a cut lies within the interval; as many pairs would settle it as a simple sample needs, times what
    clusters cost.
    """
    found = CUTS.uncertain(score, interval, is_share=True)
    if found is None or found.settled_by is None:
        return found
    return Uncertain(cut=found.cut, settled_by=ceil(found.settled_by * design_effect(list(clusters))))


def _nothing(subject: Subject, sampled: Sequence[Sampled]) -> str:
    index = subject.workspace.layout.index
    if not sampled:
        there = subject.view.snapshot.blob(index) is not None
        return f"{index} leads to no page that states anything" if there else f"there is no {index} to draw topics from"
    drawn = f"{len(sampled)} topic{'s' * (len(sampled) != 1)}"
    return f"of {drawn} drawn from {index} none is spoken of in different words on two pages"


def _unjudged(every: Sequence[Judged]) -> str:
    left = [one for one in every if not one.is_judged]
    (who, _), *_ = Counter(one.voted.judge for one in left).most_common(1)
    one = next(one for one in left if one.voted.judge == who)
    places = " and ".join(f"{each.path}:{each.place.line}" for each in (one.pair.a, one.pair.b))
    told = f"; for one, {places}: {one.voted.vote.reason}"
    return f"{len(left)} of {len(every)} pairs have no vote that may decide ({who}){told}"


def _instrument(subject: Subject, size: int, every: Sequence[Judged]) -> dict[str, Any]:
    return {"seed": subject.seed, "size": size, "digest": digest(sorted(one.pair.id for one in every))}


def _counts(sampled: Sequence[Sampled], every: Sequence[Judged]) -> dict[str, int]:
    votes = Counter(one.vote for one in every)
    return {
        "topics": sum(bool(one.pairs) for one in sampled),
        "topics_of_one_page": sum(not one.pairs for one in sampled),
        "pairs": sum(one.of for one in sampled),
        "sampled": len(every),
        **{vote: votes[vote] for vote in VOTES},
        "unjudged": votes["abstained"],
        "same_words": sum(one.same for one in sampled),
        "disputed": sum(one.disputed for one in sampled),
    }


def _details(subject: Subject, sampled: Sequence[Sampled], every: Sequence[Judged]) -> dict[str, Any]:
    """Contradictions, worst first; the topics; how alike pairs of one topic are; what of those that speak of the same
    agrees.
    """
    clusters, found = by_topic(every), contradictions(every)
    supports = sum(one.vote == "supports" for one in every)
    against = sum(one.vote in AGAINST for one in every)
    return {
        "contradictions": [record(subject.view, one) for one in found[:TOP]],
        "topics": [
            {
                "topic": one.topic.title,
                "page": one.topic.path,
                "mentioned_on": one.mentioning,
                "pages": len(one.pages),
                "pairs": one.of,
                "sampled": len(one.pairs),
                "judged": clusters.get(one.topic, (0, 0))[1],
                "agree": clusters.get(one.topic, (0, 0))[0],
            }
            for one in sampled
        ],
        "design_effect": round(design_effect(list(clusters.values())), 4),
        "of_the_same": {"supports": supports, "contradictions": against},
        "most": {"pairs": topic_pairs.MOST_PAIRS, "pages": topic_pairs.MOST_PAGES, "of_page": topic_pairs.MOST_OF_PAGE},
    }


METRIC = Metric("self-consistency", version=1, when="weekly", compute=compute, cuts=CUTS, asks="pairs")
