"""Runs one suite: its target opened on a tree, its cases tried, what came of them graded. Nothing is recorded here."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from gitops.errors import CannotRun, UsageError
from gitops.git.snapshot import TreeSnapshot
from gitops.runs import names
from gitops.runs.context import Context
from gitops.runs.gold import nearest
from gitops.runs.workspace import Workspace
from gitops.suites import grading, opening, place, snapshotting
from gitops.suites.criteria import CriteriaJudge, instrument
from gitops.suites.executing import Trial, Watch, executed
from gitops.suites.layering import laid_over
from gitops.suites.loading import Loaded
from gitops.suites.model import BenchmarkCase, BenchmarkResult, BenchmarkRun
from gitops.suites.opening import Prompting
from gitops.suites.target import Attempt, Target

_MOST_JOBS = 4
NOT_ASKED = ("budget",)
"""Categories of attempts at which nothing was asked: such a case says neither yes nor no, and is skipped."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """How a suite is run. `repeats` 0: as often as the suite says. `jobs` 0: all cores but one, four at most.

    `seed` is that of the first repeat, the next has one more. `overrides` are what the target is told as variant
    `variant`, under each case's own. `cases` are the ids of those that are tried, none named: all. `run_id` '' makes a
    new one; repeats and variants of one run share it.
    """

    repeats: int = 0
    jobs: int = 0
    seed: int = 0
    variant: str = ""
    overrides: Mapping[str, Any] = field(default_factory=dict)
    cases: tuple[str, ...] = ()
    run_id: str = ""


def run_suite(
    context: Context,
    workspace: Workspace,
    commit: str,
    loaded: Loaded,
    wanted: Wanted,
    judge: CriteriaJudge | None = None,
    *,
    prompt: Prompting | None = None,
    tree: TreeSnapshot | None = None,
    watch: Watch | None = None,
) -> list[BenchmarkRun]:
    """One run for each repeat. `tree` is measured in place of the commit's, `watch` shows how far it has come.

    `workspace` is as the commit has it. UsageError and CannotRun before anything is tried; an interrupt ends all that
    was started, and nothing is left.
    """
    begun = context.clock()
    cases = chosen(loaded, wanted.cases)
    with ready(context, workspace, commit, loaded, prompt, tree=tree) as target:
        tried = trials(loaded, wanted, target, cases)
        told = snapshotting.snapshot(loaded, target, settings(workspace, wanted, judge, tree))
        say_what_is_open(context, loaded, told)
        attempts = executed(tried, jobs_of(wanted), watch) if watch else executed(tried, jobs_of(wanted))
    made = Made(
        run_id=wanted.run_id or names.new_id(begun),
        commit=commit,
        workspace=workspace.name,
        snapshot=told,
        begun=begun,
        ended=context.clock(),
    )
    size = len(cases)
    return [
        run_of(loaded, made, tried[at : at + size], attempts[at : at + size], judge)
        for at in range(0, len(tried), size)
    ]


@contextmanager
def ready(
    context: Context,
    workspace: Workspace,
    commit: str,
    loaded: Loaded,
    prompt: Prompting | None = None,
    *,
    tree: TreeSnapshot | None = None,
) -> Iterator[Target]:
    """The target of a suite on the tree of a commit, for as long as it is open."""
    measured = tree if tree is not None else context.tree(commit)
    loaded.demand_target()
    with place.exported(context, measured, loaded.folder, workspace.layout.root) as found:
        target = opening.opened(loaded, found, prompt)
        try:
            yield target
        finally:
            target.close()


def chosen(loaded: Loaded, ids: Sequence[str]) -> list[BenchmarkCase]:
    """The cases of some ids, in the suite's order; none named: all. UsageError for one that there is not, CannotRun
    for a suite that has none.
    """
    known = {case.case_id: case for case in loaded.suite.cases}
    for each in ids:
        if each not in known:
            hint = nearest(each, known).removeprefix("; ") or f"git assay benchmark list {loaded.suite.suite_id}"
            raise UsageError(f"the suite {loaded.suite.suite_id} has no case '{each}'", hint)
    if not known:
        raise CannotRun(f"the suite {loaded.suite.suite_id} has no case", f"write one: {loaded.folder}/cases/NAME.json")
    return [case for case in loaded.suite.cases if not ids or case.case_id in ids]


def trials(loaded: Loaded, wanted: Wanted, target: Target, cases: Sequence[BenchmarkCase]) -> list[Trial]:
    """All cases of the first repeat, then of the next."""
    return [
        trial(loaded, wanted, target, case, repeat)
        for repeat in range(wanted.repeats or loaded.suite.repeats)
        for case in cases
    ]


def trial(loaded: Loaded, wanted: Wanted, target: Target, case: BenchmarkCase, repeat: int) -> Trial:
    """One of them: the case's own configuration goes over the variant's."""
    config = laid_over(wanted.overrides, case.input.config_overrides or {})
    return Trial(wanted.variant, repeat, case, target, config, wanted.seed + repeat, loaded.suite.limits)


def jobs_of(wanted: Wanted) -> int:
    """How many cases are tried at a time: one core is left to who measures."""
    return wanted.jobs or max(1, min(_MOST_JOBS, (os.cpu_count() or 1) - 1))


def settings(
    workspace: Workspace, wanted: Wanted, judge: CriteriaJudge | None, tree: TreeSnapshot | None = None
) -> dict[str, Any]:
    """What `config_snapshot` has of how it was run. How many ran at once is of the machine: latency depends on it."""
    return {
        "overrides": dict(wanted.overrides),
        "seed": wanted.seed,
        "cases": list(wanted.cases),
        "policy": workspace.policy,
        "judge": instrument(judge),
        "grading": grading.VERSION,
        "machine": {**snapshotting.machine(), "jobs": jobs_of(wanted)},
        **({"tree": tree.tree_id} if tree is not None else {}),
    }


def say_what_is_open(context: Context, loaded: Loaded, told: Mapping[str, Any]) -> None:
    """Say aloud, once, what this machine does not allow to shut away."""
    if told.get("network") == "not isolated":
        why = told.get("isolation", {}).get("why") or "no namespaces"
        context.warn_once(
            f"the cases of {loaded.suite.suite_id} have the network of this machine, though the suite does not ask for"
            f" it: it cannot be taken from them here ({why})"
        )


@dataclass(frozen=True, slots=True)
class Made:
    """What the repeats of one run, or the variants of an ablation, have in common."""

    run_id: str
    commit: str
    workspace: str
    snapshot: Mapping[str, Any]
    begun: datetime
    ended: datetime


def run_of(
    loaded: Loaded, made: Made, tried: Sequence[Trial], attempts: Sequence[Attempt], judge: CriteriaJudge | None
) -> BenchmarkRun:
    """The run that the attempts of one repeat make, graded."""
    is_timed = made.snapshot.get("is_timed") is True
    pairs = [(one.case, attempt) for one, attempt in zip(tried, attempts, strict=True)]
    results = [_left_out(one) for one in grading.graded(pairs, judge, is_timed=is_timed)]
    first = tried[0]
    return BenchmarkRun(
        run_id=made.run_id,
        suite_id=loaded.suite.suite_id,
        started_at=made.begun,
        completed_at=made.ended,
        config_snapshot={**made.snapshot, "seed": first.seed},
        results=results,
        summary=grading.summary(results, is_timed=is_timed),
        suite_version=loaded.suite.version,
        commit=made.commit,
        workspace=made.workspace,
        variant=first.variant,
        repeat=first.repeat,
    )


def _left_out(result: BenchmarkResult) -> BenchmarkResult:
    """A case that was not asked, for want of a budget, is skipped: its target did nothing wrong."""
    is_asked = result.category not in NOT_ASKED or result.status != "error"
    return result if is_asked else result.model_copy(update={"status": "skipped"})
