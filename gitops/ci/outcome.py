"""What a check comes to: one fold of the verdict, the metrics and what could not be looked at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from gitops.ci.accepting import Acceptance
from gitops.ci.judged import Judged
from gitops.ci.result import MetricRow, Outcome, Result
from gitops.ci.rows import Rows
from gitops.runs.seating import NOBODY
from gitops.verify.finding import Finding, Level
from gitops.verify.verdict import called

PASSED, FAILED, COULD_NOT = 0, 1, 3
_BRING_BACK = 'bring back what it measures; or say why it goes: git assay ci check --accept "why"'
_GATING = (Level.ERROR, Level.WARNING)


@dataclass(frozen=True, slots=True)
class Checked:
    """A result, and whether something that had to be looked at could not be: `missing` says what, `mend` what to do."""

    result: Result
    missing: str = ""
    mend: str = ""
    findings: tuple[Finding, ...] = ()
    """The new errors and warnings, whole."""

    def exit_code(self, *, fail_on_neutral: bool = False) -> int:
        """0 where something ran and passed, 1 where it failed, 3 where it could not run; 3 with `fail_on_neutral`
        also where there was nothing to gate.
        """
        if self.result.outcome == "failed":
            return FAILED
        if self.missing or (fail_on_neutral and self.result.outcome == "neutral"):
            return COULD_NOT
        return PASSED


def exit_code(checked: Sequence[Checked], *, fail_on_neutral: bool = False) -> int:
    """That of several workspaces: a no counts before what could not run."""
    codes = {each.exit_code(fail_on_neutral=fail_on_neutral) for each in checked}
    return next((code for code in (FAILED, COULD_NOT) if code in codes), PASSED)


@dataclass(frozen=True, slots=True)
class Said:
    """The outcome and its cause; what is missing, where the check could not answer."""

    outcome: Outcome
    cause: str
    missing: str = ""
    mend: str = ""


def said(
    judged: Judged,
    rows: Rows,
    accepted: Acceptance | None,
    unmeasured: str = "",
    mend: str = "",
    unanswered: str = "",
) -> Said:
    """Fold a verdict and metrics. `unmeasured` says what of the metrics could not be measured and had to be,
    `unanswered` what could be measured neither before nor after the change, so that it is not the change's doing.
    """
    regressed = [row.metric for row in refused(rows, accepted)]
    worse = [f"{_and(regressed)} regressed"] if regressed else []
    if judged.decision in ("reject", "revise"):
        return Said("failed", "; ".join((f"{judged.decision}: {_why(judged)}", *worse)), mend=judged.mend)
    if worse:
        return Said("failed", *worse)
    if judged.decision == "none":
        return Said("neutral", f"no verdict: {judged.reasoning}", f"no verdict: {judged.reasoning}", judged.mend)
    if unmeasured:
        return Said("neutral", unmeasured, unmeasured, mend)
    if lost := [name for name in rows.lost if accepted is None or not accepted.covers(name)]:
        told = f"{_and(lost)} had a number at the base and {_has(lost)} none now"
        why = next((f": {row.why}" for row in rows.rows if row.metric == lost[0] and row.why), "")
        return Said("neutral", told + why, told + why, _BRING_BACK)
    if unanswered or (unanswered := _unjudged(judged)):
        return Said("neutral", unanswered)
    return Said("passed", _passed(judged, rows, accepted))


def _unjudged(judged: Judged) -> str:
    """That nobody sat to judge the new claims; '' where somebody did, or there are none."""
    if judged.verdict is None or judged.verdict.judge != NOBODY or not judged.verdict.counts.unjudged:
        return ""
    claims = judged.verdict.counts.unjudged
    return f"no judge: the policy names none, and {claims:,} new claim{'s have' if claims > 1 else ' has'} no vote"


def _why(judged: Judged) -> str:
    """How many findings refuse the change, and which is the first; they are told one by one elsewhere."""
    if not judged.findings:
        return judged.reasoning
    levels = Counter(found.level for found in judged.findings)
    told = [f"{levels[each]:,} new {each.value}{'s' * (levels[each] > 1)}" for each in _GATING if levels[each]]
    first = next(found for each in _GATING for found in judged.findings if found.level is each)
    where = f"{first.path}:{first.line}" if first.line else first.path
    place = f"{', the first' if len(judged.findings) > 1 else ''} in {where}" if where else ""
    return f"{_and(told)}{place} ({called(first)})"


def refused(rows: Rows, accepted: Acceptance | None) -> list[MetricRow]:
    """The rows that a check fails by: those that regressed, and that nobody accepted."""
    return [row for row in rows.gated if accepted is None or not accepted.covers(row.metric)]


def _passed(judged: Judged, rows: Rows, accepted: Acceptance | None) -> str:
    told = judged.reasoning.rstrip(".")
    if accepted is not None and (rows.gated or rows.lost):
        what = [f"{_and([row.metric for row in rows.gated])} regressed"] if rows.gated else []
        what += [f"{_and(rows.lost)} {_has(rows.lost)} no number any more"] if rows.lost else []
        return f"{told}; {' and '.join(what)}, accepted by {accepted.told.by}."
    if not rows.rows:
        return f"{told}; no metric was measured."
    measured = [row for row in rows.rows if row.base is not None and row.head is not None]
    if not measured:
        return f"{told}; no baseline, no metric gated."
    return f"{told}; of {len(measured)} metric{'s' * (len(measured) != 1)} none regressed."


def _has(names: Sequence[str]) -> str:
    return "has" if len(names) == 1 else "have"


def _and(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
