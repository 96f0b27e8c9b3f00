"""What a vote makes of a claim. Only a vote that is sure enough to decide does so (`PROTOCOL.md` 9), as in M1.

A judge that reads no meaning goes by words. It is not believed where words are turned around a claim, nor where the
claim nearly copies a sentence and changes a word; and what has hardly a word in the sources has no basis.
"""

from __future__ import annotations

from typing import Literal

from gitops.extraction import bearing
from gitops.extraction.rationales import reason, touches_reason
from gitops.extraction.turning import turning
from gitops.verify.judge import Judge, Vote
from gitops.verify.judging.reading import Reading

Holds = Literal["yes", "no", "unknown"]
Decided = tuple[Holds, str]
"""Whether a text says what a claim says, and why that is thought."""
_NO_SENTENCE = "no sentence has more than a few of its words"
_TITLE_ALONE = "no sentence has more than a few of its words but those of its title"
_NO_REASON = "no sentence has more than a few words of its reason"


def decided(claim: str, vote: Vote, judge: Judge, text: Reading, title: str = "", doubt: str = "") -> Decided:
    """Whether a text says a claim, by a judge's vote on that.

    `title` is of the atom that gives it as a reason; `doubt` is why the claim's words may say something else where
    they stand in the text.
    """
    if judge.is_free and (why := _baseless(claim, text, title)):
        return "no", why
    if vote.vote == "abstained" or not vote.may_gate:
        return "unknown", (doubt if judge.is_free else "") or vote.reason
    if judge.is_free and vote.vote == "supports" and (why := doubt or _turned(claim, text)):
        return "unknown", why
    return ("yes" if _holds(vote, claim) else "no"), vote.reason


def _holds(vote: Vote, claim: str) -> bool:
    """Whether a vote finds the reason itself: where all that lacks support stands beside the reason, that holds."""
    if vote.vote == "partially_supports":
        return not touches_reason(claim, vote.unsupported)
    return vote.vote == "supports"


def _baseless(claim: str, text: Reading, title: str) -> str:
    """Why a claim, or the reason that it gives, can have no basis in a text; '' where it may."""
    if bearing.absent(claim, text):
        return _NO_SENTENCE
    if bearing.baseless(claim, text, title):
        return _TITLE_ALONE
    stretch = reason(claim)
    return _NO_REASON if stretch and bearing.baseless(claim[slice(*stretch)], text, title) else ""


def _turned(claim: str, text: Reading) -> str:
    """Why the sentence that is nearest to a claim may not say it though it has its words; '' where nothing tells."""
    line = bearing.nearest(claim, text)
    if line is None:
        return ""
    if found := turning(line.text, claim):
        return f"the sentence that is nearest to it also says '{found}'"
    if (stretch := reason(claim)) and bearing.parted(claim, stretch, text):
        return "no one sentence gives that reason for that"
    if bearing.scattered(claim, text):
        return "its words are put together from several places"
    if found := bearing.reordered(claim, line.text):
        return f"the sentence that is nearest to it says '{found}' in another place"
    found = turning(claim, line.text) or bearing.altered(claim, line.text)
    return f"the sentence that is nearest to it does not say '{found}'" if found else ""
