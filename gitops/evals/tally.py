"""What the verifier said of each trial, counted: samples, and for each kind the share that was caught."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gitops.evals.planting.kinds import KINDS
from gitops.evals.trials import Tried
from gitops.runs.measurements import Metric, Sample, SampleStatus
from gitops.runs.verifier_tests import CAUGHT, CONTROL, REFUSED
from gitops.stats.intervals import wilson
from gitops.usage import Usage
from gitops.verify.finding import Finding

_GATES = ("error", "warning")
_JUDGED = "support"
"""The check by which judges speak."""
_AGAINST = ("does_not_support", "partially_supports", "source_missing")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one trial.

    `refused_by` are the results for which the change would not land, those of the checks before those of the judges.
    `vote` is what the judges said of the claim, '' where they were not asked.
    """

    tried: Tried
    refused_by: tuple[str, ...]
    is_by_checks: bool
    vote: str
    confidence: float | None

    @property
    def kind(self) -> str:
        """The kind of the trial."""
        return self.tried.trial.kind

    @property
    def is_refused(self) -> bool:
        """Whether an error or a warning was told."""
        return bool(self.refused_by)

    @property
    def is_noted(self) -> bool:
        """Whether a judge voted against it, not sure enough to decide."""
        return not self.is_refused and self.vote in _AGAINST

    @property
    def is_unjudged(self) -> bool:
        """Whether nothing was said at all: no check refused it, no judge voted."""
        return not self.is_refused and self.vote in ("", "abstained")

    @property
    def status(self) -> SampleStatus:
        """`pass` where the verifier did right; `abstained` where nobody said anything, of a control too."""
        if self.is_unjudged:
            return "abstained"
        return "pass" if self.is_refused != (self.kind == CONTROL) else "fail"


def outcome(tried: Tried) -> Outcome:
    """What the findings that a trial caused come to."""
    gating = [found for found in tried.findings if found.level in _GATES]
    by_checks = [found for found in gating if found.check != _JUDGED]
    by_judges = [found for found in gating if found.check == _JUDGED]
    voted = _vote(tried)
    return Outcome(
        tried,
        tuple(dict.fromkeys(f"{found.check} {found.result}" for found in (*by_checks, *by_judges))),
        bool(by_checks),
        voted.result if voted else "",
        voted.evidence.get("confidence") if voted else None,
    )


def _vote(tried: Tried) -> Finding | None:
    """What the judges said of the claim itself: a shared footnote may bring others before them too."""
    said = [found for found in tried.findings if found.check == _JUDGED]
    own = [found for found in said if found.claim in (tried.trial.now, tried.trial.sound.claim.text)]
    return next(iter(own or said), None)


def sample(one: Outcome) -> Sample:
    """One trial as it is recorded."""
    trial = one.tried.trial
    claim = trial.sound.claim
    details: dict[str, Any] = {"path": trial.sound.path, "line": claim.place.line, "claim": claim.text}
    if trial.kind != CONTROL:
        details |= {"planted": trial.now} | ({"was": trial.was} if trial.was != claim.text else {})
    if one.refused_by:
        details["refused_by"] = list(one.refused_by)
    if one.vote:
        details |= {"vote": one.vote, "confidence": one.confidence}
    return Sample(id=trial.id, status=one.status, tags=(trial.kind,), details=details)


def metrics(outcomes: Sequence[Outcome], not_applicable: Mapping[str, int], used: Usage) -> dict[str, Metric]:
    """The share caught of each kind and of all; of controls the share refused; and what the judges used."""
    planted = [one for one in outcomes if one.kind != CONTROL]
    controls = [one for one in outcomes if one.kind == CONTROL]
    found = {kind: _share([o for o in planted if o.kind == kind], "higher", not_applicable[kind]) for kind in KINDS}
    found[CAUGHT] = _share(planted, "higher")
    found[REFUSED] = _share(controls, "lower", not_applicable[CONTROL])
    spent = {"input_tokens": ("tokens", used.read), "output_tokens": ("tokens", used.output), "usd": ("USD", used.usd)}
    for name, (unit, value) in spent.items():
        found[name] = Metric(value=round(value, 6), n=used.calls, direction="lower", unit=unit, status="measured")
    return found


def _share(outcomes: Sequence[Outcome], direction: Any, not_applicable: int | None = None) -> Metric:
    refused, n = _count(one.is_refused for one in outcomes), len(outcomes)
    by_checks = _count(one.is_by_checks for one in outcomes)
    counts = {
        "refused": refused,
        "by_checks": by_checks,
        "by_judge": refused - by_checks,
        "noted": _count(one.is_noted for one in outcomes),
        "unjudged": _count(one.is_unjudged for one in outcomes),
    }
    if not_applicable is not None:
        counts["not_applicable"] = not_applicable
    return Metric(
        value=round(refused / n, 6) if n else None,
        n=n,
        interval=_interval(refused, n),
        direction=direction,
        unit="share",
        average="micro",
        status="measured" if n else "not_measured",
        counts=counts,
    )


def _interval(hits: int, of: int) -> tuple[float, float] | None:
    bounds = wilson(hits, of)
    return (round(bounds[0], 6), round(bounds[1], 6)) if bounds else None


def _count(flags: Iterable[bool]) -> int:
    return sum(map(bool, flags))
