"""The syntheses that came to no end, or to a bad one: what each wrote, what was found, and how to go on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from gitops.git import objects, refs
from gitops.git.treediff import changed
from gitops.runs import judging, names, store, sweep
from gitops.runs.context import Context
from gitops.runs.records import Run
from gitops.verify.finding import Finding

_SHOWN = ("pending", "verifying", "rejected", "abandoned")


@dataclass(frozen=True, slots=True)
class Reviewed:
    """One of them. `pages` are the repository paths that it wrote, `next` the commands that go on with it."""

    run: Run
    pages: tuple[str, ...]
    findings: tuple[Finding, ...]
    next: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """The same as plain JSON."""
        run = self.run
        return {
            "run_id": run.id,
            "status": run.status,
            "draft_only": run.state.draft_only,
            "verdict": run.state.verdict or None,
            "started_at": run.record.started_at,
            "reason": run.state.reason,
            "pages": list(self.pages),
            "findings": [finding.model_dump(mode="json") for finding in self.findings],
            "next": list(self.next),
        }


def reviewed(context: Context, runs: Iterable[Run], most: int) -> list[Reviewed]:
    """The syntheses to look at, newest first as they are given. What a killed process left is put right first."""
    listed = list(runs)
    for told in sweep.full(context, listed):
        context.warn(told)
    found: list[Reviewed] = []
    for run in listed:
        run = store.exact(context, run.id) or run
        if run.status in _SHOWN and len(found) < most:
            found.append(Reviewed(run, _pages(context, run), _findings(context, run), _next(run)))
    return found


def _pages(context: Context, run: Run) -> tuple[str, ...]:
    """What differs between where the run began and where it is; nothing where this clone does not hold it."""
    head = refs.read(context.repository, names.branch(run.id)) or run.state.head
    if not all(objects.exists(context.repository, commit) for commit in (run.record.base, head)):
        return ()
    before, after = context.tree(run.record.base), context.tree(head)
    return tuple(entry.path for entry in changed(context.repository, before.tree_id, after.tree_id))


def _findings(context: Context, run: Run) -> tuple[Finding, ...]:
    """What the last verdict on it rests on."""
    tried = [state for state in reversed(run.states) if state.verdict_id]
    for state in tried:
        for commit in filter(None, dict.fromkeys(each.candidate for each in reversed(run.states))):
            for verdict in store.verdicts_on(context, commit):
                if verdict.id == state.verdict_id:
                    return tuple(judging.gating(verdict.findings))
    return ()


def _next(run: Run) -> tuple[str, ...]:
    looked = (f"git assay run show {run.id}", f"git assay run diff {run.id}")
    if run.status in ("rejected", "abandoned"):
        return (*looked, f"git assay run start --from {run.id}", "git assay synthesize")
    return (*looked, f"git assay run finish {run.id}", f"git assay run abandon {run.id}")
