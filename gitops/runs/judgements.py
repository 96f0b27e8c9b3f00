"""Votes as records: kept in the note of the verdict that they led to, so that they travel with it.

A vote counts where it was made (the local cache knows those), or where it is signed by an allowed key (`PROTOCOL.md` 3,
`runs/shared_votes.py`); from anywhere else it is there to be read. The votes of one landing are signed together, by one
record that lists them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from gitops.canonical import line, strict_json
from gitops.errors import CannotRun
from gitops.runs import attesting_records, names
from gitops.runs.authority import Authority
from gitops.runs.context import Context
from gitops.runs.keeping import is_replayed
from gitops.runs.records import id_of
from gitops.runs.seating import Asking, Purpose
from gitops.verify.judge import ClaimVote
from gitops.verify.judgements import Made, Remembered
from gitops.verify.statement import body_digest

SCHEMA = "assay/judgement/1"
LIST = "judgements"
LIST_SCHEMA = "assay/judgements/1"
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
    support: float | None = None
    may_gate: bool | None = None
    """Whether the judge was sure enough to decide; None where an earlier version did not record it."""
    unsupported: tuple[str, ...] = ()
    reason: str
    at: str
    replayed: bool = False

    def line(self) -> str:
        """The record as it stands in a note."""
        body = self.model_dump(mode="json", by_alias=True)
        summary = body.pop("summary")
        return line(summary, body | {"id": id_of(body)})


class VotesRecord(BaseModel):
    """The votes that one verdict rests on: the sha256 of each vote's record, in order. What is signed for all of them.

    `commit` is the candidate that was judged, in whose note they stand.
    """

    model_config = ConfigDict(frozen=True, extra="allow", populate_by_name=True)

    summary: str
    schema_: str = Field(default=LIST_SCHEMA, alias="schema")
    kind: Literal["judgements"] = "judgements"
    id: str = ""
    workspace: str
    commit: str
    votes: tuple[str, ...]
    at: str

    def record(self) -> dict[str, Any]:
        """The list as plain JSON, with its id."""
        body = self.model_dump(mode="json", by_alias=True)
        return body | {"id": id_of(body)}


def signed_list(context: Context, workspace: str, base: str, commit: str, votes: Sequence[str]) -> list[str]:
    """The list of some votes on a commit and its signature, as lines; none where nobody asks for a signature.

    That they cannot be signed is told, and holds nothing up: others will ask the judge themselves.
    """
    authority = Authority(context, workspace, base)
    if not votes or not authority.is_strict:
        return []
    digests = tuple(sorted({body_digest(strict_json(vote)) for vote in votes}))
    told = f"{len(digests)} vote{'s' * (len(digests) != 1)} on {commit[:10]}"
    body = VotesRecord(summary=told, workspace=workspace, commit=commit, votes=digests, at=context.now).record()
    try:
        signed = attesting_records.beside(authority, names.VERDICTS, commit, body)
    except CannotRun as error:
        context.warn_once(f"{told} are not signed, so that others ask again: {error.message}")
        signed = []
    return [line(body.pop("summary"), body), *signed] if signed else []


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
            support=vote.support,
            may_gate=vote.may_gate,
            unsupported=vote.unsupported,
            reason=vote.reason,
            at=at,
            replayed=is_replayed(),
        )


def _claim(made: Made) -> str:
    text = made.question.claim
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1].rstrip() + "…"
