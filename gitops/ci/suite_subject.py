"""What benchmark suites of a change are run against: what would land, with the suites and the gold of its base."""

from __future__ import annotations

from dataclasses import replace

from gitops.ci import rules
from gitops.ci.spans import Span
from gitops.errors import CannotRun
from gitops.git import commits, merging
from gitops.git.treediff import changed
from gitops.runs.context import Context
from gitops.runs.workspace import Workspace, rooted


def subject(context: Context, workspace: Workspace, span: Span) -> str:
    """The commit to measure: the change as it would be merged, with the base's suites and gold in their places.

    Its policy is the change's own: what a change makes of models and weights is what is measured. Where nothing has to
    be merged or put back it is the head itself; else it hangs on no ref, and git collects it as garbage. CannotRun
    where the change conflicts with its base.
    """
    merged = merge(context, span)
    before, after = context.tree(span.base).tree_id, context.tree(merged).tree_id
    moved = [each for each in changed(context.repository, before, after) if rules.is_measure(workspace, each.path)]
    return rules.ruled(context, merged, moved)


def merge(context: Context, span: Span) -> str:
    """The change as it would be merged: the head itself where it has all of the base."""
    found = merging.merge(context.repository, span.base, span.head)
    if found.tree is None:
        told = f"{span.head[:10]} conflicts with {span.base[:10]} in {', '.join(found.conflicts[:5])}"
        raise CannotRun(told, "merge or rebase first")
    head = context.commit(span.head)
    if found.tree == head.tree:
        return span.head
    parents, message = [span.base, span.head], f"{span.head[:10]} as it would be merged\n"
    return commits.write(context.repository, found.tree, parents, message, head.author, head.time, sign=False)


def configured(context: Context, workspace: Workspace, commit: str) -> Workspace:
    """The base's workspace with the models and the eviction that a commit has; never with another budget or price."""
    there = rooted(context.repository, commit, workspace.layout.root).config
    mine = workspace.config.llm
    llm = there.llm.model_copy(update={"budgets": mine.budgets, "prices": mine.prices})
    config = workspace.config.model_copy(update={"llm": llm, "eviction": there.eviction})
    return replace(workspace, config=config)
