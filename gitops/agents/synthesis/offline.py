"""The writer of syntheses that needs no model: stages what was composed, without what the verifier would refuse."""

from __future__ import annotations

from gitops.agents.revising import gating
from gitops.agents.synthesis import composing, rehearsing
from gitops.agents.synthesis.composing import Composed
from gitops.runs import staging
from gitops.runs.context import Context
from gitops.runs.records import Run
from gitops.runs.views import Bench
from gitops.runs.workspace import Workspace
from gitops.usage import NOTHING, Usage
from gitops.verify.finding import Finding
from gitops.verify.verdict import Verdict

_REHEARSALS = 5
"""So many times what would be refused is left out before the verdict is asked for."""


class OfflineSynthesis:
    """Stages a synthesis in a pending run; with `is_judged` it asks first what of it the verifier would refuse."""

    def __init__(self, context: Context, run: Run, workspace: Workspace, made: Composed, *, is_judged: bool) -> None:
        self._context, self._run, self._workspace = context, run, workspace
        self._made, self._is_judged = made, is_judged

    @property
    def used(self) -> Usage:
        """Nothing."""
        return NOTHING

    @property
    def made(self) -> Composed:
        """What is staged, or will be."""
        return self._made

    def draft(self) -> None:
        """Stage it, and then again without each statement that the checks or a judge that costs nothing object to."""
        stage(self._context, self._run, self._workspace, self._made)
        for _ in range(_REHEARSALS if self._is_judged else 0):
            if not self._without(rehearsing.objections(self._context, self._run, self._made.path)):
                return

    def revise(self, verdict: Verdict) -> bool:
        """Leave out what a verdict found; False where no statement is to blame."""
        return self._without(gating(verdict))

    def _without(self, findings: list[Finding]) -> bool:
        wrong = rehearsing.meant(self._made.digest, findings)
        if not wrong:
            return False
        with Bench(self._context, self._workspace, self._run.record.base) as bench:
            old, refused = self._made, self._made.refused | wrong
            made = composing.compose(bench, bench.base_view(), old.found, old.since, old.day, refused)
        if not made.pages:
            return False  # then the verdict says what is wrong with all of it
        self._made = made
        stage(self._context, self._run, self._workspace, made)
        return True


def stage(context: Context, run: Run, workspace: Workspace, made: Composed) -> None:
    """Stage the pages of a synthesis."""
    for path, text in made.pages.items():
        staging.write(context, run, workspace, path, composing.encoded(text))
