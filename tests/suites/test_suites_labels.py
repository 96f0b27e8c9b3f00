"""What persons say of cases: the newest counts, on the run that was meant alone, and signed where that is demanded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from gitops.errors import CannotRun, UsageError
from gitops.runs import feedback
from gitops.suites import labelling, labels, measuring, remembered
from gitops.suites.agreement import agreement
from gitops.suites.labels import labelled
from gitops.suites.model import BenchmarkResult, BenchmarkRun
from tests.runs.driving import MAIN, Wiki, first_files
from tests.runs.signed import SignedWiki, signed
from tests.suites.suite_runs import a_case, a_result, a_run, a_suite

__all__ = ["signed"]

CASES = ("a", "b", "c")


@pytest.fixture
def wiki(make_repository: Callable[..., Path]) -> Wiki:
    return Wiki(make_repository(first_files(pages=2)))


def expecting(name: str, mode: str, value: Any = None) -> Any:
    return a_case(name, expected={"mode": mode, "value": value, "metric_thresholds": None})


SUITE = a_suite(
    expecting("a", "human"), expecting("b", "llm_judge+human", "is kind"), expecting("c", "llm_judge", "is kind")
)


def run_on(wiki: Wiki, results: Sequence[BenchmarkResult] | None = None, **fields: Any) -> BenchmarkRun:
    """A run of the three cases on the wiki's tip, none of which a person has seen."""
    found = results or [
        a_result("a", "skipped", category="human", actual_output="x"),
        a_result("b", "skipped", category="llm_judge+human", actual_output="y"),
        a_result("c", "pass", actual_output="z", llm_judge_score=0.8),
    ]
    return a_run(found, SUITE, **({"commit": str(wiki.ref(MAIN)), "workspace": "tides"} | fields))


def status(run: BenchmarkRun) -> list[tuple[str, str, str | None]]:
    return [(each.status, each.category, each.human_label) for each in run.results]


def test_a_label_decides_a_case_that_waits_for_a_person_alone(wiki: Wiki) -> None:
    run = run_on(wiki)
    for case in CASES:
        labels.keep(wiki.context(), run, case, "pass", "it is  kind\n")
    [found] = labelled(wiki.context(), [run])
    assert status(found) == [("pass", "", "pass"), ("skipped", "llm_judge", "pass"), ("pass", "", "pass")]
    assert found.summary is not None
    assert found.summary.pass_rate == 1.0
    assert status(run)[0] == ("skipped", "human", None)
    assert found.results[1].reason == "a person says pass; llm_judge could not tell"
    [said] = [one for one in feedback.labels_on(wiki.context(), run.commit) if one.case == "a"]
    assert (said.reason, said.by.name) == ("it is kind", "Ada Writer")
    assert said.summary == "shell/a: pass, says Ada Writer: it is kind"


def test_a_no_of_a_person_fails_what_waited_and_not_what_a_judge_passed(wiki: Wiki) -> None:
    run = run_on(wiki)
    for case in CASES:
        labels.keep(wiki.context(), run, case, "fail")
    [found] = labelled(wiki.context(), [run])
    assert status(found) == [("fail", "human", "fail"), ("fail", "human", "fail"), ("pass", "", "fail")]
    assert found.summary is not None
    assert found.summary.failure_categories == {"human": 2}


def test_the_newest_label_counts_whatever_the_order_of_the_lines(wiki: Wiki) -> None:
    run = run_on(wiki)
    labels.keep(wiki.context(), run, "a", "fail")
    wiki.later(minutes=1)
    labels.keep(wiki.context(), run, "a", "pass")
    [found] = labelled(wiki.context(), [run])
    assert found.results[0].status == "pass"


def test_of_two_labels_within_one_second_the_second_counts(wiki: Wiki) -> None:
    run = run_on(wiki)
    for said in ("pass", "fail", "pass", "fail", "pass"):
        labels.keep(wiki.context(), run, "a", said, "x")
        labels.keep(wiki.context(), run, "c", "fail")
        [found] = labelled(wiki.context(), [run])
        assert [each.human_label for each in found.results] == [said, None, "fail"]


