"""What the comment, the summary and the terminal say of benchmark suites."""

from __future__ import annotations

import io
from typing import Any

import pytest
from hypothesis import given, settings
from pydantic import ValidationError
from rich.console import Console

from gitops.canonical import dumps
from gitops.ci.comment import MOST, is_resolved, render_comment, wanted
from gitops.ci.outcome import Checked
from gitops.ci.result import Result, parse
from gitops.ci.summary import MOST as MOST_OF_A_SUMMARY
from gitops.ci.summary import render_summary
from gitops.ci.words import words as in_terminal
from gitops.report.visible import inline
from tests.ci.comment_results import RUN, needs_cmark, parsed, result, words
from tests.ci.test_ci_comment_hostile import WORST
from tests.ci.test_ci_taming import FOREIGN

MEND = "git assay benchmark ablation 1a2b3c4d5e 0f9e8d7c6b --suite writer"


def case(name: str = "c1", **changes: Any) -> dict[str, Any]:
    return {"case": name, "kind": "pass_to_fail", "before": 1.0, "after": 0.0, "told": "exits 139", **changes}


def suite(name: str = "writer", **changes: Any) -> dict[str, Any]:
    made = {"suite": name, "agent": "the writer", "verdict": "no regression", "because": "prompts/writer.md"}
    return {**made, "cases": 40, "repeats": 5, "before": 0.95, "after": 0.95, "baseline": "baseline.json", **changes}


def fallen(**changes: Any) -> dict[str, Any]:
    return suite(**{"verdict": "regressed", "gated": True, "after": 0.8, "regressions": [case()], **changes})


def test_a_suite_has_a_row_and_each_case_that_regressed_a_line() -> None:
    told = render_comment(result(benchmarks=[fallen(age_days=2.2)]))
    assert "| `writer` | the writer | 40 × 5 | 95\xa0% | 80\xa0% | **regressed** | prompts/writer.md |" in told
    assert "- **regressed** `writer` `c1` <em>pass → fail</em>: exits 139\n" in told
    assert "- `writer`: baseline `baseline.json`, 2 days old\n" in told
    assert "with `--no-benchmarks` it runs none" in told
    accepted = render_comment(result(benchmarks=[fallen(gated=False, accepted=True)]))
    assert "**regressed,\xa0accepted**" in accepted
    assert "- **accepted** `writer` `c1`" in accepted


def test_at_most_ten_cases_are_told_and_the_rest_counted() -> None:
    many = fallen(regressions=[case(f"c{number}") for number in range(14)], more_regressions=3)
    told = render_comment(result(benchmarks=[many]))
    assert told.count("- **regressed** ") == 10
    assert "*and 7 more: see the job's summary*" in told
    assert render_summary(result(benchmarks=[many])).count("- **regressed** ") == 14


def test_what_has_no_answer_is_flaky_or_was_skipped_is_told() -> None:
    shaky = suite(verdict="no answer", lost=list("abcdefg"), flaky=["f"], skipped=3, why="offline abstains")
    told = render_comment(result(benchmarks=[shaky]))
    assert "passed at the baseline, no answer now: `a`, `b`, `c`, `d`, `e` and 2 more\n" in told
    assert "flaky at the baseline, gated by their pass rates: `f`\n" in told
    assert "- `writer`: 3 of 40 cases not judged or not run\n" in told
    assert "- `writer`: offline abstains\n" in told


def test_the_hard_rule_is_told_with_the_command_that_mends_it() -> None:
    one = {"key": "llm.presets.claude", "suite": "writer", "why": "no ablation is known", "mend": MEND}
    told = render_comment(result(unablated=[one]))
    assert "**Changed without an ablation that shows no harm**\n" in told
    assert f"- `llm.presets.claude` on `writer`: no ablation is known<br>mend: `{MEND}`\n" in told


def test_without_suites_nothing_is_said_of_them() -> None:
    assert "enchmark" not in render_comment(result()) + render_summary(result())


