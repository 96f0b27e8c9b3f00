from __future__ import annotations

import pytest

from gitops.verify.judge import PairQuestion, PairVote
from gitops.verify.judges.offline import judge
from gitops.verify.judging.claiming import parse
from gitops.verify.judging.contradicting import exchange


def vote(a: str, b: str) -> PairVote:
    (found,) = judge().pair_votes([PairQuestion(a, b)])
    (turned,) = judge().pair_votes([PairQuestion(b, a)])
    assert (turned.vote, turned.confidence, turned.may_gate) == (found.vote, found.confidence, found.may_gate)
    return found


SAID = "The mill in Lindau employs 40 people in its two halls."


@pytest.mark.parametrize(
    "other",
    [
        pytest.param("The mill in Genoa employs 60 people in its two halls.", id="two things differ"),
        pytest.param("The mill in Genoa employs 40 people in its two halls.", id="another name may be so too"),
        pytest.param("The mill in Lindau employs 60 people.", id="too much is not said"),
        pytest.param("The Lindau Works employ 60 people in their two halls.", id="names that share a word"),
        pytest.param("The mill in Lindau employs forty people in its two halls.", id="one number in two forms"),
        pytest.param("The mill in Lindau employs 40 people in its 2 halls.", id="the same"),
    ],
)
def test_no_exchange(other: str) -> None:
    assert exchange(parse(SAID), parse(other)) is None


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        (SAID, "The mill in Lindau employs 60 people in its two halls.", "number"),
        ("The harbour was dredged in 1994.", "The harbour was dredged in 1996.", "date"),
        (
            "The big copper kettle holds 20 litres of cold water.",
            "The big copper kettle holds 20 gallons of cold water.",
            "unit",
        ),
        ("The filter is made of steel wire.", "The filter is not made of steel wire.", "negation"),
        ("Output of the plant rose in spring.", "Output of the plant fell in spring.", "opposite"),
        (
            "All old valves of the new plant were replaced by hand.",
            "Some old valves of the new plant were replaced by hand.",
            "quantifier",
        ),
    ],
)
def test_one_thing_that_cannot_be_both_is_hard_evidence(one: str, other: str, kind: str) -> None:
    found = exchange(parse(one), parse(other))
    assert found is not None
    assert found.kind == kind
    assert found.same >= 0.8
    said = vote(one, other)
    assert (said.vote, said.may_gate, said.confidence) == ("direct_contradiction", True, 0.95)
    assert found.said in said.reason


def test_claims_that_share_few_words_speak_of_different_things() -> None:
    found = vote("Cold brew steeps for twelve hours in the fridge.", "Cold snaps ruin the coffee harvest in Brazil.")
    assert (found.vote, found.may_gate) == ("independent", True)
    assert found.contradiction == pytest.approx(0.03)


def test_claims_without_words_of_their_own_are_held_against_nothing() -> None:
    assert vote("It was 40 in all.", "It was 60 in all.").vote != "direct_contradiction"


def test_the_same_words_agree() -> None:
    found = vote("The mill employs 40 people.", "The mill employs 40 people!")
    assert (found.vote, found.may_gate) == ("supports", True)


def test_what_has_to_be_weighed_decides_nothing() -> None:
    found = vote(SAID, "The mill in Lindau runs its two halls with fewer people than in the year before.")
    assert not found.may_gate


def test_the_reason_names_what_differs() -> None:
    assert vote(SAID, SAID.replace("40", "60")).reason == "They say the same but for '40 people' and '60 people'."
    denied = vote("The filter is made of steel wire.", "The filter is not made of steel wire.").reason
    assert denied == "They say the same, but one denies what the other says of 'made'."


def test_the_words_of_their_topic_make_no_two_claims_alike() -> None:
    pair = ("The mill employs 40 people.", "The mill stands by the river.")
    alone, about = judge().pair_votes([PairQuestion(*pair), PairQuestion(*pair, topic="Mill")])
    assert not alone.may_gate
    assert (about.vote, about.may_gate) == ("independent", True)
    assert about.reason == "They share no word that says anything."


def test_names_that_share_a_word_are_two_things() -> None:
    told = "{} was first described in {} by the trade press of its day."
    assert exchange(parse(told.format("History of Tea", 1807)), parse(told.format("Tea Cultivars", 1814))) is None
    assert exchange(parse(told.format("Tea Cultivars", 1807)), parse(told.format("Tea Cultivars", 1814))) is not None
