"""`git assay lint --fix`: mends what is certain on a run of its own, then says what is left."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from gitops.cli import surroundings

if TYPE_CHECKING:
    from gitops.runs.context import Context
    from gitops.runs.workspace import Workspace


def fix(arguments: argparse.Namespace, context: Context) -> int:
    """Mend, land, and lint what came of it; the exit code is 1 where the run was refused, else the lint's."""
    from gitops.cli.lint import tell
    from gitops.cli.places import inside
    from gitops.errors import UsageError
    from gitops.runs import linttargets

    if arguments.paths or arguments.check:
        raise UsageError("--fix mends a whole workspace", "leave out PATH and --check; git revert takes a mend back")
    target = surroundings.target(arguments, context)
    tip = surroundings.tip(context, target)
    before = linttargets.of_revision(context, tip)
    near = inside(context.repository, ".")
    landed = [
        _mended(arguments, context, target, before.workspace(root))
        for root in linttargets.chosen(before, arguments.workspace, (near,))
    ]
    after = linttargets.of_revision(context, surroundings.tip(context, target))
    code = tell(arguments, context, after)
    return code if all(landed) else 1


def _mended(arguments: argparse.Namespace, context: Context, target: str, workspace: Workspace) -> bool:
    """Whether nothing was to mend, or the mends have landed. What happened is told beside the lint's own output."""
    import sys

    from gitops.runs import fixing

    made = fixing.plan(context, workspace, surroundings.tip(context, target))
    if not made.pages:
        _say(arguments, f"{workspace.name}: nothing can be mended for certain")
        return True
    outcome = fixing.land(context, workspace, target, made)
    mends = f"{made.mends:,} mend{'s' * (made.mends != 1)} on {len(made.pages):,} page{'s' * (len(made.pages) != 1)}"
    if outcome.result == "landed":
        _say(arguments, f"{workspace.name}: run {outcome.run.id} landed as {outcome.commit[:10]}: {mends}")
        return True
    why = outcome.verdict.reasoning if outcome.verdict is not None else outcome.run.state.reason
    print(f"note: run {outcome.run.id} did not land ({mends}): {why}", file=sys.stderr)
    return False


def _say(arguments: argparse.Namespace, message: str) -> None:
    """On standard output for people; beside it where a machine reads that."""
    import sys

    from gitops.cli import one_line

    if not arguments.quiet:
        is_for_machines = arguments.json or arguments.sarif or arguments.github
        print(one_line(message), file=sys.stderr if is_for_machines else sys.stdout)
