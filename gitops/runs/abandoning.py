"""Ends a run by hand. Nothing of it is lost: what was judged, else its head, is kept under its name."""

from __future__ import annotations

from gitops.git import commits, objects, refs
from gitops.runs import adopting, endings, names
from gitops.runs.context import Context
from gitops.runs.owning import owned
from gitops.runs.records import Run


def abandon(context: Context, text: str, reason: str) -> Run:
    """Abandon a run that is still open. CannotRun while another process verifies it."""
    run_id = adopting.whole_id(context, text)
    with owned(context, run_id):
        return let_go(context, adopting.open_run(context, run_id), reason)


def let_go(context: Context, run: Run, reason: str) -> Run:
    """Abandon a run that the caller owns, at the head its branch has now."""
    head = refs.read(context.repository, names.branch(run.id)) or run.state.head
    judged = refs.read(context.repository, names.candidate(run.id)) or ""
    if judged and commits.trailers(context.commit(judged).message).get("Assay-Head") != [head]:
        judged = ""  # a candidate of an earlier head would not hold this one
    if not objects.exists(context.repository, head):
        return endings.forget(context, run, reason)
    return endings.abandon(context, run, head, judged, reason)
