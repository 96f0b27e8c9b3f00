"""The claims of a rationale: each sentence once, what says nothing left out, and where a sentence gives its reason."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.extraction import rationales
from gitops.okf.model import Backing, Sentence
from tests.extraction.rationale_cases import atom, sentence


def test_each_sentence_is_one_claim_also_where_it_gives_two_reasons() -> None:
    said = ["Hay is dear, because it rained and because the barn burnt.", "Birds nest in June."]
    assert [one.text for one in rationales.claims(atom("a.md", said))] == said


def test_a_sentence_that_comes_again_counts_once_with_all_that_it_cites() -> None:
    said: list[str | Sentence] = [
        sentence("Birds nest in June.", "one"),
        sentence("birds nest  in *June*!", "two"),
        "Birds nest in July.",
    ]
    first, other = rationales.claims(atom("a.md", said))
    assert (first.text, other.text) == ("Birds nest in June.", "Birds nest in July.")
    assert first.backings == (Backing("sources/memo.md", "one"), Backing("sources/memo.md", "two"))


@pytest.mark.parametrize(
    "text",
    [
        "None.",
        "n/a",
        "Not stated.",
        "No reason is given.",
        "The rationale is not stated in the source.",
        "The source gives no reason.",
        "Its reasons are unknown",
    ],
)
def test_that_no_reason_is_stated_is_no_claim(text: str) -> None:
    assert rationales.claims(atom("a.md", [text])) == ()


@pytest.mark.parametrize(
    "text",
    [
        "The reason is stated in the source.",
        "No reason is given for the delay, but hay is dear.",
        "Nothing is known of the birds.",
        "Unknown birds nest there.",
    ],
)
def test_what_says_more_than_that_is_a_claim(text: str) -> None:
    assert len(rationales.claims(atom("a.md", [text]))) == 1


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("Birds nest in June.", "birds  nest in June", True),
        ("The “old” mill – it burnt.", 'The "old" mill - it burnt!', True),
        ("It costs 1,500 euros.", "It costs 1500 euros.", True),
        ("It costs 1.5 million.", "It costs 15 million.", False),
        ("It fell to -5 degrees.", "It fell to 5 degrees.", False),
        ("Birds nest in June.", "Birds nest in July.", False),
        ("鳥は六月に巣を作る。", "鳥は六月に巣を作る", True),
        ("…", "—", False),
    ],
)
def test_when_two_sentences_say_the_same(one: str, other: str, is_same: bool) -> None:
    assert rationales.same(one, other) is is_same
    assert rationales.same(other, one) is is_same
    assert (other in rationales.Sayings([one])) is is_same


@given(st.text(min_size=1))
def test_a_text_says_what_it_says_itself(text: str) -> None:
    assert rationales.same(text, text)
    assert text in rationales.Sayings([text])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("We mow in May because birds nest in June.", "birds nest in June."),
        ("Because birds nest in June, we mow in May.", "birds nest in June"),
        ("“Since hay is dear, we mow.", "hay is dear"),
        (
            "We mow in May so that no nest is hurt, and in order to dry hay.",
            "no nest is hurt, and in order to dry hay.",
        ),
        ("We have mown in May since 2019.", None),
        ("We have mown in May since the 1990s.", None),
        ("Birds nest in June.", None),
        ("Because birds nest in June.", None),
    ],
)
def test_where_a_sentence_gives_its_reason(text: str, reason: str | None) -> None:
    found = rationales.reason(text)
    assert (None if found is None else text[slice(*found)]) == reason


@pytest.mark.parametrize(
    ("lacking", "touches"),
    [(["in 2019"], False), (["in 2019", "cheap"], True), (["is"], True), ([], True), (["elsewhere"], True)],
)
def test_words_beside_the_reason_do_not_touch_it(lacking: list[str], touches: bool) -> None:
    assert rationales.touches_reason("The Dike Board bought it in 2019 because it is cheap.", lacking) is touches


def test_without_a_word_that_tells_the_reason_all_of_a_sentence_is_it() -> None:
    assert rationales.touches_reason("Birds nest in June.", ["June"])
