"""M6, citation survival: of the anchors that stood a week ago, the share that still verifies or lives on dated.

Where the history is younger than a week, those that stood before the newest landed run. Anchors are citations with a
quotation or a place that was found in their source. Only pages that the change can have affected are looked at; on all
others they stand as they stood, and are counted. It is a census of them, so there is no interval. Informational.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from gitops.canonical import digest
from gitops.evals.anchor_counts import AnchorCounts
from gitops.evals.baseline_of import Baseline, baseline
from gitops.evals.metric import Metric, MetricResult, nothing_to_measure
from gitops.evals.subject import Subject
from gitops.evals.survival import Outcome, outcomes
from gitops.git.treediff import changed
from gitops.runs.measurements import Sample
from gitops.verify.affected import affected
from gitops.verify.verifier import is_examined
from gitops.verify.view import View
from gitops.wiki.snapshot import Change, Touched

TOLD = 200
"""So many lost anchors are told by page and line; `counts` has all."""
WHYS = {
    "page_gone": "its page is gone",
    "removed": "it is no longer cited there",
    "source_gone": "its source is gone",
    "unverified": "its source no longer says it",
}


def compute(subject: Subject) -> MetricResult:
    """What became of the anchors since the baseline."""
    since = baseline(subject.context, subject.workspace, subject.commit, subject.moment)
    if since is None:
        return nothing_to_measure("the history is younger than a week, and no run has landed in it")
    before, looked_at = _earlier(subject, since.commit)
    found = outcomes(before, subject.view, looked_at)
    whole = AnchorCounts(subject.bench, before).whole(subject.context.commit(since.commit).tree)
    stood, untouched = whole.anchors, whole.anchors - len(found)
    details = _details(subject, since, found) | {"pages": whole.pages, "pages_looked_at": len(looked_at)}
    if not stood:
        return nothing_to_measure(f"no anchor stood at {since.commit[:10]}, {since.why}", details=details)
    fates = Counter(one.fate for one in found)
    lost = [one for one in found if one.fate == "lost"]
    return MetricResult(
        score=1 - len(lost) / stood,
        status="healthy",
        n=stood,
        samples=tuple(_sample(one, since) for one in lost[:TOLD]),
        counts={"stood": stood, "untouched": untouched, **{each: fates[each] for each in ("verified", "moved")}}
        | {"dated": fates["dated"], "lost": len(lost)},
        details=details,
        instrument={"baseline": "week" if not since.run_id else "run"},
    )


def _earlier(subject: Subject, commit: str) -> tuple[View, set[str]]:
    """The wiki at an earlier commit, seen from the present one, and the pages that the difference can have affected."""
    now, then = subject.bench.base_tree, subject.context.tree(commit)
    touched = tuple(Touched(*each) for each in changed(subject.context.repository, now.tree_id, then.tree_id))
    change = Change(now, then, touched)
    before = subject.bench.head_view(subject.view, then, change)
    # The past of a source is asked for by nobody here, and the present one's would be the wrong one.
    found = affected(subject.view, before, change) | {entry.path for entry in touched}
    return before, {path for path in found if is_examined(before, path) or is_examined(subject.view, path)}


def _details(subject: Subject, since: Baseline, found: Sequence[Outcome]) -> dict[str, Any]:
    lost = [one for one in found if one.fate == "lost"]
    return {
        "baseline": {"commit": since.commit, "why": since.why, "run": since.run_id or None},
        "commit": subject.commit,
        "interval": "none: all anchors were counted, and none was sampled",
        "lost": [_told(one) for one in lost[:TOLD]],
        "dated": [_told(one) for one in found if one.fate == "dated"][:TOLD],
    }


def _told(one: Outcome) -> dict[str, Any]:
    anchor = one.anchor
    told = {"path": anchor.path, "line": anchor.line, "claim": anchor.claim, "source": anchor.source}
    return told | {"cited": anchor.told} | ({"why": WHYS[one.why]} if one.why else {})


def _sample(one: Outcome, since: Baseline) -> Sample:
    named = digest([one.anchor.path, *one.anchor.key])[:32]
    tags = (one.why,) if one.why else ()
    return Sample(id=named, status="fail", tags=tags, details=_told(one) | {"baseline": since.commit})


METRIC = Metric(title="citation survival", version=1, when="weekly", compute=compute)
