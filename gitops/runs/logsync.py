"""Writes the lines into wiki logs that a merge button left out: of runs that stand in the target without their line.

A line is a function of the run's records, so anybody can recompute it; the commit names the runs in `Assay-Log`, by
which verification knows which lines are the tool's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from gitops.errors import CannotRun
from gitops.git import commits, history, objects, refs, trees
from gitops.runs import branches, evalruns, logline, planned, pushing, rebuilt, store, syncing
from gitops.runs.context import Context
from gitops.runs.records import Run
from gitops.runs.roots import roots
from gitops.runs.workspace import Workspace, at
from gitops.wiki.snapshot import REGULAR

TRAILER = "Assay-Log"
_TRIES = 5


@dataclass(frozen=True, slots=True)
class Lacking:
    """A log, and the runs whose lines it lacks, oldest landing first."""

    workspace: Workspace
    runs: tuple[Run, ...]

    @property
    def lines(self) -> list[str]:
        """The lines, in the order in which they belong at the log's end."""
        return [line_of(run) for run in self.runs]


@dataclass(frozen=True, slots=True)
class LogSynced:
    """What was written: the commit ('' if nothing lacked, or nothing was to be written), and what lacked."""

    target: str
    lacking: tuple[Lacking, ...]
    commit: str = ""
    dry_run: bool = False
    pushed: bool = False

    def as_json(self) -> dict[str, Any]:
        """The same as plain JSON (schema `assay/log-sync/1`)."""
        return {
            "schema": "assay/log-sync/1",
            "target": self.target,
            "commit": self.commit or None,
            "dry_run": self.dry_run,
            "pushed": self.pushed,
            "logs": [
                {
                    "workspace": each.workspace.name,
                    "log": each.workspace.layout.log,
                    "lines": [
                        {"run_id": run.id, "line": line} for run, line in zip(each.runs, each.lines, strict=True)
                    ],
                }
                for each in self.lacking
            ],
        }


def sync(context: Context, target: str, *, push: bool = False, dry_run: bool = False) -> LogSynced:
    """Bring the logs of a target's workspaces up to its landings, as one commit on its tip; worktrees follow.

    With `push` it is pushed plainly to the target's upstream first, as `run finish --push` does. CannotRun where the
    target has no commit, where a worktree cannot follow, or where others kept moving it.
    """
    for _ in range(_TRIES):
        base = pushing.fetched_base(context, target) if push else refs.read(context.repository, target)
        if base is None:
            raise CannotRun(f"{target} has no commit yet", "git commit first")
        lacking = tuple(_lacking(context, target, base))
        if dry_run or not lacking:
            return LogSynced(target, lacking, dry_run=dry_run)
        for run in [run for each in lacking for run in each.runs]:
            planned.record(context, run)  # first, for without its records nobody can tell that a line is the tool's
        commit = _commit(context, lacking, base)
        if _moved(context, target, commit, base, push):
            return LogSynced(target, lacking, commit, pushed=push)
    raise CannotRun(f"others kept moving {target}", "git assay log sync, once they are done")


def line_of(run: Run) -> str:
    """The line that a run's landing is told by."""
    if evalruns.is_measuring(run):
        return evalruns.line(run)
    return logline.line(run.record, run.plan.operations if run.plan is not None else ())


def _lacking(context: Context, target: str, base: str) -> Iterator[Lacking]:
    tree = context.tree(base)
    workspaces = [at(tree, root, base) for root in roots(tree)]
    known = [run for run in store.all_runs(context).values() if run.record.target == target]
    for workspace in workspaces:
        log = workspace.layout.log
        there = evalruns.named(tree.read(log)) if tree.blob(log) is not None else set()
        own = [run for run in known if run.record.workspace == workspace.name and run.id not in there]
        mine = [planned.by_its_branch(context, workspace, run) for run in own]
        found = [(place, run) for run in mine if (place := _landed_as(context, run, base))]
        if found:
            order = _ages(context, base, {place for place, _ in found})
            found.sort(key=lambda each: (order[each[0]], each[1].record.started_at, each[1].id))
            yield Lacking(workspace, tuple(run for _, run in found))


def _landed_as(context: Context, run: Run, tip: str) -> str:
    """The commit by which a run stands in a history: its landing, or its own head that a button merged, or what a
    button made of it by squash or rebase; '' for none.

    A run that measured has no landing: its line waits for the next one (`evalruns.queued`).
    """
    if evalruns.is_measuring(run) or run.plan is None or run.status in ("rejected", "abandoned"):
        return ""
    landed = [run.landed.commit] if run.landed is not None else []
    own = [run.plan.head] if run.plan.head == run.state.head else []
    candidates = [run.state.candidate] if run.status == "committed" else []
    for commit in [*landed, *candidates, *own]:
        here = commit and objects.exists(context.repository, commit)
        if here and history.is_ancestor(context.repository, commit, tip):
            return commit
    return rebuilt.brought_by(context, run, tip) if own else ""


def _ages(context: Context, tip: str, wanted: set[str]) -> dict[str, int]:
    """Where commits stand in a history, older ones first."""
    every = enumerate(history.between(context.repository, None, tip))
    return {commit: place for place, commit in every if commit in wanted}


def _commit(context: Context, lacking: Iterable[Lacking], base: str) -> str:
    tree, content, told = context.tree(base), dict[str, tuple[bytes, int]](), list[str]()
    for each in lacking:
        log = each.workspace.layout.log
        old = tree.read(log) if tree.blob(log) is not None else None
        content[log] = (logline.appended(old, "\n".join(each.lines)), REGULAR)
        told += [run.id for run in each.runs]
    edited = trees.edit(context.repository, tree.tree_id, content)
    many = "1 landing" if len(told) == 1 else f"{len(told)} landings"
    message = commits.with_trailers(f"Log {many} that a merge left out", "", [(TRAILER, run_id) for run_id in told])
    return commits.write(context.repository, edited, [base], message, context.identity, context.epoch)


def _moved(context: Context, target: str, commit: str, base: str, push: bool) -> bool:
    if push:
        syncing.bring_ahead(context, target)
        if not pushing.push(context, target, commit, base):
            return False
        pushing.catch_up(context, target, commit)
        return True
    with branches.moving(context):
        return branches.advance(context, target, commit, base, "assay: log sync")
