"""Runs the variants of an ablation side by side, suite by suite (silas 20.6): a run for each variant and repeat.

All are asked the suite that the control has, each in the tree of its own commit, and judged by who judges the control.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from gitops.errors import CannotRun
from gitops.git.treediff import changed
from gitops.runs import names
from gitops.runs.context import Context
from gitops.runs.workspace import Workspace, rooted
from gitops.suites import calibrated, flow, snapshotting
from gitops.suites.arms import NAME, Arm
from gitops.suites.configured import Configured
from gitops.suites.criteria import CriteriaJudge
from gitops.suites.executing import Trial, Watch, executed
from gitops.suites.flow import Made, Wanted
from gitops.suites.interleaving import interleaved
from gitops.suites.loading import Loaded
from gitops.suites.model import BenchmarkRun
from gitops.suites.opening import Prompting
from gitops.suites.suite_files import Files
from gitops.suites.target import Target


@dataclass(frozen=True, slots=True)
class Ablating:
    """What all suites of an ablation have in common.

    `workspace` is that of the control; `wanted` says repeats, jobs and the seed, which draws the order too. `prompting`
    gives who asks models, by the policy of a variant at its commit.
    """

    context: Context
    workspace: Workspace
    variants: Sequence[Configured]
    wanted: Wanted
    judge: CriteriaJudge | None = None
    prompting: Callable[[Workspace, str], Prompting] | None = None
    watch: Watch | None = None

    def runs(self, suites: Sequence[Loaded]) -> list[BenchmarkRun]:
        """The runs of all suites, variants and repeats, under one id; nothing is recorded.

        `suites` are those of the control. CannotRun where a variant lacks what the cases of one find.
        """
        for loaded in suites:  # before anything is spent
            for each in self.variants:
                _refuse_other_files(self.context, each, loaded)
        run_id = names.new_id(self.context.clock())
        return [run for loaded in suites for run in self._suite(run_id, loaded)]

    def _suite(self, run_id: str, loaded: Loaded) -> list[BenchmarkRun]:
        begun = self.context.clock()
        with ExitStack() as stack:
            arms = [self._opened(at, loaded, stack) for at in range(len(self.variants))]
            tried = _trials(loaded, arms, self.wanted)
            jobs = flow.jobs_of(self.wanted)
            attempts = executed(tried, jobs, self.watch) if self.watch else executed(tried, jobs)
        ended = self.context.clock()
        made: list[BenchmarkRun] = []
        for one in arms:
            common = Made(run_id, one.commit, self.workspace.name, one.snapshot, begun, ended)
            for repeat in range(self.wanted.repeats):
                mine = [at for at, trial in enumerate(tried) if trial.target is one.target and trial.repeat == repeat]
                each, said = [tried[at] for at in mine], [attempts[at] for at in mine]
                made.append(flow.run_of(loaded, common, each, said, self.judge))
        return made

    def _opened(self, at: int, loaded: Loaded, stack: ExitStack) -> _Opened:
        configured = self.variants[at]
        mine = rooted(self.context.repository, configured.commit, self.workspace.layout.root)
        prompt = self.prompting(mine, configured.commit) if self.prompting is not None else None
        target = stack.enter_context(flow.ready(self.context, mine, configured.commit, loaded, prompt))
        wanted = replace(self.wanted, variant=configured.name, overrides=configured.overrides)
        settings = flow.settings(mine, wanted, self.judge) | {NAME: self._arm(at, mine, loaded).model_dump(mode="json")}
        told = snapshotting.snapshot(loaded, target, settings)
        flow.say_what_is_open(self.context, loaded, told)
        return _Opened(configured.commit, target, wanted, told)

    def _arm(self, at: int, mine: Workspace, loaded: Loaded) -> Arm:
        configured = self.variants[at]
        state = calibrated.state(self.context, mine, configured.commit, [loaded], self.workspace)
        return Arm(
            place=at,
            variants=tuple(each.name for each in self.variants),
            repeats=self.wanted.repeats,
            seed=self.wanted.seed,
            suite=loaded.digest,
            calibrated={key: value for key, value in state.items() if calibrated.depends(self.workspace, loaded, key)},
            beside=self._beside(configured.commit, loaded, state),
            overrides=configured.overrides,
        )

    def _beside(self, commit: str, loaded: Loaded, known: Collection[str]) -> dict[str, str]:
        """The blobs that a commit has of the files which the suite names and some variant has otherwise."""
        first, *others = (self.context.commit(each.commit).tree for each in self.variants)
        entries = chain.from_iterable(changed(self.context.repository, first, other) for other in others)
        paths = calibrated.inside(self.workspace, dict.fromkeys(entry.path for entry in entries))
        mine = [path for path in calibrated.paths_of(loaded.suite, paths) if path not in known]
        return {path: calibrated.file_digest(self.context, self.workspace, commit, path) for path in mine}


@dataclass(frozen=True, slots=True)
class _Opened:
    """A variant in one suite, ready to be asked, and what its records tell of it."""

    commit: str
    target: Target
    wanted: Wanted
    snapshot: Mapping[str, Any]


def _trials(loaded: Loaded, arms: Sequence[_Opened], wanted: Wanted) -> list[Trial]:
    """All trials in the order in which they are begun. A repeat has the same seed in all variants: they are paired."""
    cases = flow.chosen(loaded, ())
    slots = interleaved(len(arms), len(cases), wanted.repeats, wanted.seed)
    ordered = ((arms[slot.variant], cases[slot.case], slot.repeat) for slot in slots)
    return [flow.trial(loaded, one.wanted, one.target, case, repeat) for one, case, repeat in ordered]


def _refuse_other_files(context: Context, variant: Configured, loaded: Loaded) -> None:
    """CannotRun where the cases of a suite would find other files at a variant than at the control."""
    files = Files(context.tree(variant.commit), loaded.folder, loaded.folder)
    there = files.digests(loaded.suite)
    if files.faults:
        raise CannotRun(f"at {variant.name}: {files.faults[0]}", "ablate commits that have what the suite needs")
    if there != loaded.files:
        other = sorted(name for name in {*there, *loaded.files} if there.get(name) != loaded.files.get(name))
        told = f"the cases of {loaded.suite.suite_id} find another {other[0]} at {variant.name} than at the control"
        raise CannotRun(told, "commit the suite's files before what is measured by them")
