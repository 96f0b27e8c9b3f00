from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from gitops.errors import CannotRun
from gitops.evals.citation_claims import Told, tell
from gitops.evals.cited_spans import failing
from gitops.evals.claim_sample import draw
from gitops.verify.judge import Question, Vote
from tests.evals.subjects import subject

Judge = Callable[..., Any]
SOURCE = "# Mill\n\nThe mill in Lindau employs 40 people.\n\nIt was built in 1902 by Ada Keller.\n"
POLICY = '[workspace]\nname = "mill"\n[citations]\nrequire = []\n'


@pytest.fixture
def said(make_repository: Callable[..., Path]) -> Callable[..., list[tuple[Told, dict[str, Any]]]]:
    """said(page, judge, **files) -> what is told of each claim of the page, in the order of lines."""

    def tell_of(page: str, judge: Any, more: Mapping[str, str | bytes] | None = None) -> list[Any]:
        files = {"assay.toml": POLICY, "raw/mill.md": SOURCE, "wiki/mill.md": f"# Mill\n\n{page}\n", **(more or {})}
        with subject(make_repository(files), judge=judge) as made:
            told = tell(made.view, draw(made.bench, 50, 0).claims, made.panel)
            return [(one, failing(made.view, one)) for one in told]

    return tell_of


def yes(question: Question) -> Vote:
    return Vote("supports", 1.0, "it says so", may_gate=True)


def nobody(question: Question) -> Vote:
    raise AssertionError(f"nobody is to be asked of {question.claim}")


def test_a_source_that_is_not_there_is_missing_and_nobody_is_asked(said: Any, make_judge: Judge) -> None:
    ((told, shown),) = said("It grinds rye.[^1]\n\n[^1]: raw/gone.md, p.3", make_judge(nobody))
    assert (told.vote, told.by, told.is_judged) == ("source_missing", "source_exists", True)
    assert shown["source"] is None
    assert shown["citation"] == "raw/gone.md, p.3"
    assert "not there" in shown["reason"]


def test_a_page_of_the_wiki_is_no_source(said: Any, make_judge: Judge) -> None:
    ((told, _),) = said("It grinds rye.[^1]\n\n[^1]: wiki/mill.md", make_judge(nobody))
    assert (told.vote, told.by) == ("source_missing", "source_exists")


def test_one_missing_source_of_two_is_missing(said: Any, make_judge: Judge) -> None:
    ((told, _),) = said("It grinds rye.[^1][^2]\n\n[^1]: raw/mill.md\n[^2]: raw/gone.md", make_judge(nobody))
    assert told.vote == "source_missing"


@pytest.mark.parametrize(
    ("quote", "says"),
    [
        ("employs 45 people", "employs 40 people"),
        ("nothing of this kind was ever written by anybody there", "The mill in Lindau employs 40 people."),
    ],
)
def test_a_quotation_that_the_source_does_not_have_is_not_supported(
    said: Any, make_judge: Judge, quote: str, says: str
) -> None:
    ((told, shown),) = said(f'It employs people.[^1]\n\n[^1]: raw/mill.md, "{quote}"', make_judge(nobody))
    assert (told.vote, told.by, told.confidence) == ("does_not_support", "quote_anchor", None)
    assert shown["source"]["source"] == "raw/mill.md"
    assert shown["source"]["span"] == says


def test_a_quotation_on_another_page_than_the_cited_is_not_supported(
    said: Any, make_judge: Judge, make_pdf: Callable[..., bytes]
) -> None:
    pdf = make_pdf("Salmon return to the river every autumn.", "Rainfall in the northern hills was measured by hand.")
    page = 'Rain was measured.[^1]\n\n[^1]: raw/rain.pdf, p.1, "Rainfall in the northern hills was measured by hand"'
    ((told, shown),) = said(page, make_judge(nobody), {"raw/rain.pdf": pdf})
    assert (told.vote, told.draft.result) == ("does_not_support", "misattributed")
    assert shown["citation"].startswith("raw/rain.pdf, p.1, ")


def test_a_quotation_of_the_prose_that_is_altered_is_not_supported(said: Any, make_judge: Judge) -> None:
    page = 'The source says "The mill in Lindau employs 45 people".[^1]\n\n[^1]: raw/mill.md'
    ((told, _),) = said(page, make_judge(nobody))
    assert (told.vote, told.by, told.draft.result) == ("does_not_support", "quote_anchor", "altered")


def test_what_an_earlier_version_held_is_put_to_the_judge(
    make_repository: Callable[..., Path], commit_files: Callable[..., str], make_judge: Judge
) -> None:
    page = '# Mill\n\nThe mill employs 40 people.[^1]\n\n[^1]: raw/mill.md, "employs 40 people"\n'
    folder = make_repository({"assay.toml": POLICY, "raw/mill.md": SOURCE, "wiki/mill.md": page})
    commit_files(folder, {"raw/mill.md": SOURCE.replace("employs 40 people", "is closed")})
    judge = make_judge(lambda question: Vote("does_not_support", 0.9, "closed", may_gate=True))
    with subject(folder, judge=judge) as made:
        (told,) = tell(made.view, draw(made.bench, 50, 0).claims, made.panel)
    assert (told.vote, told.by) == ("does_not_support", "scripted")


@pytest.mark.parametrize("cited", ["https://example.org/mill", "doi:10.1000/182"])
def test_what_cannot_be_looked_up_here_has_no_vote(said: Any, make_judge: Judge, cited: str) -> None:
    ((told, _),) = said(f"It grinds rye.[^1]\n\n[^1]: {cited}", make_judge(nobody))
    assert (told.vote, told.is_judged, told.by) == ("abstained", False, "none")
    assert cited in told.reason


