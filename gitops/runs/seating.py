"""Who judges: the judges that a policy names, given what they may need. The doors bring those that need a model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Literal

from gitops.runs.context import Context
from gitops.runs.transcripts import Transcript
from gitops.runs.workspace import Workspace
from gitops.usage import NOTHING, Usage
from gitops.verify import judges
from gitops.verify.judge import Judge
from gitops.verify.judgements import Remembered
from gitops.verify.library import Cache
from gitops.verify.panel import Panel
from gitops.verify.view import View
from gitops.wiki.terms import Corpus

Purpose = Literal["landing", "eval", "test", "asked"]
"""What votes are for. Those of a landing never serve a measurement (`PROTOCOL.md` 8)."""
NOBODY = "none"
"""`[verify] judge = "none"`: the checks alone."""


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


@dataclass(slots=True)
class Asking:
    """How judges are asked about one change, and what came of it: also where they failed, so that it can be told.

    `nobody` asks none, `only_free` those that cost nothing; `fresh` asks anew what was answered before.
    """

    fresh: bool = False
    nobody: bool = False
    only_free: bool = False
    panel: Panel = field(default=Panel(()))

    @property
    def used(self) -> Usage:
        """What the judges have spent."""
        return self.panel.used if self.panel.judges else NOTHING

    @property
    def transcripts(self) -> list[Transcript]:
        """What was said to models and what they answered, also where that led to no verdict."""
        return [said for judge in self.remembered for said in getattr(judge.judge, "transcripts", ())]

    @property
    def remembered(self) -> Sequence[Remembered]:
        """The judges whose votes are worth keeping."""
        return [judge for judge in self.panel.judges if isinstance(judge, Remembered)]


def offline_only(name: str, seat: Seat) -> Judge:
    """The judges that need no model."""
    return judges.find(name, seat.corpus)


def seated(context: Context, seat: Seat, cache: Cache, asking: Asking) -> Panel:
    """The judges of the policy; the votes of those that cost something are remembered."""
    wanted = () if asking.nobody else seat.workspace.config.verify.judge
    seating = context.seating or offline_only
    found = [seating(name, seat) for name in dict.fromkeys(wanted) if name != NOBODY]
    if asking.only_free:
        found = [judge for judge in found if judge.is_free]
    kept = [judge if judge.is_free else Remembered(judge, cache, seat.purpose, asking.fresh) for judge in found]
    asking.panel = Panel(tuple(kept))
    return asking.panel
