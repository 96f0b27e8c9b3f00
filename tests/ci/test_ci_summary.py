from __future__ import annotations

from gitops.ci.summary import render_summary
from tests.ci.comment_results import HEAD, finding, metric, needs_cmark, parsed, result


def test_the_outcome_is_the_heading() -> None:
    told = render_summary(result(outcome="neutral", cause="no case was measured"))
    assert told.startswith("## git-assay: neutral\n\n**Neutral, which is not green.** no case was measured\n")
    assert render_summary(result(suite="team-a")).startswith("## git-assay `team-a`: passed\n")


def test_all_is_there_that_the_comment_leaves_out() -> None:
    told = render_summary(
        result(
            findings=[finding(line=line) for line in range(1, 31)],
            more_findings=2,
            metrics=[metric(f"m{number}") for number in range(40)],
            overrides=[f"override {number}" for number in range(20)],
            intakes=[f"raw/{number}.md" for number in range(20)],
            remarks=[f"remark {number}" for number in range(20)],
        )
    )
    for shown in ("`wiki/a.md:30`", "`m39`", "override 19", "`raw/19.md`", "remark 19"):
        assert shown in told
    assert "*and 2 more: see the result file, or --json*" in told
    assert "git assay ci check --base main" in told
    assert HEAD in told
    assert "<details>" not in told


@needs_cmark
def test_it_is_one_heading_and_whole_tables() -> None:
    tree = parsed(render_summary(result(metrics=[metric(gated=True), metric("M2")])))
    assert len(tree.css("h1, h2, h3")) == 1
    assert [len(row.css("td, th")) for row in tree.css("tr")] == [8, 8, 6, 6, 6]
