"""What a change does besides to what has gold or suites of its own: benchmarks and extraction, found and answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from gitops.ci import extraction_touched, suites_touched
from gitops.ci.accepting import Acceptance
from gitops.ci.extraction_answers import ExtractionAnswers
from gitops.ci.extraction_touched import Hit
from gitops.ci.spans import Span
from gitops.ci.suite_answers import How, SuiteAnswers
from gitops.ci.suites_touched import Touched
from gitops.git.treediff import Entry
from gitops.runs.context import Context
from gitops.runs.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Affected:
    """The suites that a change affects, and what of it decides how extraction is scored."""

    suites: Touched = field(default_factory=Touched)
    extraction: Hit = field(default_factory=Hit)

    @property
    def is_any(self) -> bool:
        """Whether the change concerns either."""
        return self.suites.is_any or self.extraction.is_any


@dataclass(frozen=True, slots=True)
class Besides:
    """What came of both."""

    suites: SuiteAnswers = field(default_factory=SuiteAnswers)
    extraction: ExtractionAnswers = field(default_factory=ExtractionAnswers)

    @property
    def is_worse(self) -> bool:
        """Whether something regressed, is below its bar, or has no answer any more."""
        return bool(self.suites.gated or self.suites.lost or self.extraction.gated or self.extraction.lost)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What is to be told besides."""
        return (*self.suites.remarks, *self.extraction.remarks)

    @property
    def usd(self) -> float:
        """What models cost for it."""
        return self.suites.usd + self.extraction.used.usd

    @property
    def tokens(self) -> int:
        """The tokens that they read and wrote for it."""
        return self.suites.tokens + self.extraction.used.read + self.extraction.used.output

    def open(self, accepted: Acceptance | None) -> list[str]:
        """What somebody would have to accept, by the names that a record has."""
        return [*self.suites.open(accepted), *self.extraction.open(accepted)]


def affected(context: Context, workspace: Workspace, span: Span, entries: Sequence[Entry]) -> Affected:
    """What a change affects of a workspace as its base has it; `entries` is all that it touches."""
    return Affected(
        suites_touched.touched(context, workspace, span, entries),
        extraction_touched.touched(context, workspace, span, entries),
    )


def answered(context: Context, workspace: Workspace, span: Span, hit: Affected, how: How) -> Besides:
    """What both say; what runs or scores them is loaded only where there is something to run or score."""
    suites, extraction = SuiteAnswers(), ExtractionAnswers()
    if hit.suites.is_any or hit.suites.faults:
        from gitops.ci import benchmarks

        suites = benchmarks.answers(context, workspace, span, hit.suites, how)
    if hit.extraction.is_any:
        from gitops.ci import extraction_scoring

        extraction = extraction_scoring.answers(context, workspace, span, hit.extraction, how)
    return Besides(suites, extraction)
