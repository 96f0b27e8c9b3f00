"""Keeps what became of proposals: notes, which are the truth, and the rows of `eviction_feedback` that mirror them.

A note stands on the commit that HEAD names when it is written; which one that is means nothing. It opens no gate, so
nobody signs it: weights that are learned from it land as any change does, and take an ablation.
"""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import ValidationError

from gitops.errors import CannotRun
from gitops.eviction.model import EvictionFeedback, EvictionProposal
from gitops.git import snapshot
from gitops.runs import evicted, mirror, store
from gitops.runs import feedback as saying
from gitops.runs.authority import Authority
from gitops.runs.context import Context
from gitops.runs.feedback import Evicted
from gitops.runs.workspace import Workspace

Resolved = tuple[EvictionProposal, EvictionFeedback]


def keep(context: Context, workspace: Workspace, proposal: EvictionProposal, resolution: EvictionFeedback) -> Evicted:
    """Record what became of a proposal, durably. CannotRun where there is no commit to put it on."""
    who, count = saying.person(context), len(resolution.excluded)
    told = f"{len(resolution.evicted)} evicted, {count} kept back by {resolution.resolved_by}"
    made = Evicted(
        summary=f"eviction {proposal.proposal_id} of {_plain(proposal.scope_id)}: {told}",
        workspace=workspace.name,
        commit=_commit(context),
        reason="",
        by=who,
        at=context.now,
        proposal=proposal.model_dump(mode="json"),
        resolution=resolution.model_dump(mode="json"),
    )
    kept = saying.keep(Authority(context, workspace.name), made, f"eviction {proposal.proposal_id}", is_signed=False)
    mirror.put_evicted(context, kept, lambda: store.everything(context))
    return kept


def feedback(context: Context, workspace: str | None = None) -> list[Resolved]:
    """What became of all proposals, of one workspace or all, in the order in which they were resolved.

    Of a proposal that was resolved twice the first counts. Records that are none are told and passed over.
    """
    return sorted(_all(context, workspace), key=lambda pair: (pair[1].resolved_at, pair[0].proposal_id))


def of(context: Context, proposal_id: str) -> Resolved | None:
    """What became of one proposal, if it is recorded."""
    found = _all(context, None, proposal_id)
    return next((pair for pair in found if pair[1].proposal_id == proposal_id), None)


def mirrored(context: Context, proposal_id: str) -> None:
    """Mirror what a note has: for whoever was killed between the note and its row."""
    for said in evicted.all_evicted(context, proposal_id):
        if said.resolution.get("proposal_id") == proposal_id:
            mirror.put_evicted(context, said, lambda: store.everything(context))


def _all(context: Context, workspace: str | None, proposal_id: str = "") -> Iterator[Resolved]:
    for said in evicted.all_evicted(context, proposal_id):
        if (read := _read(context, said, workspace)) is not None:
            yield read


def _read(context: Context, said: Evicted, workspace: str | None) -> Resolved | None:
    if workspace not in (None, said.workspace):
        return None
    try:
        made = EvictionProposal.model_validate(said.proposal)
        return made, EvictionFeedback.model_validate(said.resolution)
    except ValidationError as error:
        why = str(error).split("\n")[0]
        context.warn_once(f"the eviction {said.id[:10]} on {said.commit[:10]} is passed over: {why}")
        return None


def _commit(context: Context) -> str:
    if context.repository.is_unborn:
        raise CannotRun("there is no commit to record an eviction on", "make a first commit: git assay init")
    return snapshot.resolve(context.repository, "HEAD")


def _plain(text: str) -> str:
    return " ".join(text.split())
