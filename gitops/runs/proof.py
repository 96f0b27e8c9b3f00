"""Whether a run is committed: its candidate, with a verdict that lets it, in the target's history; nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gitops.git import commits, history, objects, refs
from gitops.git.process import git
from gitops.runs import attesting, evalruns, names, store
from gitops.runs.context import Context
from gitops.runs.records import Run
from gitops.verify.verdict import Verdict

LETS = ("commit", "commit_override")


def let_through(context: Context, run: Run, commit: str) -> Verdict | None:
    """The verdict that lets a candidate stand: the one that counts, if it is about this run, target, base and tree."""
    there = commits.read(context.repository, commit)
    verdicts = store.verdicts_on(context, commit)
    if there.parents:
        verdicts = attesting.counting(context, run.record.workspace_root, there.parents[0], verdicts)
    found = store.standing(verdicts, commit)
    if found is None or found.verdict not in LETS or (found.run_id, found.target) != (run.id, run.record.target):
        return None
    return found if there.tree == found.tree and there.parents[:1] == (found.base,) else None


def landed_in(context: Context, run: Run, tip: str) -> tuple[str, Verdict] | None:
    """The candidate of a run that stands in a history with a verdict that lets it stand there."""
    for commit in _candidates(context, run):
        if history.is_ancestor(context.repository, commit, tip):
            verdict = let_through(context, run, commit)
            if verdict is not None:
                return commit, verdict
    return None


def covered_in(context: Context, run: Run, tip: str) -> tuple[str, Verdict] | None:
    """A commit by somebody else with a verdict's base as parent, and its tree: a squash or rebase button."""
    for commit in _candidates(context, run):
        verdict = let_through(context, run, commit)
        if verdict is None or not history.is_ancestor(context.repository, verdict.base, tip):
            continue
        for other in history.between(context.repository, verdict.base, tip):
            found = commits.read(context.repository, other)
            if found.parents[:1] == (verdict.base,) and found.tree == verdict.tree:
                return other, verdict
    return None


def outside(context: Context, runs: Iterable[Run], *tips: str) -> list[Run]:
    """Of runs that are recorded as committed, those whose commit is in the history of none of these tips."""
    committed = [run for run in runs if run.status == "committed" and not evalruns.is_measuring(run)]
    asked = {run.state.candidate for run in committed if objects.exists(context.repository, run.state.candidate)}
    if not asked:
        return committed
    # One walk for all: asking run by run would walk the history as often as there are landings.
    lines = "".join(f"{commit}\n" for commit in [*sorted(asked), *(f"^{tip}" for tip in tips)])
    unreached = git(context.repository, "rev-list", "--stdin", input=lines.encode()).text.split()
    gone = asked.intersection(unreached)
    return [run for run in committed if run.state.candidate in gone or run.state.candidate not in asked]


def _candidates(context: Context, run: Run) -> Iterator[str]:
    """Every candidate that the run has had and this clone holds, the latest first."""
    named = [refs.read(context.repository, names.candidate(run.id)), *(s.candidate for s in reversed(run.states))]
    for commit in dict.fromkeys(named):
        if commit and objects.exists(context.repository, commit):
            yield commit
