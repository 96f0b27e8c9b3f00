"""What persons say of cases that were run: kept as feedback on the commit that was measured, the newest counts.

Records of runs are never changed: a label is laid over a run whenever that is shown or compared. It decides the mode
`human` of a case and no other: what a judge says stands beside it, so that the two can be compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gitops.errors import UsageError
from gitops.runs import feedback
from gitops.runs.authority import Authority
from gitops.runs.context import Context
from gitops.runs.feedback import HumanLabel
from gitops.suites.grading import OPEN, open_modes, summary
from gitops.suites.model import BenchmarkResult, BenchmarkRun
from gitops.suites.modes.mode import Label

HUMAN = "human"


def labelled(context: Context, runs: Sequence[BenchmarkRun]) -> list[BenchmarkRun]:
    """The runs with what persons say of their cases, as far as it counts, and their summaries made anew."""
    said = {commit: _counting(context, commit) for commit in dict.fromkeys(run.commit for run in runs) if commit}
    return [_with(run, of_run(run, said.get(run.commit, ()))) for run in runs]


def of_run(run: BenchmarkRun, said: Sequence[HumanLabel]) -> dict[str, Label]:
    """The newest label of each case of a run, out of all that was said on its commit, oldest first."""
    return {case: each.label for case, each in _newest(run, said).items()}


def keep(context: Context, run: BenchmarkRun, case: str, label: Label, reason: str = "") -> HumanLabel:
    """Record what whoever runs this says of a case of a run, durably; signed where signatures are demanded.

    UsageError for a case that the run does not have, or that gave no output that anybody could look at.
    """
    result = next((each for each in run.results if each.case_id == case), None)
    if result is None:
        from gitops.verify.registry import nearest

        raise UsageError(
            f"the run {run.run_id} has no case '{case}'", nearest(case, {each.case_id for each in run.results})
        )
    if result.status in ("error", "timeout"):
        told = f"case {case} ended in {result.status}: {result.error or result.category}"
        raise UsageError(f"there is nothing to label: {told}", f"git assay benchmark report {run.run_id}")
    who, told = feedback.person(context), " ".join(reason.split())
    before = _newest(run, _counting(context, run.commit)).get(case)
    made = HumanLabel(
        summary=f"{run.suite_id}/{case}: {label}, says {who.name}{f': {told}' if told else ''}",
        workspace=run.workspace,
        commit=run.commit,
        reason=told,
        by=who,
        at=context.now,
        suite=run.suite_id,
        run=named(run),
        case=case,
        repeat=run.repeat,
        label=label,
        instead_of=before.id if before is not None else "",
    )
    what = f"label of {run.suite_id}/{case} on {run.commit[:10]}"
    return feedback.keep(Authority(context, run.workspace), made, what)


def named(run: BenchmarkRun) -> str:
    """What labels call a run: its id, and of an ablation which variant, `RUN/VARIANT`."""
    return f"{run.run_id}/{run.variant}" if run.variant else run.run_id


def with_label(result: BenchmarkResult, label: Label) -> BenchmarkResult:
    """A result with what a person says of it. Where the case waited for that, it decides as far as it can."""
    found = result.model_copy(update={"human_label": label})
    waiting = open_modes(result)
    if HUMAN not in waiting:
        return found
    said = f"a person says {label}"
    if label == "fail":
        return found.model_copy(update={"status": "fail", "category": HUMAN, "reason": said})
    left = [name for name in waiting if name != HUMAN]
    if left:
        open_ = f"{said}; {' and '.join(left)} could not tell"
        return found.model_copy(update={"category": OPEN.join(left), "reason": open_})
    return found.model_copy(update={"status": "pass", "category": "", "reason": said})


def waiting(run: BenchmarkRun) -> list[BenchmarkResult]:
    """The results that wait for a person, in the order of the cases."""
    return [each for each in run.results if HUMAN in open_modes(each)]


def _with(run: BenchmarkRun, said: Mapping[str, Label]) -> BenchmarkRun:
    if not said:
        return run
    results = [with_label(each, said[each.case_id]) if each.case_id in said else each for each in run.results]
    is_timed = run.config_snapshot.get("is_timed") is True
    return run.model_copy(update={"results": results, "summary": summary(results, is_timed=is_timed)})


def _newest(run: BenchmarkRun, said: Sequence[HumanLabel]) -> dict[str, HumanLabel]:
    """Of each case the label that no other takes the place of; the last, of several that know nothing of each other."""
    mine = (run.workspace, run.suite_id, named(run), run.repeat)
    about = [each for each in said if (each.workspace, each.suite, each.run, each.repeat) == mine]
    replaced = {(each.case, each.instead_of) for each in about}
    return {each.case: each for each in about if (each.case, each.id) not in replaced}


def _counting(context: Context, commit: str) -> list[HumanLabel]:
    """The labels on a commit that count: where signatures are demanded, those of persons who may sign."""
    return [
        each for each in feedback.labels_on(context, commit) if feedback.holds(Authority(context, each.workspace), each)
    ]
