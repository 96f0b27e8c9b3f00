"""How a run is to be finished, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from gitops.errors import CannotRun
from gitops.runs.records import Run
from gitops.usage import NOTHING, Usage
from gitops.verify.verdict import Verdict

Result = Literal["landed", "rejected", "revise", "not_landed", "draft", "would_land"]


@dataclass(frozen=True, slots=True)
class Options:
    """How a run is to be finished."""

    dry_run: bool = False
    no_verify: bool = False
    draft_only: bool = False
    push: bool = False
    fresh: bool = False
    """Ask the judges anew what they have answered before."""
    used: dict[str, float] = field(default_factory=dict)
    """What a person says the writer used."""
    writer: Usage = NOTHING
    """What the writer of this run has used in all, where its calls were counted."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of finishing a run."""

    result: Result
    run: Run
    verdict: Verdict | None = None
    commit: str = ""
    signer: str = ""
    """Who signed the verdict that it landed by; empty where nobody did."""


class NotLanded(CannotRun):
    """Verified, and not landed: something stands in the way that has nothing to do with the verdict."""

    def __init__(self, message: str, hint: str, outcome: Outcome) -> None:
        super().__init__(message, hint)
        self.outcome = outcome
