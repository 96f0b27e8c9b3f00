from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from gitops.ci.comment import Mode, is_resolved, marker, render_comment, wanted
from gitops.ci.result import Result, parse
from tests.ci.comment_results import BASE, HEAD, RUN, finding, metric, needs_cmark, parsed, result, words

FELL = metric(
    head=0.84, delta=-0.12, interval=(-0.21, -0.04), p=0.008, limit=">= 0.95", verdict="regressed", gated=True
)
FAILED = {"outcome": "failed", "cause": "M1 fell", "decision": "reject", "findings": [finding()], "metrics": [FELL]}


def failed(**changes: Any) -> Result:
    return result(**{**FAILED, **changes})


@pytest.mark.parametrize("suite", ["", "Wiki", "a b", "a\n", "-->", "a" * 64, ".a"])
def test_what_is_no_name_of_a_suite_has_no_marker(suite: str) -> None:
    with pytest.raises(ValueError, match="no name of a suite"):
        marker(suite)


def test_the_first_line_is_the_marker_of_the_suite() -> None:
    told = render_comment(result(suite="team-a.wiki"))
    assert told.splitlines()[0] == marker("team-a.wiki") == "<!-- git-assay:ci suite=team-a.wiki v=1 -->"


@pytest.mark.parametrize(
    ("changes", "alert", "told"),
    [
        (FAILED, "CAUTION", "**Failed.** M1 fell"),
        ({"outcome": "neutral", "cause": "no case"}, "WARNING", "**Neutral, which is not green.** no case"),
        ({"accepted": {"by": "ada"}}, "WARNING", "**Passed, with a regression that somebody accepted.** nothing new"),
        ({"policy_changed": ["assay.toml"]}, "NOTE", "**Passed.** nothing new was found"),
        ({"overrides": ["ada"]}, "NOTE", "**Passed.** nothing new was found"),
        ({"remarks": ["no gold"]}, "NOTE", "**Passed.** nothing new was found"),
        ({"baseline": {"source": "none"}}, "NOTE", "**Passed.** nothing new was found"),
        ({}, "TIP", "**Passed.** nothing new was found"),
    ],
)
def test_the_verdict_and_its_cause_come_first(changes: dict[str, Any], alert: str, told: str) -> None:
    _, first, second, *_ = render_comment(result(**changes)).splitlines()
    assert first == f"> [!{alert}]"
    assert second.startswith(f"> {told}")


@pytest.mark.parametrize("outcome", ["failed", "neutral"])
def test_nothing_is_resolved_that_did_not_pass(outcome: str) -> None:
    assert "Resolved" not in render_comment(result(outcome=outcome), resolved=True)


def test_a_comment_ends_in_resolved() -> None:
    assert "> [!TIP]\n> **Resolved: nothing is left" in render_comment(result(), resolved=True)


def test_what_was_compared_and_what_it_cost_is_on_one_line() -> None:
    one = failed(
        samples={"paired": 1, "added": 3, "removed": 1200}, judged=12, asked=14, tokens=12345, usd=0.5, cache_hits=1
    )
    assert render_comment(one).splitlines()[4] == (
        f"`{BASE[:10]}` → `{HEAD[:10]}` · 1 sample paired, 3 added, 1,200 removed · judge `offline`: 12 of 14 new"
        f" claims judged · 12,345 tokens, 0.50 USD · 1 cache hit · baseline from the notes of `{BASE[:10]}`, 2 days old"
    )
    assert "\nTrust: signed by ada@" in render_comment(one)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"judge": "none"}, "no judge"),
        ({"samples": {}}, "no samples"),
        ({}, "no new claims · no tokens · 0 cache hits"),
        ({"baseline": {"source": "none"}}, "no baseline\n"),
        ({"baseline": {"source": "measured here", "commit": BASE, "age_days": 0.0}}, "baseline measured here\n"),
        ({"baseline": {"source": "notes", "age_days": 0.2}}, "baseline from the notes, less than a day old\n"),
        ({"baseline": {"source": "notes", "age_days": 1.9}}, "baseline from the notes, 1 day old\n"),
        ({"baseline": {"source": "notes", "age_days": 1e300}}, "more than 1,000,000,000,000 days old\n"),
        ({"tokens": 10**30, "usd": 1e300}, "more than 1,000,000,000,000 tokens, more than 1,000,000,000,000 USD"),
    ],
)
def test_what_was_not_there_is_said(changes: dict[str, Any], told: str) -> None:
    assert told in render_comment(result(**changes))


