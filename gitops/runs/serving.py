"""Answers for a run that was pushed to a server: verified, landed or not, and the answer left in its records.

What `run finish` does, by a process that nobody watches. So whatever comes of it becomes a state of the run, also
that it could not be finished and why: whoever pushed reads it there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from gitops.errors import AssayError, CannotRun, Refused
from gitops.git import refs
from gitops.runs import adopting, endings, landing, names, owning, store
from gitops.runs.context import Context
from gitops.runs.outcome import NotLanded, Outcome
from gitops.runs.owning import Owned, owned
from gitops.runs.records import FINAL, Run
from gitops.runs.targets import default_target
from gitops.runs.workspace import rooted
from gitops.runs.written import workspace_of

_ITS_TURN_S = 3600.0
"""For how long a worker waits for a person who is at the same run."""

_CAN_TURN_BACK = frozenset(("verifying", "candidate", "verify", "verdict", "publish", "swap"))
"""The steps of a landing before its commit point."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a pushed run, and the heads that it had meanwhile, the one that is answered for last.

    `result` is that of the outcome where there is one, else `no_verdict`, `withdrawn` (its branch is gone), `draft`
    (it is to be looked at, and not judged) or `ended` (its id had come to its end before).
    """

    run_id: str
    heads: tuple[str, ...]
    result: str
    message: str = ""
    hint: str = ""
    outcome: Outcome | None = None


class _Moved(Exception):
    """The run was pushed again while it was verified: what was found is of another head."""


def serve(context: Context, run_id: str, say: Callable[[str], None]) -> Answer:
    """Answer for a run with the head that it has in the end: a newer push begins it again. Never raises AssayError."""
    heads: list[str] = []
    while True:
        head = refs.read(context.repository, names.branch(run_id))
        if head is None:
            return replace(_withdrawn(context, run_id), heads=tuple(heads))
        heads = [*(each for each in heads if each != head), head]
        try:
            return replace(_answer(context, run_id, head), heads=tuple(heads))
        except _Moved:
            say("pushed again meanwhile: begun anew with the new head")
        except Owned:
            say("somebody else is at it: waiting for them")
            try:
                with owned(context, run_id, wait=_ITS_TURN_S):
                    pass
            except Owned as error:
                return Answer(run_id, tuple(heads), "no_verdict", error.message, error.hint)


def unheard(context: Context) -> dict[str, str]:
    """The runs whose branch is here with a head that no record speaks of: their push was cut short; with that head.

    One that was cut short in its verification is among them.
    """
    found = {}
    for ref, head in refs.listed(context.repository, names.BRANCHES).items():
        run_id = ref.removeprefix(names.BRANCHES)
        run = store.exact(context, run_id) if names.is_id(run_id) else None
        is_new = run is None or (run.status not in FINAL and (run.state.head != head or run.status == "verifying"))
        if names.is_id(run_id) and is_new:
            found[run_id] = head
    return found


def _answer(context: Context, run_id: str, head: str) -> Answer:
    known = store.exact(context, run_id)
    if known is not None and known.status in FINAL and head != known.state.head:
        told = f"run {run_id} is {known.status} already, and what was pushed since is another run's"
        return Answer(run_id, (), "ended", told, f"git push REMOTE {head[:10]}:refs/heads/run/NEW-ID")
    if known is not None and known.state.draft_only and known.state.head == head:
        return Answer(run_id, (), "draft", f"run {run_id} is a draft: it is looked at, not judged")
    try:
        _demand_served(context, run_id, known, head)
        outcome = landing.finish(_watching(context, run_id, head), run_id)
    except NotLanded as error:
        return Answer(run_id, (), "not_landed", error.message, error.hint, error.outcome)
    except Owned:
        raise
    except AssayError as error:
        return _without_verdict(context, run_id, head, error)
    return Answer(run_id, (), outcome.result, outcome=outcome)


def _demand_served(context: Context, run_id: str, known: Run | None, head: str) -> None:
    """Refused where the run is for another branch, or by somebody whom the policy does not name."""
    target = default_target(context.repository)
    if known is not None and known.record.target != target:
        wants, lands = (each.removeprefix("refs/heads/") for each in (known.record.target, target))
        told = f"run {run_id} is for {wants}, and runs that are pushed here land on {lands}"
        raise Refused(told, f"git assay run start --from {run_id} --target {lands}")
    base = refs.read(context.repository, target)
    if base is None:
        raise CannotRun(f"{target} has no commit yet", f"git push REMOTE {target.removeprefix('refs/heads/')}")
    if known is not None:
        workspace = rooted(context.repository, base, known.record.workspace_root)
    else:
        workspace = workspace_of(context, run_id, base, head)
    adopting.demand_allowed(context, workspace, run_id, base, head)


def _watching(context: Context, run_id: str, head: str) -> Context:
    """The same context, which turns back before each step up to the commit point where the run was pushed again."""

    def at_step(step: str) -> None:
        context.at_step(step)
        if step in _CAN_TURN_BACK and refs.read(context.repository, names.branch(run_id)) != head:
            raise _Moved

    return replace(context, at_step=at_step)


def _without_verdict(context: Context, run_id: str, head: str, error: AssayError) -> Answer:
    """Leave the reason as a state of the run; of one that cannot even be adopted, the log alone tells."""
    if refs.read(context.repository, names.branch(run_id)) != head:
        raise _Moved from error
    answer = Answer(run_id, (), "no_verdict", error.message, error.hint)
    try:
        with owned(context, run_id, wait=owning.WRITER_WAITS_S):
            run = store.exact(context, run_id) or adopting.adopt(context, run_id, allowed=True)
            _record(context, run, head, error)
    except AssayError as unwritten:
        context.warn(f"its records do not say so: {unwritten.message}; {unwritten.hint}")
    return answer


def _record(context: Context, run: Run, head: str, error: AssayError) -> None:
    said = run.status == "pending" and run.state.head == head and run.state.reason.startswith(error.message)
    if run.status in FINAL or said:
        return
    reason = f"{error.message}; {error.hint}" if error.hint else error.message
    endings.record(context, run, endings.next_state(context, run, "pending", head=head, candidate="", reason=reason))
    endings.drop_candidate(context, run.id)


def _withdrawn(context: Context, run_id: str) -> Answer:
    """Its branch is gone. A run that landed meanwhile has said so itself; one that was being verified waits again."""
    gone = f"run/{run_id} is gone"
    try:
        with owned(context, run_id, wait=owning.WRITER_WAITS_S):
            run = store.exact(context, run_id)
            if run is not None and run.status == "verifying":
                told = f"run/{run_id} was deleted before there was a verdict"
                endings.record(context, run, endings.next_state(context, run, "pending", candidate="", reason=told))
                endings.drop_candidate(context, run_id)
    except AssayError as error:
        return Answer(run_id, (), "withdrawn", f"{gone}, and its records do not say so: {error.message}", error.hint)
    return Answer(run_id, (), "ended" if run is not None and run.status in FINAL else "withdrawn", gone)
