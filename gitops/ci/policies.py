"""The policies that a change leaves behind: whether every change after it can still be judged by them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gitops.ci.judged import Judged
from gitops.ci.spans import Span
from gitops.config import FILE_NAME
from gitops.errors import UsageError
from gitops.git import merging
from gitops.git.snapshot import TreeSnapshot
from gitops.git.treediff import Entry
from gitops.runs.context import Context
from gitops.runs.workspace import Workspace, at, by_name, roots
from gitops.wiki.layout import joined


def refused(context: Context, span: Span, there: Iterable[Workspace], entries: Iterable[Entry]) -> Judged | None:
    """Why the policies that a change leaves are none: one cannot be read, has another's name, or is gone, so that
    nothing after it would be checked. None where the change touches no policy, or leaves sound ones.

    `there` are the workspaces of the base, `entries` what the change touches.
    """
    touched = [entry for entry in entries if entry.path.rpartition("/")[2] == FILE_NAME]
    if not touched:
        return None
    known = list(there)
    files = {each.layout.config for each in known}
    if gone := [entry.path for entry in touched if entry.new_blob is None and entry.path in files]:
        told = f"the change takes {gone[0]} away, and nothing would be checked after it"
        return Judged("reject", told, f"git checkout {span.base[:10]} -- {gone[0]}")
    try:
        by_name(_left(context, span, known))
    except UsageError as error:
        return Judged("reject", f"the policy that the change brings is none: {error.message}", error.hint)
    return None


def at_roots(context: Context, commit: str) -> Iterator[Workspace]:
    """The workspaces of a commit. UsageError where a policy is none."""
    tree = context.tree(commit)
    return (at(tree, root, commit) for root in roots(tree))


def brought(context: Context, commit: str, entries: Iterable[Entry]) -> list[Workspace]:
    """The workspaces of a commit that a change brings in. UsageError where a policy of theirs is none."""
    new = {entry.path for entry in entries if entry.old_blob is None}
    tree = context.tree(commit)
    return [at(tree, root, commit) for root in roots(tree) if joined(root, FILE_NAME) in new]


def _left(context: Context, span: Span, there: Iterable[Workspace]) -> Iterator[Workspace]:
    """The workspaces that are there when the change is; and those of the base under the names that they have there, for
    what is told of one is kept under its name.
    """
    merged = merging.merge(context.repository, span.base, span.head).tree
    tree = TreeSnapshot(context.repository, merged) if merged is not None else context.tree(span.head)
    now = {root: at(tree, root, span.head) for root in roots(tree)}
    yield from now.values()
    for each in there:
        same = now.get(each.layout.root)
        if same is None or same.name != each.name:
            yield each
