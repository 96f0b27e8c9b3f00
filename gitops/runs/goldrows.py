"""The gold queries in the index: the table mirrors what the files of the branch say (alexandria 14, "Storage")."""

from __future__ import annotations

from typing import Any

from gitops.canonical import dumps
from gitops.errors import AssayError, UsageError
from gitops.git import refs
from gitops.git.snapshot import resolve
from gitops.index import records as rows
from gitops.index.replacing import Block
from gitops.runs import gold, mirror
from gitops.runs.context import Context
from gitops.runs.roots import roots
from gitops.runs.targets import default_target
from gitops.runs.workspace import at

COLUMNS = ("id", "workspace", "query", "expected_topics", "expected_citations", "authored_at", "authored_by")


def mirrored(context: Context) -> None:
    """Bring the table up to the files. An index that cannot be written is told, and holds nothing up."""
    found = of_branch(context)
    try:
        with mirror.opened(context) as index:
            rows.replace_gold_queries(index, found)
    except AssayError as error:
        context.warn(f"the index is behind the gold queries: {error.message}; git assay index rebuild")


def block(context: Context) -> Block:
    """The same as a whole table."""
    return Block(COLUMNS, [tuple(_value(row[name]) for name in COLUMNS) for row in of_branch(context)])


def _value(value: Any) -> Any:
    return dumps(value) if isinstance(value, list) else value


def of_branch(context: Context) -> list[dict[str, Any]]:
    """The rows of every workspace, as the branch that things land on has them. Files that cannot be read are told."""
    commit = _tip(context)
    if commit is None:
        return []
    tree = context.tree(commit)
    found: dict[str, list[gold.GoldQuery]] = {}
    for root in roots(tree):
        try:
            workspace = at(tree, root, commit)
            found[workspace.name] = gold.at(tree, workspace.layout)
        except AssayError as error:
            context.warn_once(f"gold queries left out of the index: {error.message}")
    return gold.rows(found)


def _tip(context: Context) -> str | None:
    if context.repository.is_unborn:
        return None
    try:
        return refs.read(context.repository, default_target(context.repository))
    except UsageError:  # a detached HEAD
        return resolve(context.repository, "HEAD")