def test_a_source_without_text_has_no_vote(said: Any, make_judge: Judge, make_pdf: Callable[..., bytes]) -> None:
    ((told, shown),) = said(
        "It grinds rye.[^1]\n\n[^1]: raw/scan.pdf", make_judge(nobody), {"raw/scan.pdf": make_pdf("")}
    )
    assert not told.is_judged
    assert "no text layer" in told.reason
    assert shown["source"]["span"] == ""


def test_a_vote_that_is_not_sure_enough_is_none(said: Any, make_judge: Judge) -> None:
    judge = make_judge(lambda question: Vote("does_not_support", 0.6, "hm"))
    ((told, _),) = said("It grinds rye.[^1]\n\n[^1]: raw/mill.md", judge)
    assert (told.vote, told.by, told.confidence) == ("abstained", "scripted", 0.6)
    assert told.reason == "not sure enough to decide (does_not_support, 0.60): hm"


def test_an_abstention_is_no_vote_however_sure(said: Any, make_judge: Judge) -> None:
    judge = make_judge(lambda question: Vote("abstained", 1.0, "in Korean", may_gate=True))
    ((told, _),) = said("It grinds rye.[^1]\n\n[^1]: raw/mill.md", judge)
    assert (told.vote, told.reason) == ("abstained", "in Korean")


def test_a_judge_that_gives_no_answer_is_not_passed_over(said: Any, make_judge: Judge) -> None:
    def silent(question: Question) -> Vote:
        raise CannotRun("the network is down", "wait")

    with pytest.raises(CannotRun, match="the network is down"):
        said("It grinds rye.[^1]\n\n[^1]: raw/mill.md", make_judge(silent))


def test_the_judge_is_asked_as_where_a_change_lands_and_its_vote_counts(said: Any, make_judge: Judge) -> None:
    judge = make_judge(yes)
    page = 'The mill employs 40 people.[^1] It is old.\n\n[^1]: raw/mill.md, "employs 40 people"'
    ((told, _),) = said(page, judge)
    assert (told.vote, told.by, told.confidence) == ("supports", "scripted", 1.0)
    ((question,),) = judge.asked
    assert (question.claim, question.span, question.after) == (
        "The mill employs 40 people.",
        "employs 40 people",
        "It is old.",
    )
    assert question.source == SOURCE


def test_the_best_of_several_sources_counts(said: Any, make_judge: Judge) -> None:
    def rule(question: Question) -> Vote:
        vote: Any = "supports" if "Lindau" in question.source else "does_not_support"
        return Vote(vote, 0.9, question.title, may_gate=True)

    page = "It is in Lindau.[^1][^2]\n\n[^1]: raw/other.md\n[^2]: raw/mill.md"
    ((told, _),) = said(page, make_judge(rule), {"raw/other.md": "# Other\n\nNothing.\n"})
    assert told.vote == "supports"
    assert [cite.path for cite in told.cites] == ["raw/mill.md"]


def test_a_failing_claim_is_shown_beside_the_words_that_it_cites(said: Any, make_judge: Judge) -> None:
    judge = make_judge(lambda question: Vote("does_not_support", 0.9, "no", ("rye",), may_gate=True))
    ((_, shown),) = said('It grinds rye.[^1]\n\n[^1]: raw/mill.md, "employs 40 people"', judge)
    assert shown["source"] == {
        "source": "raw/mill.md",
        "page": None,
        "start": 27,
        "end": 44,
        "before": "# Mill\n\nThe mill in Lindau ",
        "span": "employs 40 people",
        "after": ".\n\nIt was built in 1902 by Ada Keller.\n",
        "is_cited": True,
    }
    assert (shown["page"], shown["line"], shown["vote"], shown["judge"]) == (
        "wiki/mill.md",
        3,
        "does_not_support",
        "scripted",
    )
    assert (shown["claim"], shown["reason"], shown["unsupported"]) == ("It grinds rye.", "no", ["rye"])


def test_the_page_of_a_pdf_is_shown_with_the_words(
    said: Any, make_judge: Judge, make_pdf: Callable[..., bytes]
) -> None:
    judge = make_judge(lambda question: Vote("partially_supports", 0.9, "in part", may_gate=True))
    pdf = make_pdf("Salmon return every autumn.", "Rainfall was measured by hand.")
    page = 'Rain falls.[^1]\n\n[^1]: raw/rain.pdf, p.2, "measured by hand"'
    ((_, shown),) = said(page, judge, {"raw/rain.pdf": pdf})
    assert (shown["source"]["page"], shown["source"]["span"]) == (2, "measured by hand")


def test_of_a_source_that_is_cited_as_a_whole_the_nearest_words_are_shown(said: Any, make_judge: Judge) -> None:
    judge = make_judge(lambda question: Vote("does_not_support", 0.9, "no", may_gate=True))
    ((_, shown),) = said("Ada Keller built it in 1903.[^1]\n\n[^1]: raw/mill.md", judge)
    assert (shown["source"]["span"], shown["source"]["is_cited"]) == ("It was built in 1902 by Ada Keller.", False)


def test_of_a_source_that_says_nothing_of_the_kind_nothing_is_shown(said: Any, make_judge: Judge) -> None:
    judge = make_judge(lambda question: Vote("does_not_support", 0.9, "no", may_gate=True))
    ((_, shown),) = said("It grinds rye.[^1]\n\n[^1]: raw/mill.md", judge)
    assert (shown["source"]["source"], shown["source"]["span"], shown["source"]["before"]) == ("raw/mill.md", "", "")
