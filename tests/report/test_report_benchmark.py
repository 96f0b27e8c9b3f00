from __future__ import annotations

import io

from rich.console import Console

from gitops.report.benchmark import words
from gitops.report.benchmark_md import markdown
from gitops.report.benchmark_page import page
from gitops.report.benchmark_values import MOST, of_report, section
from gitops.suites.baselines import Baselined
from gitops.suites.model import BenchmarkRun
from gitops.suites.reported import Reported, reported
from tests.suites.suite_runs import a_case, a_result, a_run, a_suite

JUDGED = {"mode": "llm_judge", "value": "is kind", "metric_thresholds": None}
SUITE = a_suite(
    a_case("steady", tags=["b"]), a_case("flaky", difficulty="hard"), a_case("gone", expected=JUDGED), a_case("new")
)


def baseline() -> Baselined:
    """Two repeats that a case differs in; the case `new` asked something else then."""
    other = a_suite(*SUITE.cases[:3], a_case("new", input={"goal": "another", "context": None}))
    runs = [
        a_run([a_result("steady"), a_result("flaky", flaky), a_result("gone"), a_result("new")], other, repeat=at)
        for at, flaky in enumerate(("pass", "fail"))
    ]
    return Baselined(tuple(runs), "run 1, accepted by Ada", "record")


def now() -> list[BenchmarkRun]:
    results = [
        a_result("steady", "timeout", error="after 60 s", reason="after 60 s"),
        a_result("flaky", "fail"),
        a_result("gone", "skipped", reason="no judge was asked", llm_judge_score=0.9, human_label="fail"),
        a_result("new"),
    ]
    return [a_run(results, SUITE, {"is_timed": False}, run_id="20240103-000000-00000002")]


def told() -> Reported:
    return reported(now(), baseline(), ["shell"])


def test_all_that_became_of_the_baseline_is_told() -> None:
    shown = of_report(told())
    assert shown.tone == "broken"
    assert shown.sentences == (
        "1 of 3 passed: 33.3 % (6.1 % … 79.2 %)",
        "1 case was skipped",
        "1 regression, 1 case that passed is no longer judged since the baseline",
    )
    rows = {each.title: each.rows for each in shown.sections}
    assert rows["Regressions"] == (("steady", "pass to fail", "passed 2 of 2, passes 0 of 1: after 60 s"),)
    assert rows["No longer judged"] == (("gone", "no judge was asked"),)
    assert rows["Worse, as chance may do"] == (("flaky", "passed 1 of 2, passes 0 of 1 (too few repeats to tell)"),)
    assert rows["Flaky at the baseline"] == (("flaky", "1 of 2", "0 of 1"),)
    assert rows["Skipped"] == (("gone", "-", "-", "easy", "no judge was asked"),)
    assert [row[:4] for row in rows["By difficulty and tag"]] == [
        ("difficulty", "easy", "3", "50.0 %"),
        ("difficulty", "hard", "1", "0.0 %"),
        ("tag", "b", "1", "0.0 %"),
    ]
    assert shown.remarks == (
        "new asks or expects something else than at the baseline, and is not compared",
        "latency is not compared: the answers of the run were mocked or replayed",
        "skills without benchmarks: shell",
    )
    facts = dict(shown.facts)
    assert facts["latency"] == "not measured: answers were mocked or replayed"
    assert facts["agreement"].startswith("judge and persons agree on 0 of 1")


def test_without_a_baseline_it_says_how_to_accept_one() -> None:
    shown = of_report(reported(now(), None))
    assert dict(shown.facts)["baseline"] == "none: git assay benchmark baseline RUN accepts one"
    assert shown.tone == "degraded"


def test_a_run_of_which_nothing_was_judged_is_not_measured() -> None:
    shown = of_report(reported([a_run([a_result("a", "skipped")])], None))
    assert (shown.tone, shown.sentences[0]) == ("not_measured", "nothing was tried and judged")


def test_the_same_is_told_in_every_format() -> None:
    shown = of_report(told())
    console = Console(file=io.StringIO(), width=80)
    console.print(words(shown))
    text = console.file.getvalue()  # type: ignore[attr-defined]
    for each in (text, markdown(shown), page(shown)):
        assert "passed 2 of 2, passes 0 of 1: after 60 s" in each
        assert "Flaky at the baseline" in each
        assert "skills without benchmarks: shell" in each


def test_long_tables_say_how_much_is_left_out() -> None:
    made = section("Cases", ("case",), [(str(number),) for number in range(MOST + 2)])
    assert len(made.rows) == MOST
    assert made.more == "and 2 more: --json has them"
