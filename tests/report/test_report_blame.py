from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from gitops.git.commits import Commit, Identity
from gitops.report.blame import words
from gitops.runs.blaming import Blame, Blamed
from gitops.runs.provenance import AGAINST, NOT_BY_A_RUN, Origin
from gitops.runs.sourced import Source
from gitops.verify.finding import Level
from gitops.verify.verdict import Counts, Verdict
from gitops.wiki.model import Place

Printed = Callable[..., str]
MOMENT = 1_704_164_645
COMMIT = Commit("1" * 40, "2" * 40, (), "m", Identity("Ada Writer", "ada@example.org"), MOMENT)
VERIFIED = Source("raw/a.md", "verified", Level.NONE, "the tide turns", 7, "stands word for word")
BY_HAND = Origin(COMMIT, told=NOT_BY_A_RUN)


@pytest.fixture
def make_blame() -> Callable[..., Blame]:
    """A page with one claim; name only what matters of that."""

    def make(**fields: Any) -> Blame:
        known: dict[str, Any] = {
            "text": "The tide turns.",
            "place": Place(0, 10, 12, 1, 12),
            "sources": (VERIFIED,),
            "origin": BY_HAND,
            "since": "claim",
        }
        return Blame("wiki/a.md", "9" * 40, (Blamed(**known | fields),))

    return make


def test_a_page_without_claims_says_so(in_pipe: Printed) -> None:
    told = in_pipe(words(Blame("wiki/a.md", "9" * 40, ())))
    assert told.startswith("no claims on wiki/a.md at 9999999999: ")
    assert "on these lines of wiki/a.md" in in_pipe(words(Blame("wiki/a.md", "9" * 40, (), (1, 2))))


def test_a_claim_its_source_and_its_origin(in_pipe: Printed, make_blame: Callable[..., Blame]) -> None:
    assert in_pipe(words(make_blame())).splitlines() == [
        "wiki/a.md",
        "   12  The tide turns.",
        '       verified      raw/a.md, "the tide turns" @7',
        "       Ada Writer, 2024-01-02T03:04:05Z, 1111111111, not by a run",
    ]


def test_the_run_its_landing_and_its_verdict(
    in_pipe: Printed, make_blame: Callable[..., Blame], make_verdict: Callable[..., Verdict]
) -> None:
    verdict = make_verdict(verdict="commit", id="7" * 40)
    told = in_pipe(words(make_blame(origin=Origin(COMMIT, "8" * 40, "run-one", verdict)))).splitlines()
    assert told[3:] == [
        "       Ada Writer, 2024-01-02T03:04:05Z, 1111111111, run run-one, landed as 8888888888",
        "       verdict commit 7777777777, judge none",
        "verdicts here are unsigned: tamper-evident at best",
    ]
    squashed = in_pipe(words(make_blame(origin=Origin(COMMIT, COMMIT.id, "run-one", verdict))))
    assert "landed as" not in squashed


def test_what_is_out_of_the_ordinary_is_told(
    in_pipe: Printed, make_blame: Callable[..., Blame], make_verdict: Callable[..., Verdict]
) -> None:
    override = make_verdict(verdict="commit_override", reasoning="overridden by Ada: a typo", supersedes=("6" * 40,))
    told = in_pipe(words(make_blame(origin=Origin(COMMIT, "8" * 40, "run-one", override))))
    assert "verdict commit_override " in told
    assert "supersedes 6666666666, overridden by Ada: a typo" in told
    refused = Origin(COMMIT, "8" * 40, "run-one", make_verdict(), AGAINST)
    assert "landed as 8888888888, landed against its verdict" in in_pipe(words(make_blame(origin=refused)))
    unverified = make_verdict(verdict="commit", counts=Counts(unverified=1))
    assert "judge none, unverified" in in_pipe(words(make_blame(origin=Origin(COMMIT, None, "r-1", unverified))))
    assert "cited otherwise before" in in_pipe(words(make_blame(since="citation")))
    assert "the history is cut off here" in in_pipe(words(make_blame(since="unknown")))


def test_what_is_wrong_with_a_source_is_told(in_pipe: Printed, make_blame: Callable[..., Blame]) -> None:
    missing = Source("raw/b.md", "missing", Level.ERROR, None, None, "raw/b.md is not there", "p.3")
    told = in_pipe(words(make_blame(sources=(VERIFIED, missing)))).splitlines()
    assert told[3] == "       missing       raw/b.md, p.3: raw/b.md is not there"


def test_the_file_that_a_citation_means_is_told_where_it_does_not_name_it(
    in_pipe: Printed, make_blame: Callable[..., Blame]
) -> None:
    through = Source("source-a", "exists", Level.NONE, files=("raw/a.md", "raw/b.md"))
    plain = Source("../raw/a.md", "exists", Level.NONE, files=("deep/raw/a.md",))
    told = in_pipe(words(make_blame(sources=(through, plain)))).splitlines()
    assert told[2].endswith("  source-a → raw/a.md, raw/b.md")
    assert told[3].endswith("  ../raw/a.md")


def test_a_source_of_the_whole_page_is_told_as_that(in_pipe: Printed, make_blame: Callable[..., Blame]) -> None:
    assert "   12  (the page as a whole)" in in_pipe(words(make_blame(text="")))


def test_a_claim_takes_one_line_however_long_it_is(
    on_terminal: Printed, in_pipe: Printed, make_blame: Callable[..., Blame]
) -> None:
    long = make_blame(text="The tide\nturns " + "twice a day " * 30)
    narrow = on_terminal(words(long), width=60, colour=False).splitlines()
    assert len(narrow[1].rstrip()) <= 60
    assert narrow[1].startswith("   12  The tide turns")
    assert narrow[1].rstrip().endswith("…")
    assert narrow[2].lstrip().startswith("verified")
    assert all(len(line.rstrip()) <= 60 for line in narrow)
    assert in_pipe(words(long)).splitlines()[1].endswith("twice a day")


def test_foreign_text_steers_no_terminal(on_terminal: Printed, make_blame: Callable[..., Blame]) -> None:
    hostile = "\x1b[2Jx\ny"
    commit = COMMIT._replace(author=Identity(hostile, ""))
    source = Source(hostile, "missing", Level.ERROR, hostile, 1, hostile, hostile)
    blame = make_blame(text=hostile, sources=(source,), origin=Origin(commit, None, hostile, None, hostile))
    told = on_terminal(words(blame), colour=False, width=200)
    assert "\x1b[2J" not in told
    assert len(told.splitlines()) == 4


def test_a_year_that_nobody_has_is_told_in_seconds(in_pipe: Printed, make_blame: Callable[..., Blame]) -> None:
    far = Origin(COMMIT._replace(time=10**15), told=NOT_BY_A_RUN)
    assert "Ada Writer, @1000000000000000, " in in_pipe(words(make_blame(origin=far)))
