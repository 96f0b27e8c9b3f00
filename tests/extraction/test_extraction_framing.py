"""A sentence that is copied out of what turns it says something else; one that stands by itself does not."""

from __future__ import annotations

import pytest

from gitops.extraction.framing import Frame, frame
from gitops.extraction.turning import turning
from gitops.wiki import passages

SAID = "the mill is cheap to run"


def around(text: str, said: str = SAID) -> Frame:
    start = text.lower().index(said.lower())
    return frame(text, passages.of_markdown(text), start, start + len(said))


@pytest.mark.parametrize(
    "text",
    [
        "The mill is cheap to run.",
        "It was bought because the mill is cheap to run.",
        "Nobody else wanted it, since the mill is cheap to run.",
        "PumpNet was rejected, because the mill is cheap to run.",
        "The mill is cheap to run, and nobody could build another.",
        "We had two offers, but the mill is cheap to run.",
        "Reasons:\n\n- the mill is cheap to run\n- it stands already\n",
        "The critics met in May. The mill is cheap to run. It rained.",
        "They met in May to see whether it runs. The mill is cheap to run.",
        "## Why\n\nThe mill is cheap to run. That is a surprise.",
        "It was bought because it is old, the mill is cheap to run and it stands already.",
        "It was bought *since the mill is cheap to run*.",
        "It was bought for two reasons: it is old, and the mill is cheap to run.",
        "Why it was bought, and nothing else: the mill is cheap to run.",
        "Nobody else wanted it, for the mill is cheap to run.",
        "It is old, and the mill is cheap to run.",
        "My reason is simple: the mill is cheap to run.",
        "The reason is that the mill is cheap to run.",
        "Reasons: the mill is cheap to run.",
        "1. The mill is cheap to run.",
        "It is old; the mill is cheap to run; nobody else wanted it.",
        "The council of the town\nThe mill is cheap to run.",
        "| mill | reason |\n|---|---|\n| old | the mill is cheap to run |",
        "| mill | reason |\n|---|---|\n| the mill is cheap to run | old |",
    ],
)
def test_what_stands_by_itself_raises_no_doubt(text: str) -> None:
    assert (around(text).doubt, around(text).denies) == ("", False)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("A critic said that the mill is cheap to run.", "'critic'"),
        ("It was bought, the miller told us, because the mill is cheap to run.", "'told'"),
        ("If the mill is cheap to run, it pays off.", "'If'"),
        ("Perhaps the mill is cheap to run.", "'Perhaps'"),
        ("Nobody claims the mill is cheap to run.", "'Nobody'"),
        ("The mill is cheap to run, but that was not followed.", "'but'"),
        ("The mill is cheap to run, which is not so.", "takes it back"),
        ("The mill is cheap to run: a myth.", "'myth'"),
        ("The mill is cheap to run. That is wrong.", "takes it back"),
        ("They met in May. A critic said\nThe mill is cheap to run.", "'critic'"),
        ("They met in May. The mill is cheap to run. That is not so.", "takes it back"),
        ("Is it true? The mill is cheap to run?", "question"),
        ("Critics say:\n\n- it is old\n- the mill is cheap to run\n", "'Critics'"),
        ("## Rejected reasons\n\n### Money\n\nThe mill is cheap to run.", "'Rejected'"),
        ("## Cons\n\n- The mill is cheap to run.", "'Cons'"),
        ("**Drawbacks**\n\n- The mill is cheap to run.", "'Drawbacks'"),
        ("Paul objected: the mill is cheap to run.", "'objected'"),
        ("In Paul's opinion the mill is cheap to run.", "'opinion'"),
        ("Imagine that the mill is cheap to run.", "only a part"),
        ("We built our own lest the mill is cheap to run.", "only a part"),
        ("We want to avoid that the mill is cheap to run.", "only a part"),
        ("Paul: the mill is cheap to run.", "only a part"),
        ("Formerly the mill is cheap to run.", "only a part"),
        ("It was bought because otherwise the mill is cheap to run.", "only a part"),
        ("The mill is cheap to run, complained Paul.", "'complained'"),
        ("The mill is cheap to run only in theory.", "only a part"),
        ("Es ist nicht wahr, dass the mill is cheap to run.", "only a part"),
        ("The mill is cheap to run. We disagree.", "takes it back"),
        ("The mill is cheap to run. This argument did not convince us.", "takes it back"),
        ("The mill is cheap to run. Not true.", "takes it back"),
        ("- The mill is cheap to run.\n  - Not so: it is dear.", "takes it back"),
        ("> The mill is cheap to run.\n\nSo wrote Paul.", "quotation"),
        ("~~The mill is cheap to run.~~", "struck out"),
        ("<s>The mill is cheap to run.</s>", "struck out"),
        ("~~Old.~~ New. ~~The mill is cheap to run.~~", "struck out"),
        ("It is old.\n\n<!-- The mill is cheap to run. -->\n", "beside the text"),
        ("| myth | fact |\n|---|---|\n| the mill is cheap to run | it is dear |", "'myth'"),
    ],
)
def test_what_turns_a_sentence_is_told(text: str, why: str) -> None:
    assert why in around(text).doubt


@pytest.mark.parametrize(
    "text",
    [
        "It is not true that the mill is cheap to run.",
        "It was bought, but not because the mill is cheap to run.",
        "It wasn't because the mill is cheap to run.",
        "The board denies that the mill is cheap to run.",
    ],
)
def test_what_is_denied_outright_is_denied(text: str) -> None:
    assert around(text).denies


@pytest.mark.parametrize(
    "text", ["It was bought because the mill is cheap to run.", "Not only is it near: the mill is cheap to run."]
)
def test_what_is_not_denied_is_not(text: str) -> None:
    assert not around(text).denies


def test_a_heading_rules_until_the_next_of_its_level() -> None:
    text = "# Notes\n\n## Rejected\n\nToo old.\n\n## Followed\n\nThe mill is cheap to run.\n"
    assert around(text).headings == ("Followed", "Notes")
    assert around(text).doubt == ""


def test_whether_a_stretch_is_all_of_its_sentence() -> None:
    assert around("It is old. The mill is cheap to run.").is_all
    assert not around("It is old and the mill is cheap to run.").is_all


def test_a_turning_word_that_the_claim_has_too_turns_nothing() -> None:
    assert turning("The mill may be cheap.", "It may be cheap.") == ""
    assert turning("The mill may be cheap.", "It is cheap.") == "may"
