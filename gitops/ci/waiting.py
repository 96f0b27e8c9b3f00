"""The runs that wait at a remote: which there are, what is known of each, and whether there is anything to do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gitops.ci import proposing
from gitops.ci.landed import Landed
from gitops.errors import CannotRun, Refused
from gitops.git import history, objects, refs, remotes
from gitops.runs import adopting, examining, names, owning, settling, store, syncing
from gitops.runs.context import Context
from gitops.runs.owning import owned
from gitops.runs.records import FINAL, Run
from gitops.runs.workspace import find, rooted


@dataclass(frozen=True, slots=True)
class Waiting:
    """A run as its remote has it: the head of its branch, and what its pull request shows; None where there is none."""

    run_id: str
    head: str | None = None
    proposed: str | None = None


def listed(context: Context, remote: str, more: Iterable[str] = ()) -> dict[str, Waiting]:
    """The remote's runs by id, and those of the ids given that it has no branch of.

    A branch below `run/` that is no run's name is told, and left alone.
    """
    found = remotes.listed(context.repository, remote, (f"{names.BRANCHES}*", f"{proposing.BRANCHES}*"))
    heads = {ref.removeprefix(names.BRANCHES): tip for ref, tip in found.items() if ref.startswith(names.BRANCHES)}
    for name in sorted(name for name in heads if not names.is_id(name)):
        context.warn(f"run/{name[:80]} at {remote} is no run's name; it is left alone")
    ids = sorted({*filter(names.is_id, heads), *more})
    return {name: Waiting(name, heads.get(name), found.get(proposing.branch(name))) for name in ids}


def fetched(context: Context, remote: str, waiting: Waiting) -> Run | None:
    """The run, with its branch here; and, where it is up as a pull request, the candidate that was verified."""
    repository, branch = context.repository, names.branch(waiting.run_id)
    if waiting.head is not None and not _has(context, branch, waiting.head):
        _fetch(context, remote, waiting, branch)
    run = store.exact(context, waiting.run_id)
    candidate = names.candidate(waiting.run_id)
    is_up = run is not None and run.status not in FINAL and run.state.candidate == waiting.proposed
    if is_up and waiting.proposed is not None and refs.read(repository, candidate) is None:
        remotes.fetch(repository, remote, {proposing.branch(waiting.run_id): candidate})
    return run


def _fetch(context: Context, remote: str, waiting: Waiting, branch: str) -> None:
    """CannotRun where the branch here has commits that the remote's lacks: whose they are, a person has to say."""
    repository, short = context.repository, branch.removeprefix("refs/heads/")
    local, place = refs.read(repository, branch), f"{syncing.FETCHED}{remote}/{short}"
    if local is not None:
        remotes.fetch(repository, remote, {branch: place}, over=True)
        if not history.is_ancestor(repository, local, str(refs.read(repository, place))):
            hint = f"git fetch {remote} +{short}:{short} takes what is there, and lets go of {local[:10]}"
            raise CannotRun(f"{short} was written anew at {remote}, and this clone has it otherwise", hint)
    remotes.fetch(repository, remote, {branch: branch})


def _has(context: Context, branch: str, head: str) -> bool:
    """Whether a branch here has what the remote's has, and perhaps more."""
    local = refs.read(context.repository, branch)
    there = local is not None and objects.exists(context.repository, head)
    return there and history.is_ancestor(context.repository, head, str(local))


def demand_for(context: Context, run: Run, target: str) -> None:
    """Refused where a run is for another branch than the one that runs land on here."""
    if run.record.target != target:
        wants, lands = (each.removeprefix("refs/heads/") for each in (run.record.target, target))
        hint = f"git assay run start --from {run.id} --target {lands}, or land it in a clone that is on {wants}"
        raise Refused(f"run {run.id} is for {wants}, and here runs land on {lands}", hint)


def demand_allowed(context: Context, waiting: Waiting, run: Run | None, tip: str) -> None:
    """Refused where a run has commits by somebody whom the policy does not name. What its records say of that,
    whoever may push notes may have written.
    """
    head = refs.read(context.repository, names.branch(waiting.run_id))
    if head is None or (run is not None and run.status in FINAL):
        return
    repository = context.repository
    workspace = rooted(repository, tip, run.record.workspace_root) if run is not None else find(repository, tip, None)
    adopting.demand_allowed(context, workspace, waiting.run_id, tip, head)


def covered(context: Context, run: Run, tip: str) -> str | None:
    """The commit by which somebody merged a run's pull request by squash or rebase; the run is settled by it."""
    since = set(history.between(context.repository, run.state.base or run.record.base, tip))
    for commit in history.first_parent(context.repository, tip):
        if commit not in since:
            break
        verdict = examining.covering(context, commit, run.record.target)
        if verdict is not None and verdict.run_id == run.id:
            with owned(context, run.id, wait=owning.WRITER_WAITS_S):
                settling.covered(context, run, commit, verdict)
            return commit
    return None


def looked_at(remote: str, waiting: Waiting, run: Run, tip: str) -> Landed | None:
    """What is to be said of a run that nobody asked for, where it need not be looked at again; None where it must."""
    state, head = run.state, waiting.head or ""
    if run.status in FINAL and state.head == head:
        return Landed(run.id, "ended", 0, f"it is {run.status} already")
    if run.status in FINAL:
        why = f"it is {run.status} already, and what was pushed since is another run's"
        return Landed(run.id, "refused", 1, why, f"git push {remote} {head[:10]}:refs/heads/run/NEW-ID")
    if state.head != head:
        return None
    if state.verdict == "revise":
        return Landed(run.id, "waiting", 0, f"it waits to be mended: {state.reason}")
    if state.verdict == "commit" and (waiting.proposed, tip) == (state.candidate, state.base):
        why = f"it waits as assay/{run.id} to be merged"
        return Landed(run.id, "waiting", 0, why, f"git assay run abandon {run.id}, if it is not to land")
    return None
