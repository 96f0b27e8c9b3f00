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
    """No synthesis came to a verdict (exit 3, or 4 where a gate is closed): why, and what mends it."""

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


class IngestedRun(Finished):
    """What came of one source's run, as `run finish` prints it, and what its writer used."""

    source: str
    used: dict[str, float]


class VerifiedNotLanded(Finished):
    """A run that may land and could not (exit 3): why, and what mends it."""

    source: str
    error: str
    hint: str


class NothingToIngest(TypedDict):
    """A source of which the wiki says all already; `run_id` is of the run that saw to it."""

    source: str
    result: Literal["nothing"]
    run_id: str | None
    used: dict[str, float]


class NotIngested(TypedDict):
    """A source that cannot be read, or about which a model gave no answer (exit 3); or a gate is closed (4)."""

    source: str
    result: Literal["no_verdict"]
    error: str
    hint: str


class PlannedClaim(TypedDict):
    """A sentence that a page would gain: code points `[start, end)` of the source's text."""

    text: str
    start: int
    end: int


class PlannedPage(TypedDict):
    """A page that would be made or changed."""

    path: str
    op: Literal["create", "update"]
    claims: list[PlannedClaim]


class PlannedIngest(TypedDict):
    """What the offline writer would write of a source (`--dry-run`)."""

    source: str
    result: Literal["would_write", "nothing"]
    operations: list[PlannedPage]


class AskedIngest(TypedDict):
    """What a model would first be asked about a source, and about what the whole would use (`--dry-run`)."""

    source: str
    result: Literal["would_ask"]
    model: str
    system: str
    first_turn: str
    estimate: dict[str, float]


class Ingest(TypedDict):
    """What came of each source, in order (`ingest`)."""

    schema: Literal["assay/ingest/1"]
    runs: list[IngestedRun | VerifiedNotLanded | NothingToIngest | NotIngested | PlannedIngest | AskedIngest]
