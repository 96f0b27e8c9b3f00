"""What of the gold's reasons was extracted: by the same words, by the same place of the source, or by a vote."""

from __future__ import annotations

import pytest

from gitops.verify.judge import Vote
from tests.extraction.rationale_cases import BIRDS, HAY, INVENTED, MEMO, judged, scene, sentence, told
from tests.verify.scripted import Scripted, sure, unsure

NESTS = "The nests have to be spared."
OTHERWISE = "Mowing later would hurt the broods."
SPARED = [sentence(NESTS, BIRDS)]
"""The gold in words of its own, with the place where the source says it."""


def test_a_sentence_that_quotes_the_same_place_says_it_without_a_vote() -> None:
    judge = Scripted({"broods": sure("supports")})
    assert told(scene(gold=SPARED, extracted=[sentence(OTHERWISE, BIRDS)]), judge) == {"grounded": [OTHERWISE]}
    assert [asked.claim for asked in judge.asked] == [OTHERWISE]


def test_a_copy_of_the_place_that_the_gold_quotes_says_it() -> None:
    assert told(scene(gold=SPARED, extracted=[BIRDS])) == {"grounded": [BIRDS]}


def test_whoever_quotes_the_place_and_makes_something_up_does_not_say_it() -> None:
    judge = Scripted({"broods": sure("does_not_support")})
    found = judged(scene(gold=SPARED, extracted=[sentence(OTHERWISE, BIRDS)]), judge)
    assert [(one.status, one.sentence.text) for one in found.claims] == [("fabricated", OTHERWISE), ("omitted", NESTS)]
    assert found.claims[1].reason == "what was extracted in its place is made up"


def test_to_quote_the_whole_document_quotes_no_place() -> None:
    judge = Scripted({"broods": sure("supports"), "spared": unsure("supports")})
    source = MEMO + "The weather was fine. The boats were late.\n"
    of = scene(source, gold=SPARED, extracted=[sentence(OTHERWISE, source.partition("\n\n")[2])])
    assert told(of, judge) == {"grounded": [OTHERWISE], "unjudged": [NESTS]}


def test_a_copy_of_another_place_says_no_other_reason() -> None:
    judge = Scripted()
    hay = sentence("Hay has its price.", HAY)
    found = judged(scene(gold=[*SPARED, hay], extracted=[BIRDS]), judge)
    assert [(one.status, one.sentence.text) for one in found.claims] == [
        ("grounded", BIRDS),
        ("omitted", "Hay has its price."),
    ]
    assert judge.asked == []


@pytest.mark.parametrize(
    ("vote", "found"),
    [
        (sure("supports"), {"grounded": [OTHERWISE]}),
        (sure("does_not_support"), {"grounded": [OTHERWISE], "omitted": [NESTS]}),
        (sure("source_missing"), {"grounded": [OTHERWISE], "omitted": [NESTS]}),
        (sure("partially_supports", "spared"), {"grounded": [OTHERWISE], "omitted": [NESTS]}),
        (unsure("does_not_support"), {"grounded": [OTHERWISE], "unjudged": [NESTS]}),
        (unsure("abstained"), {"grounded": [OTHERWISE], "unjudged": [NESTS]}),
    ],
)
def test_else_a_judge_is_asked_whether_what_was_extracted_says_it(vote: Vote, found: dict[str, list[str]]) -> None:
    judge = Scripted({"broods": sure("supports"), "spared": vote})
    assert told(scene(gold=[NESTS], extracted=[OTHERWISE]), judge) == found
    assert [(asked.claim, asked.source) for asked in judge.asked] == [(OTHERWISE, MEMO), (NESTS, OTHERWISE)]


def test_what_says_another_sentence_of_the_gold_is_not_asked_for_this_one() -> None:
    judge = Scripted({"broods": sure("supports"), "spared": unsure("supports")})
    assert told(scene(gold=[HAY, NESTS], extracted=[HAY, OTHERWISE]), judge)["unjudged"] == [NESTS]
    assert judge.asked[-1].source == OTHERWISE


def test_made_up_sentences_say_nothing_of_the_gold_where_nobody_is_sure() -> None:
    judge = Scripted({"harvesters": sure("does_not_support")})
    assert told(scene(gold=[NESTS], extracted=[INVENTED]), judge) == {"fabricated": [INVENTED], "omitted": [NESTS]}


def test_each_omission_says_why_and_where() -> None:
    for of, why in (
        (scene(gold=[HAY], is_matched=False), "its atom was not extracted"),
        (scene(gold=[HAY]), "nothing was extracted of its reasons"),
        (scene(gold=[BIRDS, HAY], extracted=[BIRDS]), "every sentence that was extracted says another one of the gold"),
    ):
        claim = judged(of).claims[-1]
        assert (claim.status, claim.reason, claim.atom, claim.source_line) == ("omitted", why, "mow-in-may", 4)
