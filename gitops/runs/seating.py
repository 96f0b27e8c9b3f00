"""Who judges: the judges that a policy names, given what they may need. The doors bring those that need a model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from gitops.runs.workspace import Workspace
from gitops.verify import judges
from gitops.verify.judge import Judge
from gitops.verify.view import View
from gitops.wiki.terms import Corpus

Purpose = Literal["landing", "eval", "test", "asked"]
"""What votes are for. Those of a landing never serve a measurement (`PROTOCOL.md` 8)."""


@dataclass(frozen=True, slots=True)
class Seat:
    """What a judge is seated with. `base` and `head` are None where no change is judged.

    `operation` is the run's type: whose verifier budget the judge spends. `folder` takes the usage log.
    """

    workspace: Workspace
    folder: Path
    clock: Callable[[], datetime]
    operation: str = "cascade"
    run_id: str = ""
    purpose: Purpose = "landing"
    base: View | None = None
    head: View | None = None
    corpus: Corpus | None = None


Seating = Callable[[str, Seat], Judge]
"""A judge's id and its seat → the judge. UsageError where there is no such judge."""


def offline_only(name: str, seat: Seat) -> Judge:
    """The judges that need no model."""
    return judges.find(name, seat.corpus)
