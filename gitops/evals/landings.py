"""Runs whose pages are in a history, when they came into it, and which pages each of them touched."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from gitops.errors import Absent
from gitops.git import commits, history, objects
from gitops.git.treediff import changed
from gitops.runs import evalruns, proof
from gitops.runs.context import Context, epoch_of
from gitops.runs.records import Run
from gitops.wiki.layout import Layout, joined


@dataclass(frozen=True, slots=True)
class Landing:
    """A run and the commit by which its pages came into the history: its candidate, or a server's of the same tree."""

    run: Run
    commit: str
    at: datetime

    @property
    def id(self) -> str:
        """The run's id."""
        return self.run.id


@dataclass(frozen=True, slots=True)
class Landings:
    """The landings that a commit has in its history, oldest first, and the runs of which that cannot be said here.

    Of the latter this clone lacks the commit: it was cut short, or their notes came without it.
    """

    known: tuple[Landing, ...]
    absent: tuple[Run, ...] = ()


def landings(context: Context, root: str, commit: str, runs: Iterable[Run]) -> Landings:
    """The landings of the workspace at a folder that the history of a commit holds."""
    return landed(context, commit, (run for run in runs if run.record.workspace_root == root))


def landed(context: Context, commit: str, runs: Iterable[Run]) -> Landings:
    """Those of some runs that the history of a commit holds, by their own candidate or by a server's commit."""
    mine = [run for run in runs if run.status == "committed" and not evalruns.is_measuring(run)]
    outside = {run.id for run in proof.outside(context, mine, commit)}
    known, absent = [], []
    for run in mine:
        made = run.state.candidate if run.id not in outside else _elsewhere(context, run, commit)
        if made:
            known.append(Landing(run, made, datetime.fromtimestamp(commits.read(context.repository, made).time, UTC)))
        elif not objects.exists(context.repository, run.state.candidate):
            absent.append(run)
    return Landings(tuple(sorted(known, key=lambda each: (each.at, each.id))), tuple(absent))


def _elsewhere(context: Context, run: Run, commit: str) -> str:
    """The commit that somebody else made of a run, if the history has that; else ''."""
    made = run.landed.commit if run.landed is not None else ""
    there = made and objects.exists(context.repository, made)
    return made if there and history.is_ancestor(context.repository, made, commit) else ""


def recorded_at(run: Run) -> datetime:
    """When a run ended, by its records: of one whose commit is not here, all there is."""
    return datetime.fromtimestamp(epoch_of(run.state.at), UTC)


def touched(context: Context, layout: Layout, landing: Landing) -> Mapping[str, str]:
    """What a run did to which pages, as its plan says: repository path → `create`, `update` or `delete`.

    Of a run without a plan, as one recorded by an earlier version, what its commit changed. `Absent` where that has to
    be read and is not here.
    """
    return {path: op for path, op in _operations(context, layout, landing) if layout.is_page(path)}


def _operations(context: Context, layout: Layout, landing: Landing) -> Iterator[tuple[str, str]]:
    if landing.run.plan is not None:
        for one in landing.run.plan.operations:
            yield joined(layout.root, one.path), one.op
        return
    made = commits.read(context.repository, landing.commit)
    if not made.parents:
        raise Absent(f"the parent of {landing.commit[:10]}")
    before = commits.read(context.repository, made.parents[0]).tree
    for entry in changed(context.repository, before, made.tree):
        op = "create" if entry.old_mode is None else "delete" if entry.new_mode is None else "update"
        yield entry.path, op
