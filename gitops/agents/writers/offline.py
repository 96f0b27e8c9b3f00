"""The writer that needs no model: stages what was planned from the source's own sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gitops.agents.revising import gating
from gitops.agents.writers.ground import Ground, Plan
from gitops.agents.writers.planning import plan
from gitops.git.snapshot import TreeSnapshot
from gitops.runs import staging
from gitops.runs.context import Context
from gitops.runs.records import Run
from gitops.runs.views import Bench
from gitops.runs.workspace import Workspace
from gitops.usage import NOTHING, Usage
from gitops.verify.verdict import Verdict
from gitops.wiki.dated import normalised

Replan = Callable[[Ground, frozenset[str]], Plan]
"""From what a plan is made on and the claims to leave out (normalised) to the plan."""


@contextmanager
def ground(context: Context, workspace: Workspace, base: str) -> Iterator[Ground]:
    """What a plan is made on, at a base commit."""
    with Bench(context, workspace, base) as bench:
        yield Ground(bench.base_view(), bench.corpus(), context.now[:10])


class OfflineWriter:
    """Stages a plan in a pending run. What is found wrong it leaves out, once: it cannot put it otherwise.

    `again` makes the plan without some claims; by default it is the plan of an ingest.
    """

    def __init__(
        self, context: Context, run: Run, workspace: Workspace, made: Plan, again: Replan | None = None
    ) -> None:
        self._context, self._run, self._workspace = context, run, workspace
        self._plan = made
        self._again = again or (lambda at, wrong: plan(at, made.source, wrong))
        self._is_revised = False

    @property
    def used(self) -> Usage:
        """Nothing."""
        return NOTHING

    @property
    def plan(self) -> Plan:
        """What is staged, or will be."""
        return self._plan

    def draft(self) -> None:
        """Stage every step."""
        for step in self._plan.steps:
            staging.write(self._context, self._run, self._workspace, step.path, step.data)

    def revise(self, verdict: Verdict) -> bool:
        """Plan again without the claims that were found wrong; False where none is named, or after the first time."""
        wrong = frozenset(normalised(finding.claim) for finding in gating(verdict) if finding.claim)
        if not wrong or self._is_revised:
            return False
        self._is_revised = True
        before = {step.path for step in self._plan.steps}
        base = self._run.record.base
        with ground(self._context, self._workspace, base) as at:
            self._plan = self._again(at, wrong)
        self._take_back(before - {step.path for step in self._plan.steps}, self._context.tree(base))
        self.draft()
        return True

    def _take_back(self, paths: set[str], base: TreeSnapshot) -> None:
        """Leave pages as the base has them that are no part of the plan any more."""
        for path in sorted(paths):
            if base.blob(path) is None:
                staging.remove(self._context, self._run, self._workspace, path)
            else:
                staging.write(self._context, self._run, self._workspace, path, base.read(path))
