from __future__ import annotations

from collections.abc import Callable

import pytest

from gitops.verify.finding import Finding, Level
from gitops.verify.panel import Panel
from gitops.verify.verifier import Judged
from tests.verify.scripted import Scripted, sure, unsure

MakeJudged = Callable[..., Judged]

SOURCES = {
    "raw/mill.md": "# The mill\n\nThe mill employs forty people. It was built of brick in 1911 by the river.\n",
    "raw/town.md": "# The town\n\nThe town has a mill, a church and nine hundred people.\n",
}
ONE = '[^1]: raw/mill.md, "The mill employs forty people"\n'
TWO = '[^2]: raw/town.md, "nine hundred people"\n'


def support(judged: Judged) -> list[tuple[str, str]]:
    return [(one.result, one.level.value) for one in judged.findings if one.check == "support"]


def asked(judged: MakeJudged, judge: Scripted, text: str, toml: str = "", before: str | None = None) -> Judged:
    old = SOURCES if before is None else {**SOURCES, "wiki/index.md": before}
    return judged(old, {"wiki/index.md": text}, toml=toml, panel=Panel((judge,)))


@pytest.mark.parametrize(
    ("vote", "level"),
    [
        ("does_not_support", "error"),
        ("source_missing", "error"),
        ("partially_supports", "warning"),
        ("supports", "none"),
    ],
)
def test_a_sure_vote_has_its_level(judged: MakeJudged, vote: str, level: str) -> None:
    judge = Scripted({"forty": sure(vote)})  # type: ignore[arg-type]
    found = asked(judged, judge, f"The mill has forty workers.[^1]\n\n{ONE}")
    assert support(found) == [(vote, level)]
    assert (found.asked, found.voted) == (1, 1)


@pytest.mark.parametrize("vote", ["does_not_support", "source_missing", "partially_supports"])
def test_an_unsure_vote_is_a_note_whatever_the_policy_says(judged: MakeJudged, vote: str) -> None:
    judge = Scripted({"forty": unsure(vote)})  # type: ignore[arg-type]
    text = f"The mill has forty workers.[^1]\n\n{ONE}"
    assert support(asked(judged, judge, text)) == [(vote, "note")]
    assert support(asked(judged, judge, text, '[checks.support]\nlevel = "error"\n')) == [(vote, "note")]
    assert support(asked(judged, judge, text, '[checks.support]\nlevel = "off"\n')) == []


def test_an_abstention_is_a_note_and_no_vote(judged: MakeJudged) -> None:
    found = asked(judged, Scripted(), f"The mill has forty workers.[^1]\n\n{ONE}")
    assert support(found) == [("abstained", "note")]
    assert (found.asked, found.voted) == (1, 0)


def test_the_policy_changes_the_level_of_a_sure_vote(judged: MakeJudged) -> None:
    judge = Scripted({"forty": sure("does_not_support")})
    text, toml = f"The mill has forty workers.[^1]\n\n{ONE}", '[checks.support.results]\ndoes_not_support = "warning"\n'
    assert support(asked(judged, judge, text, toml)) == [("does_not_support", "warning")]


def test_a_finding_names_the_claim_its_place_the_words_and_the_judge(judged: MakeJudged) -> None:
    judge = Scripted({"fifty": sure("does_not_support", "fifty")})
    found = asked(judged, judge, f"# Mill\n\nThe mill has fifty workers.[^1]\n\n{ONE}")
    finding: Finding = next(one for one in found.findings if one.check == "support")
    assert (finding.path, finding.line, finding.claim) == ("wiki/index.md", 3, "The mill has fifty workers.")
    assert finding.source == "raw/mill.md"
    assert finding.message.startswith("the source does not say so, says the scripted judge (0.99): It is so")
    assert finding.repair == "say what the source says (it lacks 'fifty'), or cite the source that says so"
    assert finding.evidence["span"] == "The mill employs forty people"


def test_of_several_sources_the_best_counts_and_one_that_says_otherwise_is_a_warning(judged: MakeJudged) -> None:
    judge = Scripted({"employs forty": sure("supports"), "nine hundred": sure("does_not_support")})
    found = asked(judged, judge, f"The mill has forty workers.[^1][^2]\n\n{ONE}{TWO}")
    assert support(found) == [("supports", "none"), ("does_not_support", "warning")]
    assert found.voted == 1


def test_sources_that_support_a_claim_only_together_are_asked_together(judged: MakeJudged) -> None:
    together = "The mill employs forty people\n\nnine hundred people"
    judge = Scripted({together: sure("supports"), "employs forty": sure("partially_supports")})
    found = asked(judged, judge, f"Forty of nine hundred work there.[^1][^2]\n\n{ONE}{TWO}")
    assert support(found) == [("supports", "none")]
    assert [one.span for one in judge.asked][2:] == [together]


def test_what_stood_there_before_is_not_asked_about_again(judged: MakeJudged) -> None:
    judge = Scripted({"forty": sure("does_not_support")})
    old = f"The mill has forty workers.[^1]\n\n{ONE}"
    found = asked(judged, judge, f"# Mill\n\nThe  mill has forty\nworkers.[^1]\n\n{ONE}", before=old)
    assert (support(found), found.asked, judge.asked) == ([], 0, [])


def test_a_claim_whose_citation_or_source_changed_is_asked_about(judged: MakeJudged) -> None:
    judge = Scripted({"workers": sure("supports")})
    old = f"The mill has forty workers.[^1]\n\n{ONE}"
    found = asked(judged, judge, old.replace(ONE, '[^1]: raw/mill.md, "forty people"\n'), before=old)
    assert found.asked == 1
    files = {**SOURCES, "wiki/index.md": old}
    grown = SOURCES["raw/mill.md"] + "More.\n"
    assert judged(files, {"raw/mill.md": grown}, panel=Panel((judge,))).asked == 1


