"""`git assay ci accepted`: what a label on merged pull requests accepted, written down where no label comes off."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from gitops.cli import surroundings

if TYPE_CHECKING:
    from gitops.runs.context import Context
    from gitops.runs.feedback import AcceptedRegression


def accepted(arguments: argparse.Namespace) -> int:
    """Record what is not recorded yet: 0 also where nothing was accepted; 3 where GitHub or the key is missing."""
    context = surroundings.context(arguments)
    made = record(context, surroundings.target(arguments, context), arguments.workspace)
    if not arguments.quiet:
        for each in made:
            print(f"accepted on {each.commit[:10]} for {each.workspace}: {each.reason}")
        if not made:
            print("no regression was accepted by a label that is not recorded")
    return 0


def is_asked() -> bool:
    """Whether this runs where GitHub can be asked: in a job of its own, with a token."""
    return bool(os.environ.get("GITHUB_REPOSITORY", "").strip() and os.environ.get("GITHUB_TOKEN", "").strip())


def record(context: Context, target: str, only: str | None) -> list[AcceptedRegression]:
    """The records that are made now, at the tip of a branch. CannotRun and UsageError as GitHub has them."""
    from gitops.ci import github, labelled
    from gitops.runs import pushing
    from gitops.runs.workspace import at, roots

    tip = surroundings.tip(context, target)
    tree = context.tree(tip)
    there = [at(tree, root, tip) for root in roots(tree)]
    upstream = pushing.upstream(context, target)
    branch = (upstream[1] if upstream is not None else target).removeprefix("refs/heads/")
    meant = [each for each in there if only in (None, each.name)]
    return labelled.record(context, github.from_environment(os.environ), branch, tip, meant)
