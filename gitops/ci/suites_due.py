"""Has baselines follow the branch: suites that are due at its tip are run, and what shows no regression is accepted.

A suite is due where it has no baseline, or something that it depends on changed since its baseline was measured. Only
what is measured here and now is accepted here: whoever may push notes may have written the measurements that are there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from gitops import assembly
from gitops.ci.benchmarks import repeats_of
from gitops.ci.suite_answers import How
from gitops.errors import Absent, AssayError, UsageError
from gitops.git import history, objects
from gitops.git.treediff import changed
from gitops.runs import feedback
from gitops.runs.authority import Authority
from gitops.runs.context import Context
from gitops.runs.feedback import AcceptedRegression
from gitops.runs.measurements import Measurement
from gitops.runs.workspace import Workspace, rooted
from gitops.suites import affected, baselines, flow, loading, measuring
from gitops.suites.baselines import Baselined
from gitops.suites.loading import Loaded
from gitops.suites.model import BenchmarkRun
from gitops.suites.regressions import Findings, findings

Became = Literal["stands", "first baseline", "new baseline", "accepted", "regressed", "no answer", "could not run"]
CODES: dict[Became, int] = {"regressed": 1, "no answer": 3, "could not run": 3}
"""The exit codes of what is not as it should be."""
_FEW = 3


@dataclass(frozen=True, slots=True)
class Followed:
    """What became of a suite's baseline: in a word, why, what to do where something is, and the run's id."""

    suite: str
    became: Became
    told: str
    mend: str = ""
    run: str = ""

    @property
    def code(self) -> int:
        """The exit code that it deserves."""
        return CODES.get(self.became, 0)


def followed(context: Context, workspace: Workspace, tip: str, how: How) -> Iterator[Followed]:
    """Bring the baselines of a workspace up to the tip of its branch, suite by suite."""
    every = loading.every_at(context, workspace, tip)
    for loaded in every.loaded:
        name = loaded.suite.suite_id
        try:
            yield _followed(context, workspace, tip, loaded, how)
        except AssayError as error:
            yield Followed(name, "could not run", error.message, error.hint)
    for told in every.faults:
        yield Followed(told.partition(":")[0], "could not run", told, "mend it")


def _followed(context: Context, workspace: Workspace, tip: str, loaded: Loaded, how: How) -> Followed:
    name = loaded.suite.suite_id
    held = baselines.baseline_of(context, workspace, tip, loaded)
    because = _due(context, workspace, tip, loaded, held)
    if held is not None and not because:
        return Followed(name, "stands", f"nothing that it depends on changed since {held.told}", run=held.run_id)
    runs = _run(context, workspace, tip, loaded, repeats_of(loaded, held.runs if held is not None else ()), how)
    kept = measuring.record(context, workspace, runs)
    if held is None:
        return _accepted(context, workspace, runs, kept, "first baseline", f"the first run, at {tip[:10]}")
    found = findings(held.runs, runs)
    if found.regressions or found.lost:
        said = _said(context, workspace, tip, loaded, held)
        return _worse(context, workspace, held, found, runs, kept, said)
    return _accepted(context, workspace, runs, kept, "new baseline", f"no regression since {held.told}; {because}")


def _run(
    context: Context, workspace: Workspace, tip: str, loaded: Loaded, repeats: int, how: How
) -> list[BenchmarkRun]:
    """Run it, and ask whom the policy names: this is the branch itself, and no stranger's change to it."""
    is_judged = any("llm_judge" in case.expected.modes for case in loaded.suite.cases)
    judge = assembly.criteria_judge(context, workspace) if is_judged else None
    asking = assembly.prompted(context, workspace, tip)
    wanted = flow.Wanted(repeats=repeats, jobs=how.jobs)
    return flow.run_suite(context, workspace, tip, loaded, wanted, judge, prompt=asking)


