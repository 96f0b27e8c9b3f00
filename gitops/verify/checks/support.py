"""The cited source says what the claim says, by the vote of a judge.

A quotation can be true and the claim beside it false; this is what reads the one against the other. Every claim that a
change brings in is asked, those that stood there before are not. A vote that is not sure enough to decide is told as a
note. Where several sources are cited, the best of them counts, or all together. New sentences of a page that cites as a
whole are asked of all its sources, and are a warning at most.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gitops.verify.check import Check
from gitops.verify.finding import Level
from gitops.verify.judge import Vote
from gitops.verify.subjects import subject
from gitops.verify.view import Draft, PageAt
from gitops.verify.voting import Answer, Heard

_AGAINST = ("does_not_support", "source_missing")
_SAID = {
    "supports": "the source says so",
    "partially_supports": "the source says so only in part",
    "does_not_support": "the source does not say so",
    "source_missing": "there is nothing of the source to read",
    "abstained": "nobody voted",
}


def examine(at: PageAt) -> Iterator[Draft]:
    """What was said of each claim of the page that was asked about."""
    for heard in at.heard.values():
        yield from _drafts(at, heard)


def _drafts(at: PageAt, heard: Heard) -> Iterator[Draft]:
    best = heard.best
    yield _draft(at, heard, best, _bound(heard, best))
    if best.vote.vote == "supports":
        for other in heard.alone:
            if other is not best and other.vote.vote in _AGAINST and other.vote.may_gate:
                yield _draft(at, heard, other, Level.WARNING)


def _bound(heard: Heard, best: Answer) -> Level | None:
    """What a vote may be at most. Where the page cites as a whole, nobody said that this sentence is from its sources:
    a model's doubt is a warning then, and that of a judge that knows only words a note.
    """
    if not best.vote.may_gate:
        return Level.NOTE
    if heard.claim.ordinal >= 0:
        return None
    return Level.NOTE if best.voted.is_free else Level.WARNING


def _draft(at: PageAt, heard: Heard, answer: Answer, at_most: Level | None) -> Draft:
    vote, claim = answer.vote, heard.claim
    cited = " and ".join(dict.fromkeys(cite.path for cite in answer.asked.cites))
    return Draft(
        result=vote.vote,
        message=_message(vote, answer.voted.judge),
        subject=subject(claim.text, cited),
        path=at.path,
        place=claim.place,
        claim=claim.text,
        source=cited,
        repair=_repair(vote),
        evidence=_evidence(answer),
        at_most=at_most,
    )


def _message(vote: Vote, judge: str) -> str:
    if vote.vote == "abstained":
        return f"the {judge} judge abstains: {vote.reason}"
    if not vote.may_gate:
        return f"perhaps {_SAID[vote.vote]} (the {judge} judge is not sure, {vote.confidence:.2f}): {vote.reason}"
    return f"{_SAID[vote.vote]}, says the {judge} judge ({vote.confidence:.2f}): {vote.reason}"


def _repair(vote: Vote) -> str:
    if not vote.may_gate or vote.vote not in (*_AGAINST, "partially_supports"):
        return ""
    lacking = ", ".join(f"'{word}'" for word in vote.unsupported[:6])
    return f"say what the source says{f' (it lacks {lacking})' if lacking else ''}, or cite the source that says so"


def _evidence(answer: Answer) -> dict[str, Any]:
    vote = answer.vote
    return {
        "judge": answer.voted.judge,
        "may_gate": vote.may_gate,
        "confidence": float(vote.confidence),
        "support": None if vote.support is None else float(vote.support),
        "unsupported": list(vote.unsupported),
        "span": answer.asked.question.span or None,
    }


CHECK = Check(
    scope="claim",
    version=1,
    results={
        "supports": Level.NONE,
        "partially_supports": Level.WARNING,
        "does_not_support": Level.ERROR,
        "source_missing": Level.ERROR,
        "abstained": Level.NOTE,
    },
    page=examine,
    of_additions=True,
)
