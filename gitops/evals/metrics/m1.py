"""M1, citation fidelity: of claims drawn from the wiki, the share of those that their sources say (alexandria 14).

M1 = supports / (supports + partially_supports + does_not_support + source_missing). A citation whose file is not there
counts as `source_missing`, a quotation that is altered, not found or misattributed as `does_not_support`, both without
asking anybody (`evals/citation_claims.py`). Votes that are not sure enough to decide count as none (`PROTOCOL.md` 9).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from gitops.evals.citation_claims import Told, tell
from gitops.evals.cited_spans import cited, failing
from gitops.evals.claim_sample import ClaimSample, draw
from gitops.evals.cuts import Cuts
from gitops.evals.metric import Metric, MetricResult, not_measured, nothing_to_measure
from gitops.evals.overrides import Brought, brought, phi
from gitops.evals.subject import Subject
from gitops.runs.measurements import Sample, SampleStatus
from gitops.stats.intervals import wilson
from gitops.verify.judge import ClaimVote

SIZE = 50
CUTS = Cuts(healthy=0.95, degraded=0.85)
_VOTES: tuple[ClaimVote, ...] = ("supports", "partially_supports", "does_not_support", "source_missing")
_SHOWN = 1_000
"""So many characters of a claim are kept with each sample; one that fails is shown in full."""


def compute(subject: Subject) -> MetricResult:
    """Draw claims, have them judged, and count; nothing is measured where more than half of them have no vote."""
    sample = draw(subject.bench, subject.size or SIZE, subject.seed)
    if not sample.claims:
        whole = "what a page cites as a whole backs no claim of it by itself"
        return nothing_to_measure(f"no page of {subject.workspace.name} has a claim that cites a source; {whole}")
    told = tell(subject.view, sample.claims, subject.panel)
    came = brought(subject.context, subject.workspace, subject.commit, sample.claims)
    judged = [one for one in told if one.is_judged]
    more: dict[str, Any] = {
        "n": len(judged),
        "samples": tuple(_sample(one, came) for one in told),
        "counts": _counts(told, sample, came),
        "details": _details(subject, told, sample, came),
        "instrument": {"sample": sample.instrument, "judges": subject.panel.seats},
        "used": subject.panel.used,
    }
    if 2 * len(judged) < len(told):
        return not_measured(_unjudged(told), **more)
    score = round(_share(judged) or 0.0, 6)
    return MetricResult(score, CUTS.status(score), interval=_interval(judged), **more)


def _unjudged(told: Sequence[Told]) -> str:
    left = [one for one in told if not one.is_judged]
    ((by, _),) = Counter(one.by for one in left).most_common(1)
    one = next(one for one in left if one.by == by)
    who = "" if by == "none" else f"the {by} judge: "
    where = f"{one.drawn.path}:{one.drawn.claim.place.line}"
    return f"{len(left)} of {len(told)} claims have no vote that may decide; for one, {where}: {who}{one.reason}"


def _share(judged: Sequence[Told]) -> float | None:
    return sum(one.vote == "supports" for one in judged) / len(judged) if judged else None


def _interval(judged: Sequence[Told]) -> tuple[float, float] | None:
    bounds = wilson(sum(one.vote == "supports" for one in judged), len(judged))
    return (round(bounds[0], 6), round(bounds[1], 6)) if bounds is not None else None


def _counts(told: Sequence[Told], sample: ClaimSample, came: Brought) -> dict[str, int]:
    votes = Counter(one.vote for one in told)
    return {
        "claims": sum(sample.strata.values()),
        "sampled": len(told),
        **{vote: votes[vote] for vote in _VOTES},
        "unjudged": votes["abstained"],
        "unverified": len(came.unverified),
        "overridden": len(came.overridden),
    }


def _sample(one: Told, came: Brought) -> Sample:
    claim, is_right = one.drawn.claim, one.vote == "supports"
    tags = [one.drawn.stratum] if one.drawn.stratum else []
    tags += ["unverified"] if one.drawn.id in came.unverified else []
    tags += ["overridden"] if one.drawn.id in came.overridden else []
    details: dict[str, Any] = {
        "page": one.drawn.path,
        "line": claim.place.line,
        "claim": claim.text[:_SHOWN],
        "citation": "; ".join(dict.fromkeys(map(cited, claim.cites)))[:_SHOWN],
        "vote": one.vote,
        "judge": one.by,
    }
    if not is_right:
        details["reason"] = one.reason
    if not one.is_judged:
        return Sample(id=one.drawn.id, status="abstained", tags=tuple(tags), details=details)
    status: SampleStatus = "pass" if is_right else "fail"
    return Sample(id=one.drawn.id, status=status, scores={"M1": float(is_right)}, tags=tuple(tags), details=details)


def _details(subject: Subject, told: Sequence[Told], sample: ClaimSample, came: Brought) -> dict[str, Any]:
    wrong = [one for one in told if one.is_judged and one.vote != "supports"]
    return {
        "failing": [failing(subject.view, one) for one in wrong],
        "strata": {name: _stratum(name, number, told) for name, number in sample.strata.items()},
        "by": dict(sorted(Counter(one.by for one in told).items())),
        "unverified": _apart(told, came.unverified),
        "overrides": _overrides(told, came),
    }


def _stratum(name: str, claims: int, told: Sequence[Told]) -> dict[str, int]:
    mine = [one for one in told if one.drawn.stratum == name]
    judged = [one for one in mine if one.is_judged]
    supported = sum(one.vote == "supports" for one in judged)
    return {"claims": claims, "sampled": len(mine), "judged": len(judged), "supports": supported}


def _apart(told: Sequence[Told], ids: Mapping[str, str]) -> dict[str, Any]:
    """The share of the claims that some runs brought in, and of the rest; null where there is none."""
    judged = [one for one in told if one.is_judged]
    mine, rest = _split(judged, ids)
    return {
        "runs": sorted(set(ids.values())),
        "n": len(mine),
        "share": _share(mine),
        "interval": _interval(mine),
        "n_without": len(rest),
        "share_without": _share(rest),
        "interval_without": _interval(rest),
    }


def _overrides(told: Sequence[Told], came: Brought) -> dict[str, Any] | None:
    """How claims that were let through against the verdict fare; `phi` below 0: overrides go with wrong citations."""
    if not came.overridden:
        return None
    apart = _apart(told, came.overridden)
    mine, rest = _split([one for one in told if one.is_judged], came.overridden)
    right, others = (sum(one.vote == "supports" for one in each) for each in (mine, rest))
    found = phi(right, len(mine) - right, others, len(rest) - others)
    return apart | {"phi": None if found is None else round(found, 6)}


def _split(told: Sequence[Told], ids: Collection[str]) -> tuple[list[Told], list[Told]]:
    return [one for one in told if one.drawn.id in ids], [one for one in told if one.drawn.id not in ids]


METRIC = Metric(title="citation fidelity", version=1, when="weekly", compute=compute, cuts=CUTS, asks="claims")
