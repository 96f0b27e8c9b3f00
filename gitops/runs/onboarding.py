"""`adopt`: takes a wiki as it stands into care, by a policy that fits it and a debt of what is wrong with it today."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gitops.errors import CannotRun, UsageError
from gitops.git import commits, trees
from gitops.git.snapshot import TreeSnapshot
from gitops.runs import beginning, branches, linting
from gitops.runs.context import Context
from gitops.runs.surveying import Surveyed
from gitops.runs.workspace import Workspace
from gitops.verify import debt
from gitops.verify.finding import Finding
from gitops.wiki.snapshot import REGULAR


@dataclass(frozen=True, slots=True)
class Adopted:
    """What one wiki's adoption comes to: the findings of today, and the files that are written for it."""

    surveyed: Surveyed
    findings: tuple[Finding, ...]
    files: dict[str, bytes]


def plan(context: Context, commit: str, surveyed: Surveyed, *, renew: bool = False) -> Adopted:
    """What adoption would write: the policy where there is none; the debt where there is none, or to `renew` it."""
    workspace, tree = surveyed.workspace, context.tree(commit)
    layout = workspace.layout
    findings = tuple(linting.findings(context, workspace, tree, commit))
    files = {} if surveyed.has_policy else {layout.config: surveyed.policy.encode()}
    has_debt = tree.blob(layout.debt) is not None
    if not has_debt or renew:
        files[layout.debt] = debt.written(debt.of(findings).values())
    if has_debt and files.get(layout.debt) == tree.read(layout.debt):
        del files[layout.debt]
    return Adopted(surveyed, findings, files)


def commit(context: Context, target: str, tip: str, files: Mapping[str, bytes], subject: str) -> str:
    """Commit exactly these files on the branch, and put them into its work trees. '' where nothing is to do.

    CannotRun where the branch moved meanwhile, or where another file that is not committed stands in the way.
    """
    repository = context.repository
    if not files:
        return ""
    before = TreeSnapshot.at(repository, tip).tree_id
    tree = trees.edit(repository, before, {path: (data, REGULAR) for path, data in files.items()})
    message = f"{subject}\n\n{', '.join(sorted(files))}"
    made = commits.write(repository, tree, [tip], message, context.identity, context.epoch)
    with branches.moving(context):
        moved = branches.advance_in_place(context, target, made, tip, f"assay: {subject}")
    if not moved:
        raise CannotRun(f"{target} moved meanwhile", "try again")
    beginning.configure_notes(repository)
    return made


def pruned(tree: TreeSnapshot, workspace: Workspace, findings: Iterable[Finding]) -> dict[str, bytes]:
    """The debt file without what is mended by now, by its path; nothing where it is right. UsageError without one."""
    layout = workspace.layout
    if tree.blob(layout.debt) is None:
        raise UsageError(f"there is no {layout.debt}, so no debt", "git assay adopt")
    standing = debt.of(findings)
    entries = debt.read(tree.read(layout.debt)).entries
    left = debt.written(entry for mark, entry in entries.items() if mark in standing)
    return {} if left == tree.read(layout.debt) else {layout.debt: left}
