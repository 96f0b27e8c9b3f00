"""`git assay lint --debt --prune`: takes off the debt what is mended by now, in a commit of its own."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from gitops.cli import surroundings

if TYPE_CHECKING:
    from gitops.runs.context import Context


def prune(arguments: argparse.Namespace, context: Context) -> int:
    """Commit the debt without what is mended, on the branch that HEAD is on, and list what is left."""
    from gitops.cli.lint import tell
    from gitops.cli.places import inside
    from gitops.errors import UsageError
    from gitops.runs import linting, linttargets, onboarding

    if not arguments.debt:
        raise UsageError("--prune takes entries off the debt, and goes with --debt", "git assay lint --debt --prune")
    if arguments.paths or arguments.check:
        raise UsageError("--prune looks at a whole workspace", "leave out PATH and --check")
    target = context.repository.head_branch()
    if target is None:
        raise UsageError("HEAD is detached, so there is no branch to commit on", "git switch main")
    tip = surroundings.tip(context, target)
    before = linttargets.of_revision(context, tip)
    files: dict[str, bytes] = {}
    for root in linttargets.chosen(before, arguments.workspace, (inside(context.repository, "."),)):
        workspace = before.workspace(root)
        found = linting.findings(context, workspace, before.tree, tip)
        files |= onboarding.pruned(before.tree, workspace, found)
    made = onboarding.commit(context, target, tip, files, "Take mended findings off the debt")
    if not arguments.quiet and not (arguments.json or arguments.sarif):
        print(f"{made[:10]}: {', '.join(files)}" if made else "nothing on the debt is mended yet")
    return tell(arguments, context, linttargets.of_revision(context, surroundings.tip(context, target)))
