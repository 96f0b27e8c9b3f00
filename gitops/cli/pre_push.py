"""`git assay hooks pre-push`: what the hook asks about a push, and the records that go along with it.

All is said on standard error: what git prints of the push itself is for whoever reads it.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from typing import TYPE_CHECKING

from gitops.cli import surroundings

if TYPE_CHECKING:
    from gitops.runs.context import Context
    from gitops.runs.outgoing import Examined, Line

_MENDS = "mend it and push again; git push --no-verify skips this hook, and no other gate"


def pre_push(arguments: argparse.Namespace) -> int:
    """Look at every ref line; 1 where one is refused, else the notes go along."""
    from gitops.runs import outgoing

    context = surroundings.context(arguments, sweep=False)
    if arguments.remote:
        remote, lines = arguments.remote, outgoing.parse(sys.stdin.read())
    else:
        remote, lines = _of_framework(context, os.environ)
    examined = [outgoing.examine(context, remote, line) for line in lines if line.is_branch]
    found = [each for each in examined if each is not None]
    with redirect_stdout(sys.stderr):
        for each in found:
            _show(each, quiet=arguments.quiet)
    if not all(each.passes for each in found):
        from gitops.cli import tell

        refused = ", ".join(each.ref.removeprefix(outgoing.HEADS) for each in found if not each.passes)
        tell(f"not pushed: {refused}", _MENDS)
        return 1
    if found:
        from gitops.runs import syncing

        syncing.bring_along(context, remote)
    return 0


def _of_framework(context: Context, environment: Mapping[str, str]) -> tuple[str, list[Line]]:
    """The remote and the one ref line that the pre-commit framework tells, by its environment."""
    from gitops.errors import UsageError
    from gitops.git.refs import ABSENT
    from gitops.runs.outgoing import Line

    remote = environment.get("PRE_COMMIT_REMOTE_NAME", "")
    local, branch = environment.get("PRE_COMMIT_LOCAL_BRANCH", ""), environment.get("PRE_COMMIT_REMOTE_BRANCH", "")
    if not (remote and branch):
        told = "which remote is pushed to is not said"
        raise UsageError(
            told, "git assay hooks pre-push REMOTE < LINES, or let the pre-commit framework's pre-push call it"
        )
    head = environment.get("PRE_COMMIT_TO_REF") or local or "HEAD"
    # From which commit on the framework looks is its own guess for a new branch; ours is made from what is fetched.
    return remote, [Line(local, head, branch, ABSENT)]


def _show(examined: Examined, *, quiet: bool) -> None:
    from gitops.report import text

    if examined.findings:
        text.show(text.findings(examined.findings), "")
    if examined.why and not (quiet and examined.passes):
        print(f"assay: {examined.ref.removeprefix('refs/heads/')}: {examined.why}")
