"""How many cases of a suite are worse than its baseline: what an alert asks, without a person who looks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gitops.errors import CannotRun, UsageError
from gitops.runs.authority import Authority
from gitops.runs.context import Context
from gitops.runs.workspace import Workspace, rooted
from gitops.suites import baselines, loading, regressions
from gitops.suites.loading import Loaded
from gitops.suites.model import BenchmarkRun


def regressed(context: Context, runs: Sequence[BenchmarkRun]) -> int | None:
    """The regressions of a run since the baseline at the tip of the target branch.

    None where there is no such suite any more, nobody has accepted a baseline, or the run itself is it; and where that
    cannot be told, which is said through the context.
    """
    first = runs[0]
    try:
        at = Authority(context, first.workspace)
        workspace, suites = context.once(("suites", first.workspace, at.commit), lambda: _suites(at))
        loaded = suites.get(first.suite_id)
        found = baselines.baseline_of(context, workspace, at.commit, loaded) if loaded is not None else None
    except (UsageError, CannotRun) as error:
        context.warn_once(f"whether {first.suite_id} of {first.workspace} got worse is not told: {error.message}")
        return None
    if found is None or found.run_id == first.run_id:
        return None
    return len(regressions.regressions(found.runs, runs))


def _suites(at: Authority) -> tuple[Workspace, Mapping[str, Loaded]]:
    """A workspace at the tip of the target branch, and its suites by their ids."""
    workspace = rooted(at.context.repository, at.commit, at.root)
    every = loading.suites_at(at.context, workspace, at.commit, organic=False)
    return workspace, {each.suite.suite_id: each for each in every}
