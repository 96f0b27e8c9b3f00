"""A judge scores the output by criteria, from 0.0 to 1.0; it passes from `min_score` on (0.5 where nobody says).

The value is the criteria in free words, or a table: `criteria`, `statements` (claims that the output has to make, which
a judge without a model may decide, too), `min_score`. Where the judge abstains nobody can tell.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from gitops.suites.model import BenchmarkExpected
from gitops.suites.modes.mode import Asked, Grade, table

BAR = 0.5


class Wanted(BaseModel):
    """What a judge is to hold an output to."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    criteria: str = ""
    statements: tuple[str, ...] = ()
    min_score: float = Field(default=BAR, gt=0, le=1, allow_inf_nan=False)

    @model_validator(mode="after")
    def _says_something(self) -> Wanted:
        if not self.criteria.strip() and not self.statements:
            raise ValueError("needs criteria or statements")
        if not all(each.strip() for each in self.statements):
            raise ValueError("has an empty statement")
        return self


def read(value: Any) -> Wanted:
    """What is wanted. ValueError for a value that says nothing."""
    if isinstance(value, str):
        value = {"criteria": value}
    if not isinstance(value, dict):
        raise ValueError("mode llm_judge needs a 'value': the criteria, or a table of criteria, statements, min_score")
    return table(Wanted, value, "llm_judge")


def check(value: Any, expected: BenchmarkExpected) -> None:
    """As `read`."""
    read(value)


def grade(asked: Asked) -> Grade:
    """Hold the judge's score to the bar."""
    scored = asked.scored
    if scored is None:
        return Grade(None, "no judge was asked")
    if scored.score is None:
        return Grade(None, f"no judge could tell: {scored.reason}" if scored.reason else "no judge could tell")
    bar = read(asked.value).min_score
    if scored.score >= bar:
        return Grade(True, scored.reason)
    return Grade(False, f"judged {scored.score:.2f}, wanted {bar:.2f}: {scored.reason}", "judge")