def test_what_another_check_refuses_costs_nothing_and_the_rest_is_put_to_free_judges_only(judged: MakeJudged) -> None:
    dear, free = (
        Scripted({"": sure("supports")}, id="dear"),
        Scripted({"": unsure("supports")}, id="free", is_free=True),
    )
    text = f'Forty work there.[^1] Fifty do not.[^9]\n\n{ONE}[^9]: raw/mill.md, "words that stand nowhere in it"\n'
    found = judged(SOURCES, {"wiki/index.md": text}, panel=Panel((free, dear)))
    assert [one.claim for one in free.asked] == ["Forty work there."]
    assert dear.asked == []
    assert (found.asked, found.voted) == (2, 1)
    assert any(one.level is Level.ERROR for one in found.findings)


def test_only_what_the_first_judge_is_unsure_of_goes_to_the_next(judged: MakeJudged) -> None:
    first = Scripted({"Forty": sure("supports"), "Fifty": unsure("supports")}, id="first", is_free=True)
    second = Scripted({"Fifty": sure("does_not_support")}, id="second")
    text = f"Forty work there.[^1] Fifty do not.[^1]\n\n{ONE}"
    found = judged(SOURCES, {"wiki/index.md": text}, panel=Panel((first, second)))
    assert [one.claim for one in second.asked] == ["Fifty do not."]
    assert support(found) == [("supports", "none"), ("does_not_support", "error")]


def test_a_claim_without_a_readable_source_is_asked_of_nobody_and_counts_as_unjudged(judged: MakeJudged) -> None:
    judge = Scripted()
    text = "So it is said.[^1]\n\n[^1]: https://example.org/a\n"
    found = judged({}, {"wiki/index.md": text}, toml="[citations]\nrequire = []\n", panel=Panel((judge,)))
    assert (found.asked, found.voted, found.unread, judge.asked) == (1, 0, 1, [])


def test_where_nobody_is_to_be_asked_nothing_is_said(judged: MakeJudged) -> None:
    found = judged(SOURCES, {"wiki/index.md": f"The mill has forty workers.[^1]\n\n{ONE}"}, panel=Panel(()))
    assert (support(found), found.asked, found.voted) == ([], 1, 0)


def test_a_dated_survivor_is_asked_of_nobody(judged: MakeJudged) -> None:
    judge = Scripted()
    old = f"The mill has forty workers.[^1]\n\n{ONE}"
    dated = f"As of 2024-05-01, the mill has forty workers.[^1]\n\n{ONE}"
    assert asked(judged, judge, dated, before=old).asked == 0


@pytest.mark.parametrize(
    "claim",
    [
        "As of 2024-05-01, the mill has fifty workers.[^1]",
        "The mill has ~~forty~~ fifty workers.[^1]",
        "> [!superseded] 2024-05-01\n> The mill has fifty workers.[^1]",
    ],
)
def test_a_date_or_a_struck_word_hides_nothing_new(judged: MakeJudged, claim: str) -> None:
    judge = Scripted({"": sure("does_not_support")})
    old = f"The mill has forty workers.[^1]\n\n{ONE}"
    found = asked(judged, judge, f"{claim}\n\nThe mill has forty workers.[^1]\n\n{ONE}", before=old)
    assert (found.asked, support(found)) == (1, [("does_not_support", "error")])


def test_a_claim_whose_lead_in_changes_is_asked_about_again(judged: MakeJudged) -> None:
    judge = Scripted({"": sure("supports")})
    old = f"Of the mill:\n\n- It has forty workers.[^1]\n\n{ONE}"
    found = asked(judged, judge, old.replace("Of the mill", "Of the town"), before=old)
    assert found.asked == 1
    assert judge.asked[0].before == "Of the town:"


def test_a_sure_refusal_stands_beside_what_is_only_perhaps_so(judged: MakeJudged) -> None:
    judge = Scripted({"employs forty": sure("does_not_support"), "nine hundred": unsure("partially_supports")})
    text = f"The mill has fifty workers.[^1][^2]\n\n{ONE}{TWO}"
    assert support(asked(judged, judge, text)) == [("does_not_support", "error")]
    judge = Scripted({"people\n\nnine": unsure("supports"), "employs forty": sure("does_not_support")})
    assert support(asked(judged, judge, text)) == [("supports", "none"), ("does_not_support", "warning")]


def test_new_sentences_of_a_page_that_cites_as_a_whole_are_asked_of_all_its_sources(judged: MakeJudged) -> None:
    toml = '[citations]\ndialects = ["canonical", "frontmatter"]\nrequire = []\n'
    head = "---\nsources: [raw/mill.md, raw/town.md]\n---\n"
    dear, free = (
        Scripted({"fifty": sure("does_not_support")}),
        Scripted({"fifty": sure("does_not_support")}, is_free=True),
    )
    text = f"{head}# Mill\n\nIt has fifty workers. It is old.\n"
    found = asked(judged, dear, text, toml)
    assert [one.claim for one in dear.asked] == ["It has fifty workers.", "It is old."]
    assert all(SOURCES["raw/mill.md"].strip() in one.source and "church" in one.source for one in dear.asked)
    assert support(found) == [("does_not_support", "warning"), ("abstained", "note")]
    assert (found.asked, found.voted) == (1, 1)  # a sentence without a vote need not be a claim
    assert support(asked(judged, free, text, toml))[0] == ("does_not_support", "note")
    dear.asked.clear()
    asked(judged, dear, text.replace("It is old.", "It is new."), toml, before=text)
    assert [one.claim for one in dear.asked] == ["It is new."]
