from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from gitops.report.runs import counts, detail, listing, outcome, verdict_table
from gitops.report.standing import words
from gitops.runs.records import Run
from gitops.runs.standing import Standing
from gitops.verify.finding import Finding
from gitops.verify.verdict import Counts, Verdict

Printed = Callable[..., str]
HOSTILE = "\x1b[2Jx\ny"


def standing(**fields: object) -> Standing:
    known: dict[str, object] = {"open": (), "counts": {}, "unverified": (), "overrides": (), "stray": (), "last": None}
    return Standing(**known | fields)  # type: ignore[arg-type]


def test_hostile_records_reach_no_screen_raw(
    make_run: Callable[..., Run], make_verdict: Callable[..., Verdict], on_terminal: Printed, in_pipe: Printed
) -> None:
    run = make_run({"reason": HOSTILE, "sources": (HOSTILE,), "triggered_by": HOSTILE}, plan=HOSTILE, reason=HOSTILE)
    verdict = make_verdict(reasoning=HOSTILE, run_id=HOSTILE, verifier=HOSTILE)
    parts = [
        outcome("rejected", run, verdict, "c" * 40),
        listing([run]),
        detail(run, verdict),
        verdict_table([verdict]),
        words(standing(open=(run,), overrides=(verdict,), stray=(HOSTILE,))),
    ]
    for part in parts:
        for sent in (on_terminal(part), on_terminal(part, width=200), in_pipe(part)):
            assert "␛[2Jx␊y" in sent
            assert "\x1b[2J" not in sent


def test_an_id_is_never_broken_however_long_the_reason_is(make_run: Callable[..., Run], on_terminal: Printed) -> None:
    name = "20261122-174839-9e496a64"
    told = {"run_id": name, "run_type": "benchmark", "sources": (), "reason": "tea: 3 of 4 passed, at d519a42b79"}
    assert name in on_terminal(listing([make_run(told)]), width=80)


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ("rejected", "in a new run:\n  git assay run start --from run-one\n"),
        ("revise", "git assay run write run-one"),
        ("draft", "git assay run finish run-one"),
    ],
)
def test_what_did_not_land_says_what_to_type_next(
    result: str, said: str, make_run: Callable[..., Run], in_pipe: Printed
) -> None:
    assert said in in_pipe(outcome(result, make_run(), None, ""))


def test_a_rejected_run_shows_its_findings(
    make_run: Callable[..., Run],
    make_verdict: Callable[..., Verdict],
    make_finding: Callable[..., Finding],
    in_pipe: Printed,
) -> None:
    verdict = make_verdict(per_claim_findings=(make_finding(),), findings=(make_finding(),))
    lines = in_pipe(outcome("rejected", make_run(), verdict, "c" * 40)).splitlines()
    assert lines[:3] == ["rejected  run run-one", f"  {verdict.reasoning}", "  judged 0 of 1 claims"]
    assert lines[3:5] == ["", "wiki/a.md"]
    assert sum("quote_anchor altered" in line for line in lines) == 1


def test_a_landed_run_says_where(
    make_run: Callable[..., Run], make_verdict: Callable[..., Verdict], in_pipe: Printed
) -> None:
    shown = in_pipe(outcome("landed", make_run(status="committed"), make_verdict(verdict="commit"), "c" * 40))
    assert shown.splitlines()[0] == "landed  run run-one on main as cccccccccc"


def test_a_listing_marks_what_was_not_verified(make_run: Callable[..., Run], in_pipe: Printed) -> None:
    lines = in_pipe(listing([make_run(verdict="commit", unverified=True), make_run(draft_only=True)])).splitlines()
    assert lines[0].split() == ["run", "status", "verdict", "type", "of"]
    assert "commit (unverified)" in lines[1]
    assert "- (draft)" in lines[2]


def test_a_run_is_told_whole(
    make_run: Callable[..., Run], make_verdict: Callable[..., Verdict], in_pipe: Printed
) -> None:
    shown = in_pipe(detail(make_run(reason="no luck"), make_verdict()))
    for said in (
        "begun      2026-11-21T11:59:00Z by Ada Writer (cli:run)",
        "  2026-11-21T12:00:00Z  rejected  no luck",
        "  create  888888888888  wiki/a.md",
        "judged 0 of 1 claims",
        "unsigned",
    ):
        assert said in shown


def test_the_transitions_of_a_narrow_terminal_hang(make_run: Callable[..., Run], on_terminal: Printed) -> None:
    lines = re.sub(r"\x1b\[[0-9;]*m", "", on_terminal(detail(make_run(reason="because " * 20), None))).splitlines()
    at = next(number for number, line in enumerate(lines) if "because" in line)
    assert lines[at + 1].startswith(" " * 34 + "because")


