"""What a measurement of an extraction holds beside its numbers: what was wrong, by type, and what to tell aloud."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gitops.extraction import bars, problems
from gitops.extraction.aggregate import Aggregate
from gitops.extraction.emitted import some
from gitops.extraction.model import ClaimStatus, Counts, Scored
from gitops.extraction.problems import Wrong

DIGITS = 6
_MOST = 2000
"""So many problems are kept with a measurement, which every clone has; `problem_counts` has how many there are."""


def details(scored: Scored, numbers: Aggregate) -> dict[str, Any]:
    """All of it as plain JSON."""
    wrong = problems.problems(scored)
    return {
        "by_type": {kind: _by_type(counts) for kind, counts in numbers.by_type.items()},
        "claims": {status: _claims(scored, status) for status in ("grounded", "fabricated", "omitted", "unjudged")},
        "problem_counts": problems.counted(wrong),
        "problems": [one.record() for one in _fairly(wrong)],
        "ties": [
            {"case": case.case.id, "gold": list(tie.gold), "extracted": list(tie.emitted)}
            for case in scored.cases
            for tie in case.matching["canonical"].ties
        ],
        "stray": list(scored.stray),
        "remarks": list(_remarks(scored)),
    }


def _fairly(wrong: Sequence[Wrong]) -> Iterator[Wrong]:
    """The first of each kind, errors before warnings, and so many of all together that a record stays small."""
    most = _MOST // len(problems.KINDS)
    left = dict.fromkeys(problems.KINDS, len(wrong) if len(wrong) <= _MOST else most)
    for one in sorted(wrong, key=lambda each: each.level != "error"):
        if left[one.kind]:
            left[one.kind] -= 1
            yield one


def _by_type(counts: Mapping[str, Counts]) -> dict[str, dict[str, Any]]:
    return {
        name: {
            "tp": one.tp,
            "fp": one.fp,
            "fn": one.fn,
            "precision": rounded(one.precision),
            "recall": rounded(one.recall),
            "f1": rounded(one.f1),
        }
        for name, one in counts.items()
    }


def rounded(value: float | None) -> float | None:
    """A number as records have it."""
    return None if value is None else round(value, DIGITS)


def _claims(scored: Scored, status: ClaimStatus) -> int:
    return sum(case.faithfulness.count(status) for case in scored.cases)


def _remarks(scored: Scored) -> Iterator[str]:
    """What has to be told aloud beside the numbers."""
    if scored.stray:
        yield f"belongs to no case, and counts for nothing: {some(scored.stray)}"
    empty = [case.case.id for case in scored.cases if not case.emitted.files and case.case.gold.files]
    if empty:
        count = f"{len(empty):,} {'case' if len(empty) == 1 else 'cases'}"
        yield f"nothing was extracted for {count}: {some(empty)}; all their atoms count as missed"
    ties = [case.case.id for case in scored.cases if case.matching["canonical"].ties]
    if ties:
        yield f"another matching of atoms would be as good (details.ties): {some(ties)}"
    if _claims(scored, "unjudged"):
        yield f"{bars.unjudged(scored)}: they count for nothing"
