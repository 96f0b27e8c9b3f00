"""What `--json` prints of who writes, answers and puts together: what `git assay schema` tells of it."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict  # pydantic takes typing's own only from Python 3.12 on

from gitops.runs.printed import Finished
from gitops.runs.records import Status as RunStatus
from gitops.verify.finding import Finding


class Synthesis(TypedDict):
    """What came of a synthesis, or with `--dry-run` would; `pages` are their texts then, and `used` an estimate."""

    schema: Literal["assay/synthesize/1"]
    state: Literal["nothing", "not_due", "planned", "finished"]
    since: str | None
    due: str | None
    claims: int
    page: str | None
    pages: dict[str, str]
    used: dict[str, float] | None
    run: Finished | None


class NoSynthesis(TypedDict):
    """No synthesis came to a verdict (exit 3): why, and what mends it."""

    schema: Literal["assay/synthesize/1"]
    state: Literal["no_verdict"]
    error: str
    hint: str


class ReviewedSynthesis(TypedDict):
    """A synthesis that is open or came to nothing, and the commands that go on with it."""

    run_id: str
    status: RunStatus
    draft_only: bool
    verdict: str | None
    started_at: str
    reason: str
    pages: list[str]
    findings: list[Finding]
    next: list[str]


class SynthesisReview(TypedDict):
    """The syntheses to look at, newest first (`synthesize review`)."""

    schema: Literal["assay/synthesize-review/1"]
    runs: list[ReviewedSynthesis]
