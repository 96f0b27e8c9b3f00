"""The suites of a workspace at a commit, each with its newest run and its baseline; and the runs that were kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from gitops.runs import measurements
from gitops.runs.context import Context, moment_of
from gitops.runs.workspace import Workspace
from gitops.suites import labels, loading, skills
from gitops.suites.baselines import Baselined, baseline_of
from gitops.suites.loading import Loaded
from gitops.suites.model import BenchmarkRun
from gitops.suites.overview import Overview
from gitops.suites.remembered import runs_of

SCHEMA = "assay/benchmark-list/1"


@dataclass(frozen=True, slots=True)
class Listed:
    """A suite; None where nobody has run it, or accepted a run of it."""

    loaded: Loaded
    newest: Overview | None
    baseline: Baselined | None

    def record(self) -> dict[str, Any]:
        """The same as plain JSON, with the cases."""
        suite, baseline = self.loaded.suite, self.baseline
        return {
            "suite": suite.suite_id,
            "version": suite.version,
            "name": suite.name,
            "agent": suite.target,
            "folder": self.loaded.folder,
            "skill": self.loaded.skill,
            "cases": [_case(case.model_dump(mode="json")) for case in suite.cases],
            "newest": None if self.newest is None else run_record(self.newest),
            "baseline": baseline
            and {"run_id": baseline.run_id, "source": baseline.source, "measured_at": baseline.measured_at},
        }


@dataclass(frozen=True, slots=True)
class Listing:
    """Everything: `faults` are of suites that cannot be read, `bare` skills without benchmarks, `runs` newest first."""

    suites: tuple[Listed, ...]
    faults: tuple[str, ...]
    bare: tuple[str, ...]
    runs: tuple[Overview, ...]

    def record(self) -> dict[str, Any]:
        """The same as `--json` prints it."""
        return {
            "schema": SCHEMA,
            "suites": [each.record() for each in self.suites],
            "faults": list(self.faults),
            "skills_without_benchmarks": list(self.bare),
            "runs": [run_record(each) for each in self.runs],
        }


def listing(context: Context, workspace: Workspace, commit: str, limit: int) -> Listing:
    """What a workspace has at a commit, and its newest runs, so many at most."""
    every = loading.every_at(context, workspace, commit)
    runs = _runs(context, workspace)
    newest: dict[str, Overview] = {}
    for one in runs:  # newest first
        newest.setdefault(one.first.suite_id, one)
    found = [
        Listed(each, newest.get(each.suite.suite_id), baseline_of(context, workspace, commit, each))
        for each in every.loaded
    ]
    bare = skills.without_benchmarks(context, workspace, commit)
    return Listing(tuple(found), tuple(every.faults), tuple(bare), tuple(runs[:limit]))


def _runs(context: Context, workspace: Workspace) -> list[Overview]:
    """The runs of a workspace that were kept, newest first; a run of several suites counts for each."""
    mine = (
        one
        for one in measurements.everything(context)
        if one.kind == measurements.BENCHMARK and one.workspace == workspace.name
    )
    found: dict[tuple[str, str, str], list[BenchmarkRun]] = {}
    for run in sorted(runs_of(context, mine), key=lambda run: run.repeat):
        found.setdefault((run.run_id, run.suite_id, run.variant), []).append(run)
    return sorted((Overview(labels.labelled(context, each)) for each in found.values()), key=_age, reverse=True)


def _age(seen: Overview) -> tuple[str, str]:
    return _moment(seen.first), seen.first.run_id


def _moment(run: BenchmarkRun) -> str:
    return moment_of(int((run.completed_at or run.started_at).timestamp()))


def run_record(seen: Overview) -> dict[str, Any]:
    """A run in a list, as plain JSON."""
    first, summary = seen.first, seen.summary
    return {
        "run_id": first.run_id,
        "suite": first.suite_id,
        "suite_version": first.suite_version,
        "variant": first.variant,
        "commit": first.commit,
        "completed_at": _moment(first),
        "repeats": len(seen.runs),
        "passed": seen.passed.passed,
        "tried": seen.passed.tried,
        "pass_rate": summary.pass_rate,
    }


def _case(said: dict[str, Any]) -> dict[str, Any]:
    return {name: said[name] for name in ("case_id", "description", "difficulty", "source", "tags")} | {
        "mode": said["expected"]["mode"]
    }


def some_of(found: Listing, names: Sequence[str]) -> Iterable[Listed]:
    """The suites of some names."""
    return (each for each in found.suites if each.loaded.suite.suite_id in names)
