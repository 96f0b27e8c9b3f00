"""Puts right what a killed process left behind. Runs at start-up and in `git assay doctor`.

Everything is recomputed from refs and notes: a run whose candidate is in the target's history, with a
verdict that lets it, is committed; a run that nobody verifies any more is pending again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from gitops.errors import AssayError
from gitops.git import refs
from gitops.runs import abandoning, endings, names, proof, settling, store
from gitops.runs.context import Context, epoch_of
from gitops.runs.owning import Owned, owned
from gitops.runs.records import FINAL, Run
from gitops.runs.spans import length
from gitops.runs.workspace import rooted


def quick(context: Context) -> list[str]:
    """The sweep at start-up: only runs with a candidate, which exist only while (or since) somebody lands."""
    waiting = refs.listed(context.repository, names.CANDIDATES)
    return [told for ref in waiting for told in _swept(context, ref.removeprefix(names.CANDIDATES))]


def full(context: Context, runs: Iterable[Run]) -> list[str]:
    """The sweep over all runs that have something here: those without a candidate too, and those gone stale.

    Runs of which only the records are here are another clone's to sweep.
    """
    known = list(runs)
    branches = refs.listed(context.repository, names.BRANCHES)
    candidates = refs.listed(context.repository, names.CANDIDATES)
    told = []
    for run in known:
        if names.candidate(run.id) in candidates or names.branch(run.id) in branches:
            told += _swept(context, run.id, thorough=True)
    strangers = candidates.keys() - {names.candidate(run.id) for run in known}
    return told + [each for ref in sorted(strangers) for each in _swept(context, ref.removeprefix(names.CANDIDATES))]


def _swept(context: Context, run_id: str, *, thorough: bool = False) -> list[str]:
    if not names.is_id(run_id):
        return []  # no run can have made it, so no run's end takes it down; doctor names it
    try:
        with owned(context, run_id, wait=0):
            run = store.exact(context, run_id)
            if run is None:
                return list(_without_run(context, run_id))
            return list(_settled(context, run, thorough))
    except Owned:
        return []  # somebody is at it right now


def _settled(context: Context, run: Run, thorough: bool) -> Iterator[str]:
    tip = refs.read(context.repository, run.record.target)
    landed = proof.landed_in(context, run, tip) if tip is not None else None
    if run.status != "committed" and landed is not None:
        settling.take_up(context, run, *landed)
        yield f"run {run.id} had landed as {landed[0][:10]}; its record now says so"
    elif run.status in FINAL:
        yield from _cleared(context, run)
    elif thorough and tip is not None and (covered := proof.covered_in(context, run, tip)) is not None:
        settling.covered(context, run, *covered)
        yield f"run {run.id} had landed as {covered[0][:10]}, a commit made elsewhere that its verdict covers"
    elif run.status == "verifying":
        endings.record(
            context, run, endings.next_state(context, run, "pending", reason="its verification was cut short")
        )
        yield f"run {run.id} was left in the middle of its verification; it is pending again"
    elif thorough and _is_stale(context, run):
        abandoning.let_go(context, run, "stale: [runs] stale_after has passed")
        yield f"run {run.id} was stale and is abandoned; its head is kept"


def _cleared(context: Context, run: Run) -> Iterator[str]:
    """Take down what a run left that came to its end; a branch that moved on, or is checked out, stays."""
    candidate = refs.read(context.repository, names.candidate(run.id))
    branch = refs.read(context.repository, names.branch(run.id))
    if candidate is None and branch != run.state.head:
        return
    store.mirror_again(context, run)
    endings.clear(context, run.id, run.state.head)
    if candidate is not None or refs.read(context.repository, names.branch(run.id)) is None:
        yield f"run {run.id} is {run.status}; what it left is taken down"


def _without_run(context: Context, run_id: str) -> Iterator[str]:
    """A candidate whose run left no records here is nobody's: kept under its name, off the candidate list."""
    commit = refs.read(context.repository, names.candidate(run_id))
    if commit is not None:
        endings.keep(context, run_id, commit, commit)
        endings.drop_candidate(context, run_id)
        yield f"candidate {run_id} has no run; it is kept as {names.kept(run_id)}"


def _is_stale(context: Context, run: Run) -> bool:
    tip = refs.read(context.repository, run.record.target)
    if tip is None:
        return False
    try:
        after = rooted(context.repository, tip, run.record.workspace_root).config.runs.stale_after
    except AssayError:
        return False  # no policy, no clock; whoever lands the run is told what is wrong with assay.toml
    if not after:
        return False
    limit = length(after)
    return context.clock() - datetime.fromtimestamp(epoch_of(run.state.at), UTC) > limit
