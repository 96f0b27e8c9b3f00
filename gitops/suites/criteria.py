"""What a case of mode `llm_judge` asks of a judge."""

from __future__ import annotations

from gitops.suites.model import BenchmarkCase
from gitops.suites.modes import llm_judge
from gitops.suites.modes.mode import value_of
from gitops.verify.criteria import Bench, Criteria, CriteriaJudge, Scored, instrument

__all__ = ["Bench", "Criteria", "CriteriaJudge", "Scored", "asked_of", "bar_of", "instrument"]


def asked_of(case: BenchmarkCase, output: str) -> Criteria:
    """The output of a case with the criteria that it is held to."""
    wanted = llm_judge.read(value_of(case.expected, "llm_judge"))
    return Criteria(output, wanted.criteria, wanted.statements, case.input.goal)


def bar_of(case: BenchmarkCase) -> float | None:
    """The score from which on a case passes its judge; None where none judges it, or where a record has no criteria."""
    if "llm_judge" not in case.expected.modes:
        return None
    try:
        return llm_judge.read(value_of(case.expected, "llm_judge")).min_score
    except ValueError:
        return None
