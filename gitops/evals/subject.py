"""A workspace at a commit, as a metric sees it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from gitops.config import Budget
from gitops.runs.answered import Answering
from gitops.runs.context import Context
from gitops.runs.measurements import Measurement
from gitops.runs.seating import Asking, Seat, seated
from gitops.runs.views import Bench
from gitops.runs.workspace import Workspace
from gitops.verify.panel import Panel
from gitops.verify.view import View


@dataclass
class Subject:
    """What is measured, and with what.

    `bench` is open on the commit. `moment` is the time that the measurement speaks of: now for the tip of a branch, the
    commit's own for one of the past. `seed` and `size` say which sample is drawn (`size` None: the metric's own).
    `past` are the measurements of the same metric and workspace that were made before, oldest first.
    """

    bench: Bench
    moment: datetime
    run_id: str = ""
    seed: int = 0
    size: int | None = None
    asking: Asking = field(default_factory=Asking)
    answering: Answering | None = None
    """Who answers gold queries; None where nobody was brought who can."""
    preset: str = ""
    """Which preset answers them; '' is the policy's writer."""
    budget: Budget = field(default_factory=Budget)
    """What is left of `[llm.budgets.eval]` for answering."""
    past: Sequence[Measurement] = ()

    @property
    def context(self) -> Context:
        """Repository, clock, and someone to tell."""
        return self.bench.context

    @property
    def workspace(self) -> Workspace:
        """The workspace, with its policy at the commit."""
        return self.bench.workspace

    @property
    def commit(self) -> str:
        """The commit that is measured."""
        return self.bench.base

    @cached_property
    def view(self) -> View:
        """The wiki at the commit, with its link graph brought up to date: only who needs links asks for it."""
        return self.bench.base_view()

    @cached_property
    def panel(self) -> Panel:
        """The judges of the policy, whose votes are remembered apart from those of landings."""
        context, workspace = self.context, self.workspace
        corpus = self.bench.source_corpus()
        seat = Seat(
            workspace, context.folder, context.clock, "eval", self.run_id, "eval", base=self.view, corpus=corpus
        )
        return seated(context, seat, self.bench.cache, self.asking)