def test_the_first_run_gates_nothing() -> None:
    first = result(baseline={"source": "none"}, metrics=[metric(base=None, delta=None, verdict="no data")])
    assert "\nFirst run: no baseline, nothing gated.\n" in render_comment(first)
    one = metric(base=None, delta=None, verdict="no data")
    told = render_comment(failed(baseline={"source": "none"}, metrics=[one]))
    assert "First run: no baseline, no metric gated." in told
    unmeasured = render_comment(failed(baseline={"source": "none"}, metrics=[]))
    assert "No metric was measured." in unmeasured
    assert "First run" not in unmeasured
    held = result(baseline={"source": "none"}, metrics=[metric(base=None, delta=None, verdict="no data", limit="0.9")])
    assert "\nFirst run: no baseline, nothing gated.\n\n| metric |" in render_comment(held)
    barred = result(baseline={"source": "none"}, metrics=[metric(base=None, delta=None, verdict="no data", gated=True)])
    assert "nothing gated" not in render_comment(barred)
    assert "\nFirst run: no baseline, nothing compared.\n\n| metric |" in render_comment(barred)


def test_metrics_that_neither_changed_nor_gate_are_folded() -> None:
    above, folded = render_comment(result(metrics=[metric("M9")])).split("<details>")
    assert "No metric changed, and none gates." in above
    assert "M9" not in above
    assert "| `M9` |" in folded
    assert "No metric was measured." in render_comment(result(metrics=[]))


def test_at_most_ten_findings_are_shown_and_the_rest_counted() -> None:
    many = failed(findings=[finding(line=line) for line in range(1, 13)], more_findings=3)
    told = render_comment(many, run_url=RUN)
    assert "**15 new findings**" in told
    assert re.findall(r"`wiki/a\.md:(\d+)`", told) == [str(line) for line in range(1, 11)]
    assert f"*and 5 more: see [the job's summary]({RUN})*" in told


def test_a_finding_has_its_place_and_its_mend() -> None:
    told = render_comment(failed(findings=[finding(mend="git assay raw add FILE"), finding(path="", mend="")]))
    assert "- **error** `wiki/a.md:5` <em>quote_anchor altered</em>: raw/a.md says two" in told
    assert "<br>mend: `git assay raw add FILE`\n" in told
    cited = 'raw/a.md, p.2, "so it is" @6334'
    assert f"<br>mend: `{cited}`\n" in render_comment(failed(findings=[finding(mend=cited)]))
    assert "- **error** <em>quote_anchor altered</em>: raw/a.md says two\n" in told
    assert "\u2068`wiki/\u05d0.md`\u2069:5 <em>" in render_comment(failed(findings=[finding(path="wiki/\u05d0.md")]))
    assert "**1 new error**\n" in render_comment(failed())
    assert "**2 new notes**\n" in render_comment(failed(findings=[finding(level="note", line=n) for n in (1, 2)]))
    mixed = [finding(), finding(), finding(level="note")]
    assert "**3 new findings**: 2 errors, 1 note\n" in render_comment(failed(findings=mixed))
    assert "**4 new findings**\n" in render_comment(failed(findings=mixed, more_findings=1))
    assert "No new findings." in render_comment(result())


def test_what_one_place_is_told_twice_stands_once_and_counts_twice() -> None:
    twice = [finding(line=line) for line in (*range(1, 13), *range(1, 13))]
    told = render_comment(failed(findings=twice))
    assert "**24 new errors**\n" in told
    assert told.count("- **2 errors** `wiki/a.md:") == 10
    assert "*and 4 more: " in told


def test_what_people_did_by_hand_is_shown_above_the_fold() -> None:
    one = result(
        accepted={"by": "ada", "reason": "the source moved", "label": "benchmark:accept-regression"},
        overrides=["ada let r1 pass: urgent"],
        policy_changed=["assay.toml", "gold/queries.yaml"],
        intakes=[f"raw/{number}.md" for number in range(7)],
    )
    above = render_comment(one).split("<details>")[0]
    assert "- **Regression accepted** by ada (label `benchmark:accept-regression`): the source moved\n" in above
    assert "- **Override**: ada let r1 pass: urgent\n" in above
    assert (
        "- **Policy changed**: the base's rules were applied, not those of `assay.toml`, `gold/queries.yaml`\n" in above
    )
    assert "`raw/4.md` and 2 more\n" in above


def test_overrides_that_are_not_shown_are_counted() -> None:
    assert "- and 3 more overrides\n" in render_comment(result(overrides=["somebody"] * 8))


def test_remarks_trend_and_how_to_do_it_here_are_folded() -> None:
    one = failed(remarks=["M4 was not measured"], reasoning="2 errors", metrics=[{**FELL, "trend": [0.0, None, 1.0]}])
    above, folded = render_comment(one).split("<details>")
    assert "<summary>1 remark, how to reproduce it here</summary>" in render_comment(one).replace(
        "1 remark", "1 remark"
    )
    assert "M4 was not measured" not in above
    assert "**The verifier says reject**: 2 errors" in folded
    assert "- M4 was not measured\n" in folded
    assert "▁·█" in folded
    assert "```sh\ngit assay ci check --base main\n```" in folded


def test_a_reason_is_not_said_twice() -> None:
    assert "The verifier says" not in render_comment(failed(cause="reject: 2 errors", reasoning="2 errors"))
    passed = result(cause="2 claims read; of 3 metrics none regressed.", reasoning="2 claims read.")
    assert "The verifier says" not in render_comment(passed)
    assert "**The verifier says reject**: no reason given" in render_comment(failed())
    assert "The verifier says" not in render_comment(result(decision="none"))


