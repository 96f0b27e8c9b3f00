from __future__ import annotations

from collections.abc import Callable

from gitops.verify.finding import Finding
from gitops.verify.view import RunFacts

SaidBy = Callable[..., list[Finding]]
BUDGET = {"input_tokens": 1000.0, "output_tokens": 0.0, "usd": 0.5}


def test_within_the_budget_without_one_or_unknown_says_nothing(said_by: SaidBy) -> None:
    for run in (
        RunFacts(budget=BUDGET, used={"input_tokens": 1000, "usd": 0.5}),
        RunFacts(budget=BUDGET, used={"output_tokens": 10**9}),
        RunFacts(used={"input_tokens": 10**9}),
        RunFacts(budget=BUDGET, used=None),
    ):
        assert said_by("budget", {}, {"wiki/a.md": "Words.\n"}, run=run) == []


def test_each_amount_that_is_exceeded_is_told(said_by: SaidBy) -> None:
    run = RunFacts("ingest", budget=BUDGET, used={"input_tokens": 1001, "usd": 0.75})
    found = said_by("budget", {}, {"wiki/a.md": "Words.\n"}, run=run)
    assert {(one.result, one.level.value, one.line, one.message) for one in found} == {
        ("exceeded", "error", 0, "the run used 1001 input_tokens of 1000"),
        ("exceeded", "error", 0, "the run used 0.75 usd of 0.5"),
    }
    assert "raise [llm.budgets.ingest] usd, or split the run" in {one.repair for one in found}
