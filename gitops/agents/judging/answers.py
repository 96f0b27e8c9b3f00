"""What a model answers, read strictly: one explicit vote for each that was asked about, or it is no answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from gitops.verify.judge import ClaimVote, PairVote, PairVoteName, Vote
from gitops.wiki.folding import fold

Confidence = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
UNSURE = 0.5
"""A vote of less confidence is none."""
_BROKEN = re.compile(r"[A-Za-z0-9]{2}")


class Strict(BaseModel):
    """Typed strictly and closed, as the schema that the model is given says."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class ClaimRow(Strict):
    """The vote on one claim; `sections` only with `need_more`."""

    id: int
    reason: str
    unsupported: list[str]
    vote: ClaimVote | Literal["need_more"]
    confidence: Confidence
    sections: list[int] = []


class PairRow(Strict):
    """The vote on one pair."""

    id: int
    reason: str
    vote: PairVoteName
    confidence: Confidence


class ClaimAnswer(Strict):
    """The votes on all claims of a request."""

    votes: list[ClaimRow]


class PairAnswer(Strict):
    """The votes on all pairs of a request."""

    votes: list[PairRow]


@dataclass(frozen=True, slots=True)
class More:
    """In place of a vote: the sections that the model wants to see first."""

    sections: frozenset[int]


class Malformed(ValueError):
    """Why an answer is none; the model is told."""


def claim_schema(*, may_ask_more: bool) -> dict[str, Any]:
    """The schema of an answer about claims, as short as it goes: it is sent with every request."""
    names: list[str] = list(get_args(ClaimVote))
    row: dict[str, Any] = {
        "id": {"type": "integer"},
        "reason": {"type": "string"},
        "unsupported": {"type": "array", "items": {"type": "string"}},
        "vote": {"enum": [*names, "need_more"] if may_ask_more else names},
        "confidence": {"type": "number"},
    }
    optional = {"sections": {"type": "array", "items": {"type": "integer"}}} if may_ask_more else {}
    return _schema(row, optional)


def pair_schema() -> dict[str, Any]:
    """The schema of an answer about pairs."""
    vote = {"enum": list(get_args(PairVoteName))}
    return _schema(
        {"id": {"type": "integer"}, "reason": {"type": "string"}, "vote": vote, "confidence": {"type": "number"}}, {}
    )


def _schema(required: Mapping[str, Any], optional: Mapping[str, Any]) -> dict[str, Any]:
    row = {
        "type": "object",
        "properties": {**required, **optional},
        "required": list(required),
        "additionalProperties": False,
    }
    votes = {"votes": {"type": "array", "items": row}}
    return {"type": "object", "properties": votes, "required": ["votes"], "additionalProperties": False}


def claim_votes(answer: ClaimAnswer, claims: Sequence[str], left_out: frozenset[int]) -> list[Vote | More]:
    """A vote for each claim, in order. Malformed for anything that is not exactly that."""
    rows = _by_id(answer.votes, len(claims))
    return [_claim_vote(rows[at], claim, left_out) for at, claim in enumerate(claims, 1)]


def pair_votes(answer: PairAnswer, count: int) -> list[PairVote]:
    """A vote for each pair, in order. Malformed for anything that is not exactly that."""
    rows = _by_id(answer.votes, count)
    return [_pair_vote(rows[at]) for at in range(1, count + 1)]


def _by_id(rows: Iterable[Any], count: int) -> dict[int, Any]:
    found: dict[int, Any] = {}
    for row in rows:
        if row.id in found:
            raise Malformed(f"id {row.id} has two votes")
        found[row.id] = row
    asked = set(range(1, count + 1))
    if missing := sorted(asked - found.keys()):
        raise Malformed(f"no vote for id {', '.join(map(str, missing))}")
    if extra := sorted(found.keys() - asked):
        raise Malformed(f"a vote for id {', '.join(map(str, extra))}, which nobody asked about")
    return found


def _claim_vote(row: ClaimRow, claim: str, left_out: frozenset[int]) -> Vote | More:
    if row.vote == "need_more":
        wanted = frozenset(row.sections)
        if not wanted or not wanted <= left_out:
            raise Malformed(f"id {row.id}: need_more names sections {sorted(wanted)}, left out are {sorted(left_out)}")
        return More(wanted)
    lacking = tuple(_standing(row, claim))
    if row.vote == "supports" and lacking:
        raise Malformed(f"id {row.id}: it supports, and yet words lack support")
    return _voted(row.vote, row.confidence, _sentence(row), lacking)


def _voted(vote: ClaimVote, confidence: float, reason: str, lacking: tuple[str, ...]) -> Vote:
    """A model's vote may gate; it abstains where it says so, and where it is less sure than not."""
    if vote == "abstained" or confidence < UNSURE:
        return Vote("abstained", confidence, reason, lacking)
    support = confidence if vote == "supports" else 1.0 - confidence
    return Vote(vote, confidence, reason, lacking, round(support, 6), may_gate=True)


def _standing(row: ClaimRow, claim: str) -> list[str]:
    """The words that lack support, as the claim writes them, in its order."""
    found: set[tuple[int, int]] = set()
    for words in row.unsupported:
        place = next((place for place in _places(words, claim) if _is_whole(claim, *place)), None)
        if place is None:
            raise Malformed(f"id {row.id}: {words!r} does not stand in the claim")
        found.add(place)
    return [claim[start:end] for start, end in sorted(found)]


def _places(words: str, claim: str) -> Iterator[tuple[int, int]]:
    """Where words stand in a claim, typesetting and case aside."""
    folded, sought = fold(claim, "loose"), fold(words, "loose").text
    at = folded.text.find(sought) if sought else -1
    while at >= 0:
        yield folded.span(at, at + len(sought))
        at = folded.text.find(sought, at + 1)


def _is_whole(claim: str, start: int, end: int) -> bool:
    """Whether a stretch begins and ends where words do; scripts without spaces are cut anywhere."""
    return not any(_BROKEN.fullmatch(claim[at - 1 : at + 1]) for at in (start, end) if at > 0)


def _pair_vote(row: PairRow) -> PairVote:
    against = row.vote in ("partial_contradiction", "direct_contradiction")
    probable = None if row.vote == "abstained" else round(row.confidence if against else 1.0 - row.confidence, 6)
    return PairVote(row.vote, row.confidence, _sentence(row), probable, may_gate=row.vote != "abstained")


def _sentence(row: ClaimRow | PairRow) -> str:
    reason = " ".join(row.reason.split())
    if not reason:
        raise Malformed(f"id {row.id} has no reason")
    return reason
