"""How the bars of extraction weigh in what a check comes to, and which acceptance covers them."""

from __future__ import annotations

from typing import Any

import pytest

from gitops.ci.accepting import Acceptance
from gitops.ci.extraction_answers import ExtractionAnswers, passed_over
from gitops.ci.judged import Judged
from gitops.ci.outcome import Said, said
from gitops.ci.result import Accepted, BarRow, ExtractionAnswer
from gitops.ci.rows import Rows

SOUND = Judged("commit", "sound.")


def row(metric: str = "atom_f1", **changes: Any) -> BarRow:
    made = {"metric": metric, "op": ">=", "bar": 0.6, "before": 0.8, "after": 0.8, "verdict": "met"}
    return BarRow.model_validate({**made, **changes})


def below(metric: str = "atom_f1", **changes: Any) -> BarRow:
    return row(metric, **{"after": 0.5, "verdict": "below", "gated": True, **changes})


def lost(metric: str = "atom_f1", **changes: Any) -> BarRow:
    return row(metric, **{"after": None, "verdict": "not measured", "why": "no key", **changes})


def answers(*rows: BarRow, **more: Any) -> ExtractionAnswers:
    return ExtractionAnswers(ExtractionAnswer(because="b", extracted="e", bars=rows), **more)


def told(*rows: BarRow, judged: Judged = SOUND, accepted: Acceptance | None = None, **more: Any) -> Said:
    return said(judged, Rows(), accepted, extraction=answers(*rows, **more))


def test_a_bar_that_is_not_reached_fails_the_check_and_says_what_it_was() -> None:
    found = told(below(), row("edge_f1"))
    assert (found.outcome, found.cause) == (
        "failed",
        "extraction.atom_f1 is 0.500 (the bar is >= 0.6; the base has 0.800)",
    )


def test_several_bars_that_are_not_reached_are_one_phrase() -> None:
    cause = told(below(), below("edge_f1", before=None)).cause
    assert cause == "extraction is below 2 bars: atom_f1 0.500 (>= 0.6; the base has 0.800), edge_f1 0.500 (>= 0.6)"


def test_a_bar_that_the_base_does_not_reach_either_fails_it_all_the_same() -> None:
    found = told(below(before=0.4, was_below=True))
    assert found.outcome == "failed"
    assert found.cause == "extraction.atom_f1 is 0.500 (the bar is >= 0.6; the base has 0.400, below it too)"


def test_what_is_below_is_told_with_a_verdict_that_says_no() -> None:
    assert "; extraction.atom_f1 is 0.500" in told(below(), judged=Judged("reject", "because")).cause


@pytest.mark.parametrize("metrics", [(), ("extraction.atom_f1",), ("M1", "extraction.atom_f1")])
def test_an_acceptance_that_covers_the_bar_lets_it_pass(metrics: tuple[str, ...]) -> None:
    accepted = Acceptance(Accepted(by="Ada"), metrics)
    found = told(below(), accepted=accepted)
    assert found.outcome == "passed"
    assert found.cause.endswith("extraction.atom_f1 is 0.500 (the bar is >= 0.6; the base has 0.800), accepted by Ada.")
    shown = passed_over(answers(below(), row("edge_f1")), accepted)
    assert shown is not None
    assert [(each.gated, each.accepted, each.why) for each in shown.bars] == [
        (False, True, "accepted by Ada"),
        (False, False, ""),
    ]


def test_an_acceptance_of_another_bar_or_of_metrics_lets_nothing_pass() -> None:
    for metrics in (("M1",), ("extraction.edge_f1",), ("atom_f1",)):
        accepted = Acceptance(Accepted(by="Ada"), metrics)
        assert told(below(), accepted=accepted).outcome == "failed"
        assert passed_over(answers(below()), accepted) == answers(below()).answer


def test_what_is_open_is_named_as_a_record_names_it() -> None:
    found = answers(below(), row("edge_f1"), lost("faithfulness"))
    assert found.open(None) == ["extraction.atom_f1", "extraction.faithfulness"]
    assert found.open(Acceptance(Accepted(by="Ada"), ("extraction.atom_f1",))) == ["extraction.faithfulness"]


def test_a_number_that_is_gone_is_never_green() -> None:
    found = told(row("edge_f1"), lost("faithfulness"))
    assert (found.outcome, found.missing) == ("neutral", found.cause)
    assert found.cause == "extraction.faithfulness had a number at the base and has none now: no key"
    assert "--accept" in found.mend
    every = told(lost(), lost("edge_f1"))
    assert every.cause == "extraction had a number at the base and has none now: no key"
    accepted = told(lost(), row("edge_f1"), accepted=Acceptance(Accepted(by="Ada")))
    assert (accepted.outcome, accepted.missing) == ("passed", "")
    assert "accepted by Ada" in accepted.cause


def test_a_bar_that_is_below_counts_before_one_that_is_gone() -> None:
    assert told(below(), lost("edge_f1")).outcome == "failed"


def test_what_could_not_be_scored_is_neutral_and_says_what_to_do() -> None:
    found = told(missing="the change leaves gold that is broken", mend="git assay gold check")
    assert (found.outcome, found.missing, found.mend) == ("neutral", found.cause, "git assay gold check")


def test_what_has_no_number_on_either_side_is_not_green() -> None:
    found = told(row(before=None, after=None, verdict="not measured"), unanswered="extraction.atom_f1 has no number")
    assert (found.outcome, found.missing, found.cause) == ("neutral", "", "extraction.atom_f1 has no number")


def test_a_bar_that_nothing_is_held_to_is_not_reached_unless_somebody_accepts_that() -> None:
    bare = row("faithfulness", before=None, after=None, verdict="not measured", why="there is no sentence")
    found = told(row(), bare, unheld=("faithfulness",))
    assert (found.outcome, found.missing) == ("neutral", found.cause)
    assert found.cause == "extraction.faithfulness has no number, which reaches no bar: there is no sentence"
    assert answers(row(), bare, unheld=("faithfulness",)).open(None) == ["extraction.faithfulness"]
    accepted = Acceptance(Accepted(by="Ada"), ("extraction.faithfulness",))
    passed = told(row(), bare, unheld=("faithfulness",), accepted=accepted)
    assert (passed.outcome, passed.missing) == ("passed", "")
    shown = passed_over(answers(row(), bare, unheld=("faithfulness",)), accepted)
    assert shown is not None
    assert [each.accepted for each in shown.bars] == [False, True]


def test_what_passed_says_that_extraction_reaches_its_bars() -> None:
    assert told(row()).cause == "sound; no metric was measured; extraction reaches its bars."
    left = told(row(), below("edge_f1", gated=False))
    assert (left.outcome, left.cause.endswith("extraction stays below its bar for edge_f1.")) == ("passed", True)
    assert "extraction" not in told(row(before=None, verdict="shown")).cause