@pytest.mark.parametrize(
    "changes",
    [
        {"benchmarks": [fallen()]},
        {"benchmarks": [suite(verdict="new")]},
        {"benchmarks": [suite(verdict="no baseline")]},
        {"benchmarks": [suite(verdict="not run")]},
        {"unablated": [{"key": "k", "why": "w"}]},
    ],
)
def test_what_somebody_should_look_at_is_commented(changes: dict[str, Any]) -> None:
    assert wanted(result(**changes), "on-change", False)
    assert not is_resolved(result(**changes))


def test_suites_that_stayed_as_they_were_ask_for_no_comment() -> None:
    assert not wanted(result(benchmarks=[suite()]), "on-change", False)
    assert is_resolved(result(benchmarks=[suite()]))


def test_a_terminal_shows_the_same() -> None:
    one = result(benchmarks=[fallen(flaky=["c9"], skipped=2)], unablated=[{"key": "k", "why": "none", "mend": MEND}])
    out = io.StringIO()
    Console(file=out, width=120).print(in_terminal(Checked(one)))
    told = out.getvalue()
    for shown in ("writer", "40 × 5", "regressed (gates)", "writer c1  pass → fail: exits 139", "c9", "2 of 40", MEND):
        assert shown in told


# Hostile


def hostile(text: str, count: int = 2) -> Result:
    """A result with the same text wherever a suite has one."""
    cases = [case(text, told=text, kind=kind) for kind in ("pass_to_fail", "latency")] * min(count, 25)
    names = [text] * min(count, 50)
    one = fallen(regressions=cases, flaky=names, lost=names, why=text, because=text, agent=text, baseline=text)
    hard = {"key": text, "suite": text, "why": text, "mend": text}
    return result(
        benchmarks=[{**one, "suite": text, "more_regressions": 10**30, "cases": 10**30, "age_days": 1e300}] * count,
        unablated=[hard] * count,
    )


@needs_cmark
@pytest.mark.slow
@given(FOREIGN.map(str.strip).filter(lambda text: 0 < len(inline(text)) <= 48))
@settings(max_examples=30, deadline=None)
def test_a_hostile_text_is_read_as_it_stands(text: str) -> None:
    tree = parsed(render_comment(hostile(text), run_url=RUN))
    cells = [words(cell.text()) for cell in tree.css("table")[0].css("td")]
    assert (cells[0], cells[1], cells[6]) == (words(inline(text)),) * 3
    assert {tuple(sorted(node.attributes.items())) for node in tree.css("a")} == {(("href", RUN),)}
    assert not tree.css("img, h1, h2, h3")
    assert {len(row.css("td, th")) for row in tree.css("table")[0].css("tr")} == {7}


@pytest.mark.slow
@pytest.mark.parametrize("text", WORST, ids=[repr(text[:3]) for text in WORST])
def test_neither_comment_nor_summary_is_longer_than_it_may_be(text: str) -> None:
    worst = hostile(text, 50)
    told = render_comment(worst, run_url=RUN)
    assert len(told) <= MOST
    assert told.endswith("</sub>\n")
    assert len(render_summary(worst).encode()) <= MOST_OF_A_SUMMARY


@pytest.mark.parametrize(
    "changes",
    [
        {"after": 1.5},
        {"before": -0.1},
        {"cases": -1},
        {"verdict": "fine"},
        {"regressions": [case()] * 51},
        {"regressions": [case(kind="odd")]},
        {"regressions": [case(before=float("inf"))]},
        {"suite": "x" * 2_001},
        {"seconds": -1.0},
        {"more": 1},
    ],
)
def test_what_is_no_row_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        result(benchmarks=[{**suite(), **changes}])


def test_a_result_comes_back_from_its_bytes() -> None:
    one = result(benchmarks=[fallen()], unablated=[{"key": "k", "why": "w"}])
    assert parse(dumps(one.record()).encode(), "result.json") == one
