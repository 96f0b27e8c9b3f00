"""Votes as records: kept in the note of the verdict that they led to, so that they travel with it.

A vote counts where it was made (the local cache knows those), or where it is signed by an allowed key
(`PROTOCOL.md` 3); from anywhere else it is there to be read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from gitops.canonical import line
from gitops.runs.keeping import is_replayed
from gitops.runs.records import id_of
from gitops.runs.seating import Asking, Purpose
from gitops.verify.judge import ClaimVote
from gitops.verify.judgements import Made, Remembered

SCHEMA = "assay/judgement/1"
_SHOWN = 80


class JudgementRecord(BaseModel):
    """A vote of a judge that costs something. `key` is the digest of all that it was asked (`verify.judgements`).

    `replayed` says that it was not given for this verdict but taken from a recording.
    """

    model_config = ConfigDict(frozen=True, extra="allow", populate_by_name=True)

    summary: str
    schema_: str = Field(default=SCHEMA, alias="schema")
    kind: Literal["judgement"] = "judgement"
    id: str = ""
    key: str
    purpose: Purpose
    judge: str
    judge_version: str
    judge_digest: str
    claim: str
    title: str
    vote: ClaimVote
    confidence: float
    unsupported: tuple[str, ...] = ()
    reason: str
    at: str
    replayed: bool = False

    def line(self) -> str:
        """The record as it stands in a note."""
        body = self.model_dump(mode="json", by_alias=True)
        summary = body.pop("summary")
        return line(summary, body | {"id": id_of(body)})


def lines(asking: Asking, purpose: Purpose, at: str) -> list[str]:
    """A line for each vote that the verdict rests on, whether it was asked for now or remembered."""
    return [record.line() for judge in asking.remembered for record in _records(judge, purpose, at)]


def _records(judge: Remembered, purpose: Purpose, at: str) -> Iterator[JudgementRecord]:
    for made in {made.key: made for made in judge.given}.values():
        vote = made.vote
        yield JudgementRecord(
            summary=f"{judge.id}: {vote.vote}: {_claim(made)}",
            key=made.key,
            purpose=purpose,
            judge=judge.id,
            judge_version=judge.version,
            judge_digest=judge.digest,
            claim=made.question.claim,
            title=made.question.title,
            vote=vote.vote,
            confidence=float(vote.confidence),
            unsupported=vote.unsupported,
            reason=vote.reason,
            at=at,
            replayed=is_replayed(),
        )


def _claim(made: Made) -> str:
    text = made.question.claim
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1].rstrip() + "…"
