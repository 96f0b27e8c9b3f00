"""What `--json` prints of judges and models: what `git assay schema` tells of it."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict  # pydantic takes typing's own only from Python 3.12 on

from gitops.runs.transcripts import TranscriptRecord
from gitops.verify.judge import ClaimVote, PairVoteName


class ClaimVoted(TypedDict):
    """A vote on a claim (`judge`), a line each."""

    schema: Literal["assay/vote/1"]
    id: str | int
    vote: ClaimVote
    confidence: float
    reason: str
    support: float | None
    unsupported: list[str]
    may_gate: bool
    judge: str


class PairVoted(TypedDict):
    """A vote between two claims (`judge --pairs`), a line each."""

    schema: Literal["assay/pair-vote/1"]
    id: str | int
    vote: PairVoteName
    confidence: float
    reason: str
    contradiction: float | None
    may_gate: bool
    judge: str


class JudgeIdentity(TypedDict):
    """Which judge it was."""

    id: str
    version: str
    digest: str


class Figure(TypedDict):
    """A metric with its 95 % interval; null where it is not defined."""

    value: float | None
    interval: list[float] | None
    n: int


class JudgeScore(TypedDict):
    """How right a judge is on labelled cases (`judge --score`)."""

    schema: Literal["assay/judge-score/1"]
    judge: JudgeIdentity
    kind: Literal["claims", "pairs"]
    cases: int
    judged: int
    abstained: int
    metrics: dict[str, Figure]


class RunTranscript(TypedDict):
    """The conversations of a run (`run show --transcript`)."""

    schema: Literal["assay/run-transcript/1"]
    run_id: str
    transcripts: list[TranscriptRecord]