def test_a_label_is_of_one_run_one_repeat_one_suite_and_one_variant(wiki: Wiki) -> None:
    run = run_on(wiki)
    labels.keep(wiki.context(), run, "a", "pass")
    others = [
        run_on(wiki, run_id="20240102-030405-00000002"),
        run_on(wiki, repeat=1),
        run_on(wiki, suite_id="other"),
        run_on(wiki, variant="treatment"),
        run_on(wiki, workspace="elsewhere"),
    ]
    found = labelled(wiki.context(), [run, *others])
    assert [each.results[0].human_label for each in found] == ["pass", None, None, None, None, None]
    labels.keep(wiki.context(), others[3], "a", "fail")
    found = labelled(wiki.context(), [run, *others])
    assert [each.results[0].human_label for each in found] == ["pass", None, None, None, "fail", None]


def test_what_cannot_be_labelled_is_refused(wiki: Wiki) -> None:
    run = run_on(wiki, [a_result("a", "error", error="exit code 1"), a_result("b", "timeout", error="too long")])
    with pytest.raises(UsageError, match="has no case 'q'"):
        labels.keep(wiki.context(), run, "q", "pass")
    with pytest.raises(UsageError, match="there is nothing to label: case a ended in error: exit code 1"):
        labels.keep(wiki.context(), run, "a", "pass")
    assert feedback.labels_on(wiki.context(), run.commit) == []


@pytest.mark.slow
def test_where_signatures_are_demanded_a_label_counts_by_one_that_holds(signed: SignedWiki) -> None:
    run = run_on(signed.wiki)
    signed.use(signed.other)
    with pytest.raises(CannotRun, match="is none of the allowed signers"):
        labels.keep(signed.wiki.context(), run, "a", "pass")
    assert labelled(signed.wiki.context(), [run]) == [run]
    signed.use(signed.key)
    labels.keep(signed.wiki.context(), run, "a", "pass")
    [found] = labelled(signed.wiki.context(), [run])
    assert found.results[0].status == "pass"


def test_each_output_that_waits_is_shown_once(wiki: Wiki) -> None:
    other = a_result("a", "skipped", category="human", actual_output="other")
    runs = [run_on(wiki), run_on(wiki, repeat=1), run_on(wiki, [other], repeat=2)]
    shown = labelling.waiting(runs)
    told = [(each.case_id, each.output, [run.repeat for run in each.runs]) for each in shown]
    assert told == [("a", "x", [0, 1]), ("b", "y", [0, 1]), ("a", "other", [2])]
    assert shown[0].case is not None
    assert shown[0].case.input.goal == "goal of a"
    with pytest.raises(UsageError, match="the case a has 2 different outputs"):
        labelling.only(labelling.of_case(runs, "a"))
    assert labelling.only(labelling.of_case(runs, "c")).output == "z"


def test_outputs_that_the_record_does_not_hold_whole_are_not_taken_for_one(wiki: Wiki) -> None:
    def of(output: str | None, repeat: int) -> BenchmarkRun:
        return run_on(wiki, [a_result("a", "skipped", category="human", actual_output=output)], repeat=repeat)

    long = [remembered.run_of(measuring.measurement(of("x" * 5_000 + end, at))) for at, end in enumerate("ab")]
    told = labelling.waiting([*long, of(None, 2), of(None, 3), of("x", 4), of("x", 5)])
    assert [(each.is_cut, each.output is None, len(each.runs)) for each in told] == [
        (True, False, 1),
        (True, False, 1),
        (False, True, 1),
        (False, True, 1),
        (False, False, 2),
    ]


def test_judge_and_person_agree_by_the_bar_of_the_case() -> None:
    bar = {"criteria": "is kind", "min_score": 0.7}
    suite = a_suite(expecting("a", "llm_judge", bar), expecting("b", "llm_judge", "is kind"), expecting("c", "human"))
    results = [
        a_result("a", "fail", llm_judge_score=0.6, human_label="pass"),
        a_result("b", "pass", llm_judge_score=0.6, human_label="pass"),
        a_result("c", "pass", human_label="pass"),
    ]
    unlabelled = [a_result("a", "pass", llm_judge_score=0.9), a_result("b", "fail", llm_judge_score=0.1)]
    found = agreement([a_run(results, suite), a_run(unlabelled, suite, repeat=1)])
    assert (found.kappa.n, found.kappa.agreed, found.kappa.value) == (2, 1, 0.0)
    told = found.record()
    assert told["share"] == 0.5
    assert told["differing"] == [
        {"suite": "shell", "case": "a", "repeat": 0, "judge": "fail", "human": "pass", "score": 0.6}
    ]


def test_where_nothing_was_rated_by_both_there_is_no_agreement() -> None:
    told = agreement([a_run([a_result("a")])]).record()
    assert (told["n"], told["share"], told["kappa"], told["why"]) == (0, None, None, "nothing was rated by both")
