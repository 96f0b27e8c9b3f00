"""What `--json` prints of what mends a wiki as a whole: `lint --resolve-contradictions` and `--cascade-backfill`."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import TypedDict  # pydantic takes typing's own only from Python 3.12 on

from gitops.runs.printed import Finished


class OlderClaim(TypedDict):
    """The claim of two that a later source has overtaken, and the day from which on it no longer holds."""

    page: str
    claim: str
    day: str


class DisagreeingClaim(TypedDict):
    """One side of a contradiction, and the files that stand behind it."""

    page: str
    claim: str
    sources: list[str]


class ResolvedContradiction(TypedDict):
    """How a contradiction was mended: the older claim dated, or both told as disputed."""

    how: Literal["dated", "disputed"]
    pages: list[str]
    topic: str
    older: OlderClaim | None
    claims: list[DisagreeingClaim]


class LeftContradiction(TypedDict):
    """A contradiction that was left as it is, with both places and why."""

    a: str
    b: str
    reason: str


class Resolve(TypedDict):
    """What came of it; with `--dry-run` what would be written, or first be asked."""

    schema: Literal["assay/resolve/1"]
    state: Literal["nothing", "planned", "finished"]
    score: float | None
    contradictions: int
    mends: list[ResolvedContradiction]
    left: list[LeftContradiction]
    first_turn: Any
    used: dict[str, float] | None
    run: Finished | None


class NotResolved(TypedDict):
    """No verdict (exit 3): why, and what mends it."""

    schema: Literal["assay/resolve/1"]
    state: Literal["no_verdict"]
    error: str
    hint: str


class MissedPages(TypedDict):
    """The pages that the ingests of some sources missed, each with the terms that it mentions."""

    sources: list[str]
    pages: dict[str, list[str]]


class Backfill(TypedDict):
    """What came of touching them (`lint --cascade-backfill`): by page, the sentences that it gains or would gain."""

    schema: Literal["assay/backfill/1"]
    state: Literal["nothing", "planned", "finished"]
    missed: list[MissedPages]
    pages: dict[str, list[str]]
    first_turn: Any
    used: dict[str, float] | None
    run: Finished | None


class NotBackfilled(TypedDict):
    """No verdict (exit 3): why, and what mends it."""

    schema: Literal["assay/backfill/1"]
    state: Literal["no_verdict"]
    error: str
    hint: str
