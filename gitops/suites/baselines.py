"""Baselines: which run of a suite somebody has accepted, so that later ones are compared with it (silas 20.5).

What counts at a commit is the newest acceptance of a run that measured a commit of its first-parent history or, where
there is none, the `baseline.json` of its own tree. So no change moves the baseline that it is held to: what is accepted
on its own commits, or stands in its own tree, counts once it has landed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from gitops.errors import Absent, CannotRun, UsageError
from gitops.git.failure import FETCH_MORE
from gitops.runs import feedback, measurements
from gitops.runs.authority import Authority
from gitops.runs.context import Context, moment_of
from gitops.runs.feedback import Baseline
from gitops.runs.first_parents import first_parents
from gitops.runs.workspace import Workspace
from gitops.suites import exporting, labels
from gitops.suites.loading import Loaded
from gitops.suites.model import BenchmarkRun
from gitops.suites.reading import BadSuite
from gitops.suites.remembered import runs_of
from gitops.suites.suite_files import Files


@dataclass(frozen=True, slots=True)
class Baselined:
    """The repeats of the run that was accepted, with the labels of persons, and who accepted it, in words."""

    runs: tuple[BenchmarkRun, ...]
    told: str
    source: Literal["record", "file"]
    accepted: Baseline | None = None

    @property
    def run_id(self) -> str:
        """The id of the run."""
        return self.runs[0].run_id

    @property
    def measured_at(self) -> str:
        """When it was measured."""
        ended = self.runs[0].completed_at or self.runs[0].started_at
        return moment_of(int(ended.timestamp()))


def baseline_of(context: Context, workspace: Workspace, commit: str, loaded: Loaded) -> Baselined | None:
    """The baseline of a suite at a commit; None where nobody has accepted a run.

    A record that leads to no measurements any more is told, and passed over for the one before it. BadSuite for a
    `baseline.json` that is none.
    """
    for said in reversed(_accepted(context, workspace, commit, loaded.suite.suite_id)):
        if runs := _runs_of(context, said):
            told = f"run {said.run} at {said.commit[:10]}, accepted by {said.by.name} on {said.at[:10]}"
            return Baselined(tuple(labels.labelled(context, runs)), told, "record", said)
        context.warn_once(f"the baseline {said.id[:10]} of {said.suite} leads to no measurement of run {said.run}")
    return _in_tree(context, commit, loaded)


def accept(
    context: Context, workspace: Workspace, runs: Sequence[BenchmarkRun], measured: Sequence[str], reason: str = ""
) -> Baseline:
    """Record that a run is what later ones are compared with, durably; signed where signatures are demanded.

    `measured` are the ids of the measurements of its repeats. UsageError for a run that cannot be one.
    """
    refuse(runs)
    first, who, told = runs[0], feedback.person(context), " ".join(reason.split())
    why = f": {told}" if told else ""
    made = Baseline(
        summary=f"run {first.run_id} of {first.suite_id} accepted as baseline by {who.name}{why}",
        workspace=workspace.name,
        commit=first.commit,
        reason=told,
        by=who,
        at=context.now,
        suite=first.suite_id,
        run=first.run_id,
        measurements=tuple(measured),
    )
    what = f"baseline of {first.suite_id} at {first.commit[:10]}"
    return feedback.keep(Authority(context, workspace.name), made, what)


def refuse(runs: Sequence[BenchmarkRun]) -> None:
    """UsageError for what later runs could not be held to: a variant, a part of the cases, nothing that passed."""
    first = runs[0]
    again = f"git assay benchmark run {first.suite_id} --rev {first.commit[:10]}"
    if first.variant or first.config_snapshot.get("overrides"):
        raise UsageError(f"run {first.run_id} is of a variant, not of what stands at {first.commit[:10]}", again)
    if first.config_snapshot.get("cases"):
        raise UsageError(f"run {first.run_id} tried some of the cases, and a baseline is of all", again)
    if not any(each.status == "pass" for run in runs for each in run.results):
        raise UsageError(f"nothing passed in run {first.run_id}: later runs could not be worse", again)


def _accepted(context: Context, workspace: Workspace, commit: str, suite: str) -> list[Baseline]:
    """The acceptances that count at a commit, oldest first."""
    mine = (workspace.name, suite)
    said = [one for one in feedback.everything(context, Baseline) if (one.workspace, one.suite) == mine]
    if not said:
        return []
    within = _within(context, commit, {one.commit for one in said})
    authority = Authority(context, workspace.name, commit)
    return [one for one in said if one.commit in within and feedback.holds(authority, one)]


def _within(context: Context, tip: str, wanted: set[str]) -> set[str]:
    """Those commits that are in a first-parent history. CannotRun where this clone is cut off before it is known."""
    found: set[str] = set()
    try:
        for here in first_parents(context, tip):
            found |= {here} & wanted
            if found == wanted:
                break
    except Absent as error:
        told = f"which baseline counts at {tip[:10]} cannot be told in this clone: it lacks {error}"
        raise CannotRun(told, FETCH_MORE) from error
    return found


def _runs_of(context: Context, said: Baseline) -> list[BenchmarkRun]:
    """The repeats that a record names; [] where one is missing, cannot be read, or is another than it says."""
    there = {one.id: one for one in measurements.measurements_on(context, said.commit, measurements.BENCHMARK)}
    mine = [there[name] for name in said.measurements if name in there]
    about = {(one.run_id, one.suite, one.workspace) for one in mine}
    if len(mine) != len(said.measurements) or about != {(said.run, said.suite, said.workspace)}:
        return []
    runs = runs_of(context, mine)
    return runs if len(runs) == len(mine) else []


def _in_tree(context: Context, commit: str, loaded: Loaded) -> Baselined | None:
    """The run in the `baseline.json` that the commit itself has, wherever the suite was loaded from."""
    files = Files(context.tree(commit), loaded.folder, loaded.folder)
    found = files.baseline(loaded.suite)
    if files.faults:
        raise BadSuite(files.faults)
    if found is None:
        return None
    runs = labels.labelled(context, exporting.split(found))
    return Baselined(tuple(runs), f"run {found.run_id} in {loaded.folder}/baseline.json", "file")