def _due(context: Context, workspace: Workspace, tip: str, loaded: Loaded, held: Baselined | None) -> str:
    """Because of what a suite is to be run; '' where nothing is."""
    if held is None:
        return "it has no baseline"
    commit = held.runs[0].commit
    if not commit or not objects.exists(context.repository, commit):
        return "what its baseline measured is not known here"
    try:
        return _because(context, workspace, commit, tip, loaded)
    except (UsageError, Absent):
        return "what its baseline measured cannot be read"


def _because(context: Context, workspace: Workspace, before: str, after: str, loaded: Loaded) -> str:
    """What a suite depends on that changed between two commits; '' for nothing."""
    policies = [rooted(context.repository, each, workspace.layout.root).config for each in (before, after)]
    trees = [context.tree(each).tree_id for each in (before, after)]
    paths = [each.path for each in changed(context.repository, *trees)]
    hit = affected.affected([loaded], paths, *policies) if paths else []
    return hit[0].because if hit else ""


def _worse(
    context: Context,
    workspace: Workspace,
    held: Baselined,
    found: Findings,
    runs: Sequence[BenchmarkRun],
    kept: Sequence[Measurement],
    said: AcceptedRegression | None,
) -> Followed:
    """What regressed becomes the baseline only where somebody accepted that, on a commit that came since."""
    name, run = runs[0].suite_id, runs[0].run_id
    what = _named([each.case_id for each in found.regressions] or list(found.lost))
    if said is not None:
        told = f"{what} got worse, accepted by {said.by.name}: {said.reason}"
        return _accepted(context, workspace, runs, kept, "accepted", told)
    mend = f'git assay benchmark baseline {run} --reason "why"'
    if not found.regressions:
        why = next(iter(found.lost.values()), "")
        return Followed(name, "no answer", f"{what} passed in {held.told}, and has no answer now: {why}", mend, run)
    told = "; ".join(f"{each.case_id}: {each.told}" for each in found.regressions[:_FEW])
    more = f" and {len(found.regressions) - _FEW:,} more" if len(found.regressions) > _FEW else ""
    return Followed(name, "regressed", f"since {held.told}: {told}{more}", mend, run)


def _said(
    context: Context, workspace: Workspace, tip: str, loaded: Loaded, held: Baselined
) -> AcceptedRegression | None:
    """The newest acceptance that counts, of a commit that came after the baseline was measured, and until which
    something changed that the suite depends on: what came later is not what somebody accepted there.
    """
    began, name = held.runs[0].commit, loaded.suite.suite_id
    if not began or not objects.exists(context.repository, began):
        return None
    since = set(history.between(context.repository, began, tip))
    every = feedback.everything(context, AcceptedRegression)
    mine = [each for each in every if each.workspace == workspace.name and each.commit in since]
    named = [each for each in mine if not each.metrics or f"benchmark.{name}" in each.metrics]
    authority = Authority(context, workspace.name, tip)
    return next(
        (
            each
            for each in reversed(named)
            if feedback.holds(authority, each) and _is_of(context, workspace, began, each, loaded)
        ),
        None,
    )


def _is_of(context: Context, workspace: Workspace, began: str, said: AcceptedRegression, loaded: Loaded) -> bool:
    """Whether a suite is affected by what somebody accepted: by what came to be there since its baseline."""
    fork = history.merge_base(context.repository, began, said.commit)
    try:
        return fork is not None and bool(_because(context, workspace, fork, said.commit, loaded))
    except (UsageError, Absent):
        return False


def _accepted(
    context: Context,
    workspace: Workspace,
    runs: Sequence[BenchmarkRun],
    kept: Sequence[Measurement],
    became: Became,
    why: str,
) -> Followed:
    """Accept a run as the baseline; one that none could be held to is told and left as it is."""
    name, run = runs[0].suite_id, runs[0].run_id
    try:
        baselines.accept(context, workspace, runs, [one.id for one in kept], why)
    except UsageError as error:
        return Followed(name, "no answer", error.message, error.hint, run)
    return Followed(name, became, why, run=run)


def _named(cases: Sequence[str]) -> str:
    more = f" and {len(cases) - _FEW:,} more" if len(cases) > _FEW else ""
    return ", ".join(cases[:_FEW]) + more
