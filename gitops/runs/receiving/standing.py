"""What a commit on the protected branch stands by: a verdict that holds here, being an intake, or nothing yet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import TYPE_CHECKING

from gitops.errors import AssayError
from gitops.git import history
from gitops.git.treediff import changed
from gitops.runs import examining
from gitops.runs.context import Context
from gitops.runs.receiving import plainly
from gitops.runs.workspace import Workspace
from gitops.wiki.layout import joined
from gitops.wiki.paths import within

if TYPE_CHECKING:
    from gitops.verify.finding import Finding

Rules = dict[str, str | None]
"""By path, the blobs that say what is right and who may say so; None where there is none."""


class Kind(Enum):
    """Why a commit may stand where it stands."""

    VERIFIED = "a signed verdict on just this step holds"
    NEUTRAL = "it adds sources alone, or nothing"
    OWN = "nothing yet: it has to be verified"


def rules(context: Context, workspaces: Iterable[Workspace], commit: str) -> Rules:
    """What rules the workspaces at a commit: policy, debt, and whose keys count."""
    tree = context.tree(commit)
    paths = [path for each in workspaces for path in _ruling(each)]
    return {path: tree.blob(path) for path in paths}


def kind(context: Context, workspaces: list[Workspace], ref: str, commit: str, ruling: Rules) -> Kind:
    """What a commit stands by, seen from its first parent. `ruling` are the rules that stand here already."""
    there = context.commit(commit)
    parent = there.parents[0]
    if there.tree == context.commit(parent).tree and len(there.parents) == 1:
        return Kind.NEUTRAL
    if _has_verdict(context, ref, commit):
        if rules(context, workspaces, parent) == ruling:
            return Kind.VERIFIED
        context.warn_once(
            f"the verdict on {commit[:10]} does not count yet: the rules that it was given by come in the same push; "
            "push those first, by themselves"
        )
        return Kind.OWN
    if len(there.parents) != 1:
        return Kind.OWN
    from gitops.runs import judging

    entries = history.introduced(context.repository, commit)
    return Kind.NEUTRAL if any(judging.is_intake(each, entries) for each in workspaces) else Kind.OWN


def sealed(context: Context, workspaces: Iterable[Workspace], base: str, head: str) -> tuple[Finding, ...]:
    """What a verified step writes that no verdict lets: in its outcome, and in each commit of its run."""
    between = [each for each in history.between(context.repository, base, head) if each != head]
    before, after = context.tree(base), context.tree(head)
    entries = list(changed(context.repository, before.tree_id, after.tree_id))
    steps = [entry for commit in between for entry in history.introduced(context.repository, commit)]
    found: list[Finding] = []
    for each in workspaces:
        layout = each.layout
        if not any(within(entry.path, layout.root) for entry in (*entries, *steps)):
            continue
        # The verdict answers for the line that the tool itself added to the log.
        written = [*(entry for entry in entries if entry.path != layout.log), *steps]
        if not plainly.writes_pages(layout, before, after, written):
            found += _refused(context, each, base, head, between)
    return tuple(found)


def _refused(context: Context, workspace: Workspace, base: str, head: str, between: list[str]) -> Iterator[Finding]:
    from gitops.runs import guarding, judging
    from gitops.verify.view import RunFacts

    facts = RunFacts(is_run=True)
    return judging.gating(guarding.findings(context, workspace, base, head, between, facts, but=workspace.layout.log))


def _has_verdict(context: Context, ref: str, commit: str) -> bool:
    """Does a verdict let just this step onto just this branch, and is it signed by whom it has to be?"""
    try:
        if next(examining.bearers(context, commit), None) is None:
            return False
        found = examining.examine(context, commit, ref)
    except AssayError as error:  # nobody may sign here, or the base has no such workspace: it is verified anew
        context.warn_once(f"no verdict on {commit[:10]} counts: {error.message}")
        return False
    if found.problem:
        context.warn_once(f"the verdict on {commit[:10]} does not count: {found.problem}")
    return not found.problem


def _ruling(workspace: Workspace) -> tuple[str, ...]:
    layout, trust = workspace.layout, workspace.config.trust
    signers = (joined(layout.root, name) for name in (trust.allowed_signers, trust.revoked_keys))
    return layout.config, layout.debt, *signers