def test_what_was_not_measured_is_counted_apart(make_verdict: Callable[..., Verdict]) -> None:
    assert counts(make_verdict(counts=Counts(judged=2, unjudged=1))) == "judged 2 of 3 claims"
    assert counts(make_verdict(counts=Counts(unverified=3))) == "judged 0 of 3 claims, 3 not verified"


def test_verdicts_are_rows_where_there_is_room_and_two_lines_where_not(
    make_verdict: Callable[..., Verdict], on_terminal: Printed, in_pipe: Printed
) -> None:
    verdicts = [make_verdict(), make_verdict(verdict="commit", run_id="")]
    wide, narrow = in_pipe(verdict_table(verdicts)).splitlines(), on_terminal(verdict_table(verdicts)).splitlines()
    assert len(wide) == 4
    assert wide[1].endswith(verdicts[0].reasoning)
    assert len(narrow) == 5
    assert "run-one" in narrow[0]
    assert verdicts[0].reasoning in narrow[1]
    assert "unsigned" in wide[-1]
    assert "unsigned" in narrow[-1]


def test_a_repository_without_runs_says_how_to_begin(in_pipe: Printed) -> None:
    assert "no runs yet: git assay run start" in in_pipe(words(standing()))


def test_what_landed_without_a_yes_comes_before_the_totals(
    make_run: Callable[..., Run], make_verdict: Callable[..., Verdict], in_pipe: Printed
) -> None:
    found = standing(
        open=(make_run(status="pending"),),
        counts={"committed": 2, "pending": 1},
        unverified=(make_run({"run_id": "blind"}, status="committed", unverified=True),),
        overrides=(make_verdict(verdict="commit_override", reasoning="I know better"),),
        stray=("run/Not-An-Id",),
        last=make_run(status="committed"),
    )
    shown = in_pipe(words(found))
    order = [
        "open runs",
        "landed unverified",
        "overrides",
        "I know better",
        "run/Not-An-Id is no run",
        "2 committed, 1 pending",
    ]
    places = [shown.index(said) for said in order]
    assert places == sorted(places)
    assert shown.rstrip().endswith("verdicts here are unsigned: tamper-evident at best")


def test_what_verdicts_are_worth_is_one_line_below_the_runs_and_none_in_a_pipe(
    make_run: Callable[..., Run], make_verdict: Callable[..., Verdict], on_terminal: Printed, in_pipe: Printed
) -> None:
    run, verdict = make_run(status="committed", verdict="commit"), make_verdict(verdict="commit")
    assert "tamper-evident at best" in on_terminal(listing([run], [verdict]))
    assert "the signatures hold" in on_terminal(listing([run], [verdict], {verdict.id: "ada@example.org"}))
    assert "tamper-evident" not in on_terminal(listing([run]))
    assert len(in_pipe(listing([run], [verdict])).splitlines()) == 2


@pytest.mark.parametrize(
    ("result", "signer", "said"),
    [
        ("landed", "ada@example.org", "  signed by ada@example.org"),
        ("landed", "", "  verdicts here are unsigned: tamper-evident at best"),
        ("not_landed", "", "  verdicts here are unsigned: tamper-evident at best"),
        ("rejected", "", "  unsigned: a no counts without a signature"),
        ("landed", None, None),
        ("would_land", "", None),
    ],
)
def test_what_a_verdict_is_worth_is_said_where_it_is_known(
    result: str,
    signer: str | None,
    said: str | None,
    make_run: Callable[..., Run],
    make_verdict: Callable[..., Verdict],
    in_pipe: Printed,
) -> None:
    verdict = make_verdict(verdict="reject" if result == "rejected" else "commit")
    lines = in_pipe(outcome(result, make_run(), verdict, "c" * 40, signer)).splitlines()
    assert [line for line in lines if "signed" in line] == ([said] if said else [])


def test_a_no_that_nobody_signed_is_no_reason_to_doubt_the_signed_ones(
    make_verdict: Callable[..., Verdict], in_pipe: Printed
) -> None:
    yes, no = make_verdict(verdict="commit", id="a" * 40), make_verdict(id="b" * 40)
    assert "the signatures hold" in in_pipe(verdict_table([yes, no], {yes.id: "ada@example.org"}))
    assert "tamper-evident at best" in in_pipe(verdict_table([yes, no]))
    assert "a no counts without a signature" in in_pipe(verdict_table([no]))
