"""Who judges: the judges that a policy names, given what they may need. The doors bring those that need a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from gitops.config import Budget
from gitops.index.cache import Cache
from gitops.runs.context import Context
from gitops.runs.keeping import Kept
from gitops.runs.transcripts import Transcript
from gitops.runs.workspace import Workspace
from gitops.usage import NOTHING, Usage
from gitops.verify import judges
from gitops.verify.judge import Judge, Question
from gitops.verify.judgements import Remembered
from gitops.verify.panel import Panel
from gitops.verify.view import View
from gitops.wiki.terms import Corpus

if TYPE_CHECKING:
    from gitops.llm.ledger import Ledger, Role
    from gitops.llm.messages import Messages
    from gitops.runs.shortening import ContextKeeper
    from gitops.runs.shortening import Kept as Keeps

Purpose = Literal["landing", "eval", "test", "asked", "extraction"]
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
    kept: Kept | None = None
    """Where a judge may keep what it was answered, request by request."""
    spent: Mapping[str, float] = field(default_factory=dict)
    """What earlier attempts at the same run have spent on judges."""
    purse: list[Ledger] = field(default_factory=list)
    """The one ledger of all judges that cost something, once one of them has asked for it."""
    keeping: Keeps | None = None
    """Who keeps a judge's conversations within what its model reads; None where all of them is sent."""

    @property
    def ledger(self) -> Ledger:
        """What all judges of this seat spend from, less what was spent on the run before: of a landing the verifier's
        share (alexandria 13, "Cost and SLA"), of an evaluation, where nobody writes, all of it.
        """
        if not self.purse:
            self.purse.append(self._ledger(left(self._share, self.spent)))
        return self.purse[0]

    @property
    def _share(self) -> Budget:
        budgets = self.workspace.config.llm.budgets
        return (budgets.of if self.purpose in ("eval", "test", "extraction") else budgets.verifier_of)(self.operation)

    def _ledger(self, budget: Budget) -> Ledger:
        from gitops.llm.ledger import Ledger

        role: Role = "verifier" if self.purpose == "landing" else "judge"
        return Ledger(self.folder, self.clock, self.workspace.name, self.operation, role, self.run_id, budget)


def left(budget: Budget, spent: Mapping[str, float]) -> Budget:
    """What a budget has left; never 0, which would be no bound."""
    read = sum(spent.get(name, 0.0) for name in ("input", "cache_read", "cache_write"))
    return Budget(
        input_tokens=max(1, budget.input_tokens - int(read)) if budget.input_tokens else 0,
        output_tokens=max(1, budget.output_tokens - int(spent.get("output", 0.0))) if budget.output_tokens else 0,
        usd=max(1e-9, budget.usd - spent.get("usd", 0.0)) if budget.usd else 0.0,
    )


Seating = Callable[[str, Seat], Judge]
"""A judge's id and its seat → the judge. UsageError where there is no such judge."""


@dataclass(slots=True)
class Asking:
    """How judges are asked about one change, and what came of it: also where they failed, so that it can be told.

    `nobody` asks none, `only_free` those that cost nothing; `only_kept` takes of the others what they have answered
    before; `fresh` asks anew what was answered before.
    """

    fresh: bool = False
    nobody: bool = False
    only_free: bool = False
    only_kept: bool = False
    spent: Mapping[str, float] = field(default_factory=dict)
    """What earlier attempts at the same run have spent on judges."""
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
    def recalled(self) -> int:
        """How many questions they were spared, having answered them before."""
        return sum(judge.recalled for judge in self.remembered)

    @property
    def remembered(self) -> Sequence[Remembered]:
        """The judges whose votes are worth keeping."""
        return [judge for judge in self.panel.judges if isinstance(judge, Remembered)]


def offline_only(name: str, seat: Seat) -> Judge:
    """The judges that need no model."""
    return judges.find(name, seat.corpus)


Shared = Callable[[str, str, str], bytes | None]
"""Kind, version and key of what a judge may have answered elsewhere → what it answered, if that can be believed."""


def seated(context: Context, seat: Seat, cache: Cache, asking: Asking, shared: Shared | None = None) -> Panel:
    """The judges of the policy; the votes of those that cost something are remembered, and `shared` ones believed."""
    wanted = () if asking.nobody else seat.workspace.config.verify.judge
    seating = context.seating or offline_only
    kept = Kept(cache, seat.purpose, asking.fresh, shared)
    seat = replace(seat, spent=asking.spent, kept=kept, keeping=_keeping(context, seat))
    found = [seating(name, seat) for name in dict.fromkeys(wanted) if name != NOBODY]
    if asking.only_free:
        found = [judge for judge in found if judge.is_free]
    seats = (judge if judge.is_free else Remembered(judge, kept, asking.only_kept) for judge in found)
    asking.panel = Panel(tuple(seats))
    return asking.panel


def _keeping(context: Context, seat: Seat) -> Keeps | None:
    """Who keeps the conversations of this seat's judges, each by a number."""
    keeping = context.keeping
    if keeping is None:
        return None
    named = seat.run_id or f"{seat.purpose}-{context.now}"

    def kept(number: str, messages: Messages) -> ContextKeeper:
        return keeping(context, seat.workspace, seat.operation, f"{named}/verifier-{number}", messages)

    return kept


def would_ask(judge: Judge, questions: Sequence[Question]) -> str:
    """What a judge would be asked, and about what it would cost, where that can be told: `--dry-run` prints it."""
    return would_be_asked(judge, len(questions), estimated(judge, questions))


def estimated(judge: Judge, questions: Sequence[Question]) -> Usage | None:
    """About what the questions would cost; None of a judge that cannot tell."""
    estimate = getattr(judge.judge if isinstance(judge, Remembered) else judge, "estimate", None)
    about: Usage | None = None if estimate is None else estimate(questions)
    return about


def would_be_asked(judge: Judge, count: int, about: Usage | None) -> str:
    """The same in words, of what is estimated already."""
    told = f"{judge.id} would be asked {count} question{'s' * (count != 1)}"
    if about is None:
        return told
    requests = f"{about.calls} request{'s' * (about.calls != 1)}"
    return f"{told} in {requests}, about {about.read:,} tokens in, {about.output:,} out, ${about.usd:.4f}"
