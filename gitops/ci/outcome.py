"""What a check comes to: one fold of the verdict, the metrics, the benchmarks, the extraction and what could not be
looked at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from gitops.ci import extraction_answers as extractions
from gitops.ci.accepting import Acceptance
from gitops.ci.extraction_answers import ExtractionAnswers
from gitops.ci.judged import Judged
from gitops.ci.result import MetricRow, Outcome, Result, SuiteRow
from gitops.ci.rows import Rows
from gitops.ci.suite_answers import SuiteAnswers, covers, in_words, name_of
from gitops.runs.seating import NOBODY
from gitops.verify.finding import Finding, Level
from gitops.verify.verdict import called

PASSED, FAILED, COULD_NOT = 0, 1, 3
_BRING_BACK = 'bring back what it measures; or say why it goes: git assay ci check --accept "why"'
_RUN_IT = 'make it run again; or say why it goes: git assay ci check --accept "why"'
NO_SUITES = SuiteAnswers()
"""Of a check that no suite is affected by."""
NO_EXTRACTION = ExtractionAnswers()
"""Of a check of a change that decides nothing about extraction."""
_EXTRACT = 'have it extracted again; or say why it goes: git assay ci check --accept "why"'
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
    suites: SuiteAnswers = NO_SUITES,
    extraction: ExtractionAnswers = NO_EXTRACTION,
) -> Said:
    """Fold a verdict, metrics, benchmarks and extraction. `unmeasured` says what of the metrics could not be measured
    and had to be, `unanswered` what could be measured neither before nor after, so that it is not the change's doing.
    """
    worse = [*_worse(rows, suites, accepted), *_below(extraction, accepted), *_unablated(suites)]
    if judged.decision in ("reject", "revise"):
        return Said("failed", "; ".join((f"{judged.decision}: {_why(judged)}", *worse)), mend=judged.mend)
    if worse:
        return Said("failed", "; ".join(worse), mend=next((row.mend for row in suites.unablated), ""))
    if judged.decision == "none":
        return Said("neutral", f"no verdict: {judged.reasoning}", f"no verdict: {judged.reasoning}", judged.mend)
    if unmeasured:
        return Said("neutral", unmeasured, unmeasured, mend)
    if lost := [name for name in rows.lost if accepted is None or not accepted.covers(name)]:
        told = f"{_and(lost)} had a number at the base and {_has(lost)} none now"
        why = next((f": {row.why}" for row in rows.rows if row.metric == lost[0] and row.why), "")
        return Said("neutral", told + why, told + why, _BRING_BACK)
    if told := suites.missing:
        return Said("neutral", told, told, suites.mend)
    if gone := [row for row in suites.lost if not covers(accepted, row)]:
        told = _of_lost(gone[0])
        return Said("neutral", told, told, suites.mend or _RUN_IT)
    if told := extraction.missing or _of_unscored(extraction, accepted):
        return Said("neutral", told, told, extraction.mend or _EXTRACT)
    if unanswered or (unanswered := _unjudged(judged) or suites.unanswered or extraction.unanswered):
        return Said("neutral", unanswered)
    return Said("passed", _passed(judged, rows, suites, extraction, accepted))


def _worse(rows: Rows, suites: SuiteAnswers, accepted: Acceptance | None) -> list[str]:
    """What regressed, and nobody accepted."""
    regressed = [row.metric for row in refused(rows, accepted)]
    told = [f"{_and(regressed)} regressed"] if regressed else []
    return told + list(in_words([row for row in suites.gated if not covers(accepted, row)]))


def _below(extraction: ExtractionAnswers, accepted: Acceptance | None) -> list[str]:
    """The bars that the extraction does not reach, and that nobody accepted."""
    return extractions.in_words([row for row in extraction.gated if not extractions.covers(accepted, row)])


def _of_unscored(extraction: ExtractionAnswers, accepted: Acceptance | None) -> str:
    """What of the extraction has no number any more, and nobody accepted that; '' of nothing."""
    lost = [row for row in extraction.lost if not extractions.covers(accepted, row)]
    if not lost:
        return ""
    gone = [row for row in lost if row.before is not None]
    rows = gone or lost
    named = [extractions.name_of(row) for row in rows] if len(rows) < len(extraction.bars) else ["extraction"]
    is_gone = f"had a number at the base and {_has(named)} none now"
    told = f"{_and(named)} {is_gone if gone else f'{_has(named)} no number, which reaches no bar'}"
    return f"{told}: {rows[0].why}" if rows[0].why else told


def _unablated(suites: SuiteAnswers) -> list[str]:
    """What was calibrated anew and not shown to do no harm. No label accepts that away (silas 20.6)."""
    keys = list(dict.fromkeys(row.key for row in suites.unablated))
    return [f"{_and(keys)} changed without an ablation that shows no harm"] if keys else []


def _of_lost(row: SuiteRow) -> str:
    cases = f"{row.lost[0]}{f' and {len(row.lost) - 1:,} more' if len(row.lost) > 1 else ''}"
    told = f"{name_of(row)}: {cases} passed at the baseline and {_has(row.lost)} no answer now"
    return f"{told}: {row.why}" if row.why else told


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


def _passed(
    judged: Judged, rows: Rows, suites: SuiteAnswers, extraction: ExtractionAnswers, accepted: Acceptance | None
) -> str:
    told = judged.reasoning.rstrip(".")
    what = [f"{_and([row.metric for row in rows.gated])} regressed"] if rows.gated else []
    what += [f"{_and(rows.lost)} {_has(rows.lost)} no number any more"] if rows.lost else []
    what += list(in_words(suites.gated))
    what += [_of_lost(row) for row in suites.lost if not row.gated]
    what += extractions.in_words(extraction.gated)
    what += [unscored] if (unscored := _of_unscored(extraction, None)) else []
    if accepted is not None and what:
        return f"{told}; {' and '.join(what)}, accepted by {accepted.told.by}."
    measured = [row for row in rows.rows if row.base is not None and row.head is not None]
    compared = [row for row in suites.rows if row.verdict == "no regression"]
    kinds = ((len(measured), "metric"), (len(compared), "benchmark suite"))
    counted = [_counted(count, what) for count, what in kinds if count]
    none = [] if measured else ["no baseline, no metric gated" if rows.rows else "no metric was measured"]
    sound = [f"of {_and(counted)} none regressed"] if counted else []
    sound += [extraction.sound] if extraction.sound else []
    return "; ".join((told, *none, *sound)) + "."


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _has(names: Sequence[str]) -> str:
    return "has" if len(names) == 1 else "have"


def _and(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
