"""Finds a run whose own branch was squashed or rebased into a history by a button: none of its commits stand there.

What a run writes is known from its plan. A commit, or as many in a row as the run has, that bring just that are it.
"""

from __future__ import annotations

from gitops.git import commits, history, objects
from gitops.git.treediff import changed
from gitops.runs.context import Context
from gitops.runs.records import PlanRecord, Run
from gitops.runs.reflines import mainline

Written = dict[str, str | None]
"""The blob that a change leaves at each path that it touches; None where it removes the file."""


def brought_by(context: Context, run: Run, tip: str) -> str:
    """The commit with which all that a run writes had come to a history; '' where none is it, or nothing is planned."""
    if run.plan is None or not run.plan.operations or not objects.exists(context.repository, run.record.base):
        return ""
    wanted = _wanted(run.plan, run.record.workspace_root)
    new = set(history.between(context.repository, run.record.base, tip))
    line = list(mainline(context, tip, new))
    for place, commit in enumerate(line):
        for length in _lengths(context, run.plan):
            first = line[place + length - 1 : place + length]
            before = commits.read(context.repository, first[0]).parents[:1] if first else ()
            if before and _brought(context, before[0], commit, len(wanted)) == wanted:
                return commit
    return ""


def _wanted(plan: PlanRecord, root: str) -> Written:
    return {f"{root}/{step.path}" if root else step.path: step.blob for step in plan.operations}


def _lengths(context: Context, plan: PlanRecord) -> list[int]:
    """How many commits in a row it may be: one, as many as the run has, or as many of them as change something."""
    if not plan.base or not all(objects.exists(context.repository, each) for each in (plan.base, plan.head)):
        return [1]
    own = [context.commit(each) for each in history.between(context.repository, plan.base, plan.head)]
    telling = [each for each in own if not each.parents or context.commit(each.parents[0]).tree != each.tree]
    return sorted({1, len(telling), len(own)} - {0})


def _brought(context: Context, before: str, after: str, most: int) -> Written:
    """What lies between two commits, as far as it is no more than what is looked for."""
    found: Written = {}
    for entry in changed(context.repository, context.tree(before).tree_id, context.tree(after).tree_id):
        found[entry.path] = entry.new_blob
        if len(found) > most:
            break
    return found
