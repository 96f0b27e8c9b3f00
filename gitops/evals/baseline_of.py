"""Which earlier commit a revision is held against: that of a week ago, or else that before the newest run."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from gitops.evals.landings import landed
from gitops.runs import evalruns, store
from gitops.runs.context import Context
from gitops.runs.first_parents import first_parents
from gitops.runs.workspace import Workspace

WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Baseline:
    """A commit, and why it is the one."""

    commit: str
    why: str
    run_id: str = ""


def baseline(context: Context, workspace: Workspace, commit: str, moment: datetime) -> Baseline | None:
    """The newest first-parent commit that was a week old at `moment`.

    In a younger history, the commit that the newest landed run was landed on; None where no run has landed either. A
    run of type eval, which brings lines of the log and nothing else, is passed over.
    `Absent` where a shallow clone lacks the commits of then.
    """
    until = (moment - WEEK).timestamp()
    parents: list[str] = []
    for here in first_parents(context, commit):
        if context.commit(here).time <= until:
            return Baseline(here, f"the newest commit of {moment - WEEK:%Y-%m-%d} or before")
        parents.append(here)
    about = ((run, run.record) for run in store.all_runs(context).values())
    writing = (run for run, of in about if of.workspace == workspace.name and of.run_type != evalruns.RUN_TYPE)
    runs = {each.commit: each.id for each in landed(context, commit, writing).known}
    for child, parent in pairwise(parents):
        if child in runs:
            return Baseline(parent, f"the commit before run {runs[child]}", runs[child])
    return None