def test_a_command_of_somebody_elses_is_shown_and_not_offered() -> None:
    told = render_comment(result(reproduce="curl https://example.org | sh"))
    assert "```sh" not in told
    assert "is no plain `git assay ci` command: read it before you run it" in told
    assert "The same here" not in render_comment(result(reproduce=""))


def test_the_footer_names_the_commit_and_the_moment() -> None:
    told = render_comment(result(), run_url=RUN).splitlines()[-1]
    assert told == f"<sub>git-assay 0.7.0 · main · `{HEAD}` · 2026-11-22 13:09 UTC · [the job's summary]({RUN})</sub>"


@pytest.mark.parametrize("url", ["javascript:alert(1)", "https://a.b/ c", "https://a.b/)x(", "", "https://a.b/\n> x"])
def test_what_is_no_web_address_is_not_linked(url: str) -> None:
    assert "](" not in render_comment(failed(more_findings=3), run_url=url)


def test_the_same_result_gives_the_same_comment() -> None:
    assert render_comment(failed()) == render_comment(failed())


@pytest.mark.parametrize(
    ("mode", "quiet", "neutral", "fails"),
    [
        ("off", False, False, False),
        ("on-failure", False, False, True),
        ("on-change", False, True, True),
        ("always", True, True, True),
    ],
)
def test_when_a_comment_is_wanted(mode: Mode, quiet: bool, neutral: bool, fails: bool) -> None:
    assert wanted(result(), mode, False) is quiet
    assert wanted(result(outcome="neutral"), mode, False) is neutral
    assert wanted(failed(), mode, False) is fails


@pytest.mark.parametrize("mode", ["on-failure", "on-change", "always"])
def test_what_was_posted_is_kept_up_to_date(mode: Mode) -> None:
    assert wanted(result(), mode, True)
    assert not wanted(result(), "off", True)


@pytest.mark.parametrize(
    "changes",
    [
        {"findings": [finding(level="note")]},
        {"more_findings": 1},
        {"metrics": [metric(verdict="improved")]},
        {"policy_changed": ["assay.toml"]},
        {"overrides": ["ada"]},
        {"intakes": ["raw/a.md"]},
        {"accepted": {"by": "ada"}},
    ],
)
def test_a_change_that_passes_and_says_something_is_commented(changes: dict[str, Any]) -> None:
    assert wanted(result(**changes), "on-change", False)
    assert not wanted(result(**changes), "on-failure", False)
    assert not is_resolved(result(**changes))


def test_where_nothing_is_left_to_say_it_is_resolved() -> None:
    assert is_resolved(result())
    assert is_resolved(result(metrics=[metric(gated=True), metric("M2", verdict="not comparable")]))


def test_a_change_that_touches_nothing_of_the_wiki_is_not_commented() -> None:
    untouched = result(outcome="neutral", decision="none", is_touched=False)
    assert not wanted(untouched, "on-change", False)
    assert wanted(untouched, "on-change", True)
    assert "Resolved" not in render_comment(untouched, resolved=is_resolved(untouched))


def test_a_usual_comment_is_no_longer_than_one_reads() -> None:
    metrics = [FELL, *(metric(f"M{number}", gated=number < 6) for number in range(2, 9))]
    usual = failed(findings=[finding(line=line) for line in range(1, 31)], metrics=metrics, intakes=["raw/a.md"])
    assert len(render_comment(usual).splitlines()) <= 62


def test_the_picture_is_of_a_result_that_can_still_be_rendered() -> None:
    folder = Path(__file__).parents[2] / "docs" / "images"
    shown = parse((folder / "pull-request.json").read_bytes(), "pull-request.json")
    assert len(render_comment(shown, run_url=RUN).splitlines()) <= 60
    assert (shown.workspace, shown.outcome, shown.baseline.source) == ("gold", "failed", "notes")
    assert (folder / "pull-request.png").stat().st_size <= 150_000


@needs_cmark
def test_what_is_rendered_has_the_parts_in_their_order() -> None:
    tree = parsed(render_comment(failed(intakes=["raw/a.md"], remarks=["no gold"]), run_url=RUN))
    assert [words(cell.text()) for cell in tree.css("table")[0].css("td")] == [
        *("M1", "0.960", "0.840", "▼ -0.120 worse", "-0.210 … -0.040", "0.008", ">= 0.95", "regressed"),
    ]
    assert tree.body is not None
    order = [node.tag for node in tree.body.iter()]
    assert order == [
        *("blockquote", "p", "p", "table", "p", "ul", "p", "ul"),
        *("details", "p"),
    ]
    assert [node.attributes for node in tree.css("a")] == [{"href": RUN}]
    assert [words(each.text()) for each in tree.css("pre")] == ["git assay ci check --base main"]
