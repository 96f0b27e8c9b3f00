"""The values that a check is made of: events, outcomes, names of suites, files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.ci import events, outputs
from gitops.ci.accepting import Acceptance
from gitops.ci.events import Event
from gitops.ci.findings import MOST, clipped, lines, strict
from gitops.ci.judged import Decision, Judged, worst
from gitops.ci.outcome import Checked, Said, exit_code, said
from gitops.ci.result import Accepted, Baseline, MetricRow, MetricVerdict, Outcome, Result
from gitops.ci.rows import Rows
from gitops.ci.stating import suite_of
from gitops.verify.finding import Finding, Level

COMMIT = "a" * 40


def row(metric: str = "M1", *, gated: bool = False, base: float | None = 1.0, head: float | None = 0.5) -> MetricRow:
    verdict: MetricVerdict = "regressed" if gated else "no data" if head is None else "within noise"
    return MetricRow(metric=metric, direction="higher", base=base, head=head, verdict=verdict, gated=gated, why="why")


def result(outcome: Outcome, **more: Any) -> Result:
    fields = {"version": "1", "created_at": "2024-01-02T03:04:05Z", "workspace": "w", "base": COMMIT, "head": COMMIT}
    told = {"outcome": outcome, "cause": "", "decision": "commit", "baseline": Baseline(source="none"), "reproduce": ""}
    return Result.model_validate({**fields, **told, **more})


# Events


@pytest.mark.parametrize(
    "payload",
    [
        {"pull_request": "no table"},
        {"pull_request": {"base": {"sha": 7}, "head": {"sha": "main; rm -rf"}, "labels": "all"}},
        {"pull_request": {"base": None, "labels": [None, 3, {"name": ["benchmark:accept-regression"]}]}},
        {"merge_group": {"base_sha": "0" * 40, "head_sha": "HEAD"}},
        {"before": "0" * 40, "after": "--upload-pack=x", "ref": "refs/tags/v1"},
    ],
)
def test_what_is_not_as_github_writes_it_counts_as_not_told(payload: dict[str, Any]) -> None:
    found = events.of("pull_request", payload)
    assert (found.base, found.head, found.branch, found.is_accepted) == ("", "", "", False)


def test_the_branch_of_a_fork_is_not_told_for_it_may_be_called_as_a_run_here() -> None:
    def told(whose: dict[str, Any] | None) -> str:
        head = {"sha": COMMIT, "ref": "run/20240102-030405-0a1b2c3d", "repo": whose}
        base = {"sha": COMMIT, "ref": "main", "repo": {"full_name": "ada/wiki"}}
        return events.of("pull_request", {"pull_request": {"base": base, "head": head}}).branch

    assert told({"full_name": "ada/wiki"}) == "run/20240102-030405-0a1b2c3d"
    assert told({"full_name": "eve/wiki"}) == told(None) == ""


def test_without_an_event_nothing_is_told() -> None:
    assert events.read({}) == Event()


@given(
    st.recursive(st.none() | st.text() | st.integers(), lambda inner: st.dictionaries(st.text(), inner), max_leaves=9)
)
def test_no_payload_is_too_odd(value: Any) -> None:
    found = events.of("push", {"pull_request": value, "repository": value, "merge_group": value, "ref": value})
    assert (found.base, found.head) == ("", "")


# Outcomes


@pytest.mark.parametrize("decision", ["reject", "revise"])
def test_no_acceptance_turns_a_verdict(decision: Decision) -> None:
    accepted = Acceptance(Accepted(by="Ada"))
    assert said(Judged(decision, "because"), Rows((row(gated=True),)), accepted).outcome == "failed"


def test_the_cause_counts_the_findings_and_names_the_first_of_the_worst() -> None:
    found = (finding(Level.WARNING, path="wiki/0.md", line=2), finding(Level.ERROR), finding(Level.ERROR, line=7))
    told = said(Judged("reject", "because", findings=found), Rows((row(gated=True),)), None)
    assert (
        told.cause
        == "reject: 2 new errors and 1 new warning, the first in wiki/a.md (quote_anchor altered); M1 regressed"
    )
    assert said(Judged("reject", "no policy", "mend it"), Rows(), None) == Said(
        "failed", "reject: no policy", mend="mend it"
    )


def test_an_acceptance_covers_the_metrics_that_it_names_and_no_others() -> None:
    rows = Rows((row("M1", gated=True), row("M5", gated=True)))
    told = said(Judged("commit", "sound."), rows, Acceptance(Accepted(by="Ada"), ("M1",)))
    assert (told.outcome, told.cause) == ("failed", "M5 regressed")
    assert said(Judged("commit", "sound."), rows, Acceptance(Accepted(by="Ada"), ("M1", "M5"))).outcome == "passed"
    lost = Rows((row("M1", gated=True), row("M5", head=None)), lost=("M5",))
    told = said(Judged("commit", "sound."), lost, Acceptance(Accepted(by="Ada")))
    assert told.cause == "sound; M1 regressed and M5 has no number any more, accepted by Ada."


def test_a_regression_counts_where_there_is_no_verdict() -> None:
    assert said(Judged("none", "no key"), Rows((row(gated=True),)), None).outcome == "failed"


def test_what_could_not_be_measured_or_judged_is_never_green() -> None:
    assert said(Judged("none", "no key", "set it"), Rows(), None).missing == "no verdict: no key"
    assert said(Judged("commit", "sound."), Rows(), None, "M1 was not measured").outcome == "neutral"
    lost = said(Judged("commit", "sound."), Rows((row(head=None),), lost=("M1",)), None)
    assert (lost.outcome, lost.cause) == ("neutral", "M1 had a number at the base and has none now: why")
    assert (lost.missing, "--accept" in lost.mend) == (lost.cause, True)


@pytest.mark.parametrize(
    ("told", "code", "strict_code"),
    [
        ([("passed", "")], 0, 0),
        ([("neutral", "")], 0, 3),
        ([("neutral", "no votes")], 3, 3),
        ([("passed", ""), ("neutral", "no votes")], 3, 3),
        ([("neutral", "no votes"), ("failed", "")], 1, 1),
    ],
)
def test_exit_codes(told: list[tuple[Outcome, str]], code: int, strict_code: int) -> None:
    checked = [Checked(result(outcome), missing) for outcome, missing in told]
    assert (exit_code(checked), exit_code(checked, fail_on_neutral=True)) == (code, strict_code)


def test_the_worst_decision_counts() -> None:
    assert worst(["commit", "none"]) == "none"
    assert worst(["commit", "revise", "none"]) == "revise"
    assert worst(["revise", "reject"]) == "reject"
    assert worst([]) == "none"


# Findings


def finding(level: Level, **more: Any) -> Finding:
    fields = {"check": "quote_anchor", "result": "altered", "scope": "claim", "message": "m", "path": "wiki/a.md"}
    return Finding.model_validate({**fields, "level": level, **more})


def test_lines_are_new_errors_first_and_no_more_than_a_result_holds() -> None:
    many = [finding(Level.WARNING, line=number) for number in range(1, MOST + 5)]
    found = lines([*many, finding(Level.ERROR, line=9), finding(Level.ERROR, new=False), finding(Level.NONE)])
    assert (len(found.shown), found.more, found.shown[0].level) == (MOST, 5, "error")


def test_what_the_change_does_to_the_rules_is_no_finding_besides() -> None:
    assert lines([finding(Level.NOTE, check="path_acl", result="policy_changed")]).shown == ()


def test_a_renewed_source_is_an_error_in_a_change_that_is_offered() -> None:
    [told] = strict([finding(Level.NOTE, check="raw_sealed", result="raw_synced")])
    assert told.level is Level.ERROR
    [signed] = strict([finding(Level.NOTE, check="raw_sealed", result="raw_synced", evidence={"signed_by": "ada"})])
    assert signed.level is Level.NOTE
    [other] = strict([finding(Level.NOTE)])
    assert other.level is Level.NOTE


@given(st.text(st.characters(codec=None), max_size=3_000))
def test_what_a_result_holds_can_be_written(text: str) -> None:
    told = clipped(text)
    assert len(told) <= 2_000
    told.encode()


def test_a_byte_that_is_no_utf_8_reads_as_on_a_terminal() -> None:
    assert clipped("wiki/b\udcff\ud800.md") == r"wiki/b\xff\ud800.md"


# Outputs


@pytest.mark.parametrize("name", ["Wiki", "a b", "ä", "..", "x" * 90, "-a", "", "日本"])
def test_a_suite_is_a_slug_and_no_two_names_share_one(name: str) -> None:
    made = suite_of(name)
    assert Result.model_validate(result("passed").record() | {"suite": made}).suite == made
    assert made != suite_of(f"{name}!")


def test_a_name_that_is_a_slug_is_the_suite() -> None:
    assert suite_of("plant.2") == "plant.2"


def test_several_results_have_a_file_each() -> None:
    one, other = result("passed", suite="a"), result("passed", suite="b")
    assert list(outputs.result_files(Path("r/x.json"), [one])) == [Path("r/x.json")]
    assert list(outputs.result_files(Path("r/x.json"), [one, other])) == [Path("r/x.a.json"), Path("r/x.b.json")]


def test_no_value_ends_itself_and_begins_another(tmp_path: Path) -> None:
    outputs.append_outputs(tmp_path / "out", {"a": "1\nend-\nb<<x\nfaked\nx", "c": ""})
    text = (tmp_path / "out").read_text()
    first = text.split("\n", 1)[0].removeprefix("a<<")
    assert text.count(first) == 2
    assert len(first) > 30


def test_a_failure_cannot_steer_the_summary(tmp_path: Path) -> None:
    outputs.append_failure(tmp_path / "s.md", "`````````\n# Passed", "hint")
    told = (tmp_path / "s.md").read_text()
    assert told.count("`" * 8) == 2
