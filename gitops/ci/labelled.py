"""Records what a label on a pull request accepted, once that is merged: labels are in no clone, and come off again.

A check sees the label in its event and may write nothing; who lands and measures has the key, and writes it down: on
the commit that the merge left on the branch, for each workspace, covering every metric and suite as the label does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from pydantic import BaseModel

from gitops.ci.events import ACCEPT_LABEL
from gitops.ci.github import GitHub
from gitops.ci.github_answers import Forbidden, Missing
from gitops.ci.pull_requests import Sha
from gitops.git import history, objects
from gitops.runs import feedback
from gitops.runs.context import Context
from gitops.runs.feedback import AcceptedRegression
from gitops.runs.workspace import Workspace

LOOKED_AT = 100
"""So many of the pull requests that were closed or changed last are looked at: one page of GitHub's answers."""


class _Label(BaseModel):
    name: str


class _Pull(BaseModel):
    number: int
    merged_at: str | None = None
    merge_commit_sha: Sha | None = None
    labels: list[_Label] = []


class _Actor(BaseModel):
    login: str


class _Event(BaseModel):
    event: str
    label: _Label | None = None
    actor: _Actor | None = None


@dataclass(frozen=True, slots=True)
class Merged:
    """A pull request that was merged with the label on it: its number, and the commit that it became."""

    number: int
    commit: str


def merged(github: GitHub, branch: str) -> list[Merged]:
    """The pull requests to a branch that bear the label and were merged, of those that changed last."""
    asked = github.pages("/pulls", state="closed", base=branch, sort="updated", direction="desc")
    found = [github.read(_Pull, each) for each in islice(asked, LOOKED_AT)]
    return [
        Merged(each.number, each.merge_commit_sha)
        for each in found
        if each.merged_at and each.merge_commit_sha and any(label.name == ACCEPT_LABEL for label in each.labels)
    ]


def record(
    context: Context, github: GitHub, branch: str, tip: str, workspaces: Sequence[Workspace]
) -> list[AcceptedRegression]:
    """Write down what the label accepted of what was merged into `branch`, as far as `tip` has it and nobody has yet.

    CannotRun where GitHub does not answer, or a record has to be signed and cannot be.
    """
    made: list[AcceptedRegression] = []
    for each in merged(github, branch):
        if not objects.exists(context.repository, each.commit):
            continue
        if not history.is_ancestor(context.repository, each.commit, tip):
            continue
        base = next(iter(context.commit(each.commit).parents), "")
        lacking = [one for one in workspaces if not _is_known(context, one, each.commit, base)]
        if lacking:
            reason = f"the label {ACCEPT_LABEL} on #{each.number}, set by {_by(github, each.number)}"
            made += _recorded(context, lacking, each.commit, base, reason)
    return made


def _is_known(context: Context, workspace: Workspace, commit: str, base: str) -> bool:
    known = feedback.accepted_on(context, commit, base)
    return any(each.workspace == workspace.name and each.label == ACCEPT_LABEL for each in known)


def _recorded(
    context: Context, workspaces: Sequence[Workspace], commit: str, base: str, reason: str
) -> Iterator[AcceptedRegression]:
    for each in workspaces:
        yield feedback.accept_regression(context, each, commit, reason, base=base, label=ACCEPT_LABEL)


def _by(github: GitHub, number: int) -> str:
    """Who set the label last; `somebody` where the token may not see that."""
    try:
        events = [github.read(_Event, each) for each in github.pages(f"/issues/{number}/events")]
    except (Forbidden, Missing):
        return "somebody"
    named = [each.actor.login for each in events if each.actor is not None and _is_labelling(each)]
    return named[-1] if named else "somebody"


def _is_labelling(event: _Event) -> bool:
    return event.event == "labeled" and event.label is not None and event.label.name == ACCEPT_LABEL
