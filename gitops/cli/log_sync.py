"""`git assay log sync`: the lines that a merge button left out of the wiki's log."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from gitops.cli import surroundings

if TYPE_CHECKING:
    from gitops.runs.logsync import LogSynced


def sync(arguments: argparse.Namespace) -> int:
    """Write what lacks; 0 also where nothing does."""
    from gitops.errors import UsageError
    from gitops.runs import logsync

    if not arguments.action:
        raise UsageError("--push, --dry-run and --target are for 'log sync'", "git assay log sync")
    context = surroundings.context(arguments)
    target = surroundings.target(arguments, context)
    done = logsync.sync(context, target, push=arguments.push, dry_run=arguments.dry_run)
    if arguments.json:
        surroundings.print_json(done.as_json())
    elif not arguments.quiet:
        from gitops.report.text import show

        show("\n".join(_told(done)))
    return 0


def _told(done: LogSynced) -> list[str]:
    target = done.target.removeprefix("refs/heads/")
    lines = [f"  {line}" for each in done.lacking for line in each.lines]
    if not lines:
        return [f"the log has every landing on {target}"]
    if done.dry_run:
        return ["nothing was written (--dry-run); what lacks:", *lines]
    return [f"{done.commit[:10]} on {target}{', pushed' if done.pushed else ''}:", *lines]
