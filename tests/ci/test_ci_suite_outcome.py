"""How benchmark suites weigh in what a check comes to, and which acceptance covers them."""

from __future__ import annotations

from typing import Any

import pytest

from gitops.ci.accepting import Acceptance
from gitops.ci.judged import Decision, Judged
from gitops.ci.outcome import Said, said
from gitops.ci.result import Accepted, MetricRow, RegressedCase, SuiteRow, UnablatedRow
from gitops.ci.rows import Rows
from gitops.ci.suite_answers import SuiteAnswers, passed_over

SOUND = Judged("commit", "sound.")
FELL = RegressedCase(case="c1", kind="pass_to_fail", before=1, after=0, told="passed, and fails")
METRIC = MetricRow(metric="M1", direction="higher", base=1, head=1, verdict="within noise")


def row(**changes: Any) -> SuiteRow:
    made = {"suite": "writer", "agent": "writer", "verdict": "no regression", "cases": 4, "before": 1.0, "after": 1.0}
    return SuiteRow.model_validate({**made, **changes})


def regressed(**changes: Any) -> SuiteRow:
    return row(**{"verdict": "regressed", "gated": True, "regressions": [FELL], "after": 0.75, **changes})


def told(*rows: SuiteRow, judged: Judged = SOUND, accepted: Acceptance | None = None, **more: Any) -> Said:
    return said(judged, Rows((METRIC,)), accepted, suites=SuiteAnswers(rows, **more))


def test_a_suite_that_regressed_fails_the_check_and_says_by_how_many_cases() -> None:
    found = told(regressed())
    assert (found.outcome, found.cause) == ("failed", "benchmark.writer regressed (1 case)")
    more = told(regressed(more_regressions=3), row(suite="tea"))
    assert more.cause == "benchmark.writer regressed (4 cases)"


def test_what_regressed_is_told_with_a_verdict_that_says_no() -> None:
    assert told(regressed(), judged=Judged("reject", "because")).cause.endswith("; benchmark.writer regressed (1 case)")


@pytest.mark.parametrize("metrics", [(), ("benchmark.writer",), ("M1", "benchmark.writer")])
def test_an_acceptance_that_covers_the_suite_lets_it_pass(metrics: tuple[str, ...]) -> None:
    accepted = Acceptance(Accepted(by="Ada"), metrics)
    found = told(regressed(), accepted=accepted)
    assert (found.outcome, found.cause) == ("passed", "sound; benchmark.writer regressed (1 case), accepted by Ada.")
    [shown] = passed_over(SuiteAnswers((regressed(why="slow"),)), accepted)
    assert (shown.gated, shown.accepted, shown.why) == (False, True, "slow; accepted by Ada")


def test_an_acceptance_of_another_suite_or_of_metrics_lets_nothing_pass() -> None:
    for metrics in (("M1",), ("benchmark.write",), ("writer",)):
        accepted = Acceptance(Accepted(by="Ada"), metrics)
        assert told(regressed(), accepted=accepted).outcome == "failed"
        assert passed_over(SuiteAnswers((regressed(),)), accepted) == (regressed(),)


def test_what_is_open_is_named_as_a_record_names_it() -> None:
    answers = SuiteAnswers((regressed(), row(suite="tea"), row(suite="milk", verdict="no answer", lost=("c1",))))
    assert answers.open(None) == ["benchmark.writer", "benchmark.milk"]
    assert answers.open(Acceptance(Accepted(by="Ada"), ("benchmark.writer",))) == ["benchmark.milk"]


def test_a_case_that_passed_and_has_no_answer_is_never_green() -> None:
    lost = row(verdict="no answer", lost=("c1", "c2"), why="no judge")
    found = told(lost)
    assert (found.outcome, found.missing) == ("neutral", found.cause)
    assert found.cause == "benchmark.writer: c1 and 1 more passed at the baseline and have no answer now: no judge"
    assert "--accept" in found.mend
    accepted = told(lost, accepted=Acceptance(Accepted(by="Ada")))
    assert (accepted.outcome, accepted.missing) == ("passed", "")
    assert "accepted by Ada" in accepted.cause


def test_what_could_not_be_run_is_neutral_and_says_what_to_do() -> None:
    found = told(missing="benchmark.writer was not run: no such program", mend="install it")
    assert (found.outcome, found.missing, found.mend) == ("neutral", found.cause, "install it")


def test_without_a_baseline_nothing_is_gated_and_that_is_not_green() -> None:
    found = told(row(verdict="no baseline", before=None), unanswered="benchmark.writer: no baseline, nothing gated")
    assert (found.outcome, found.missing) == ("neutral", "")
    assert found.cause == "benchmark.writer: no baseline, nothing gated"


@pytest.mark.parametrize("decision", ["commit", "none", "revise"])
def test_the_hard_rule_fails_whatever_is_accepted(decision: Decision) -> None:
    hard = UnablatedRow(
        key="llm.presets.claude", suite="writer", why="no ablation", mend="git assay benchmark ablation"
    )
    found = told(judged=Judged(decision, "sound."), accepted=Acceptance(Accepted(by="Ada")), unablated=(hard, hard))
    assert found.outcome == "failed"
    assert "llm.presets.claude changed without an ablation that shows no harm" in found.cause
    if decision != "revise":
        assert found.mend == "git assay benchmark ablation"


def test_what_passed_counts_the_suites_that_were_compared() -> None:
    compared = (row(), row(suite="tea"), row(suite="new", verdict="new", before=None))
    assert told(*compared).cause == "sound; of 1 metric and 2 benchmark suites none regressed."
    alone = said(SOUND, Rows(), None, suites=SuiteAnswers((row(),)))
    assert alone.cause == "sound; no metric was measured; of 1 benchmark suite none regressed."
    assert said(SOUND, Rows(), None).cause == "sound; no metric was measured."
