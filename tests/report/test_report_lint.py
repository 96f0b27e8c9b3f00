from __future__ import annotations

from collections.abc import Callable

from gitops.report.lint import hints, words
from gitops.verify.finding import Finding

NOTHING: dict[str, int | None] = {
    "claims": 0,
    "debt": 0,
    "error": 0,
    "note": 0,
    "pages": 1,
    "pages_with_findings": 0,
    "unresolvable": 0,
    "verified": 0,
    "warning": 0,
}


def test_a_clean_wiki_is_one_line(in_pipe: Callable[..., str]) -> None:
    told = in_pipe(words([], NOTHING))
    assert told == "no errors, no warnings, no notes on 0 of 1 page; no cited claims, no quotations verified\n"


def test_the_sum_counts_in_words(in_pipe: Callable[..., str], make_finding: Callable[..., Finding]) -> None:
    counts = NOTHING | {"error": 1, "warning": 2, "pages": 1200, "pages_with_findings": 3, "claims": 1, "verified": 1}
    told = in_pipe(words([make_finding()], counts | {"unresolvable": 1}, name="plant"))
    assert told.endswith(
        "\n\nplant: 1 error, 2 warnings, no notes on 3 of 1,200 pages; 1 cited claim, 1 quotation verified; "
        "1 citation cannot be looked up here\n"
    )


def test_of_some_pages_alone_claims_are_not_told(in_pipe: Callable[..., str]) -> None:
    assert "claim" not in in_pipe(words([], NOTHING | {"claims": None, "verified": None}))


def test_what_is_not_shown_has_an_option_that_shows_it() -> None:
    counts = NOTHING | {"note": 2, "warning": 1, "debt": 4}
    assert hints(counts, "note", debt=True) == []
    assert hints(NOTHING, "error", debt=False) == []
    assert hints(counts, "warning", debt=False) == [
        "--level note shows the notes",
        "--debt lists 4 findings that the wiki was adopted with",
    ]
    assert hints(counts, "error", debt=True) == ["--level note shows the warnings and notes"]


def test_on_a_narrow_terminal_nothing_is_cut(
    on_terminal: Callable[..., str], make_finding: Callable[..., Finding]
) -> None:
    told = on_terminal(words([make_finding()], NOTHING, hints=["--level note shows the notes"]), width=60, colour=False)
    assert all(len(line.rstrip()) <= 60 for line in told.split("\n"))
    assert "--level note shows the notes" in told
